// SPDX-License-Identifier: MIT
#pragma once
/// \file Columns that vary by so little that sums of squares do not see it.
#include <algorithm>  // max, min
#include <cmath>      // abs
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/core/solution.hpp>
#include <linea/samples/origin.hpp>

namespace linea::samples {

/// How far the entries of columns [first, last) lie from a pivot at most: of rows of a weight above
/// 0, of which `limit` are asked at most. An entry that is not stored is 0.
template <class Rows>
Vector<double> reach_of(const TrainingSet<Rows>& set, Index first, Index last,
                        const Vector<double>& pivot, Index limit) {
  Vector<double> reach = core::filled(last - first, 0.0);
  Vector<double> count = reach;
  double asked = 0;
  for (Index i = 0; i < set.rows.rows() && asked < static_cast<double>(limit); ++i) {
    if (!(set.weight(i) > 0)) continue;
    asked += 1;
    set.rows.for_each_between(i, first, last, [&](Index column, auto entry) {
      const Index j = column - first;
      reach[j] = std::max(reach[j], std::abs(static_cast<double>(entry) - pivot[j]));
      count[j] += 1;
    });
  }
  for (Index j = 0; j < last - first; ++j)
    if (count[j] < asked) reach[j] = std::max(reach[j], std::abs(pivot[j]));
  set.all().largest(reach.data(), reach.size());
  return reach;
}

/// Are there columns that vary, but by less than 1.5e-154, so that the squares of it underflow? To
/// methods that sum up squares they look as if they were constant. Without an offset a column
/// varies from 0. A pass over some rows, and over all where those leave a doubt, 65536 columns at a
/// time.
template <class Rows>
bool has_unseen_columns(const TrainingSet<Rows>& set, bool offset_is_free) {
  constexpr Index width = 65536;
  constexpr Index some = 64;
  constexpr Index all = std::numeric_limits<Index>::max();
  const auto is_unseen = [](double reach) {
    return reach > 0 && reach * reach < std::numeric_limits<double>::min();
  };
  for (Index first = 0; first < set.rows.cols(); first += width) {
    const Index last = std::min(first + width, set.rows.cols());
    Vector<double> pivot = core::filled(last - first, 0.0);
    if (offset_is_free) find_pivot(set.rows, set.weights, first, pivot);
    for (const Index limit : {some, all}) {
      const Vector<double> reach = reach_of(set, first, last, pivot, limit);
      bool in_doubt = false;
      bool found = false;
      for (const double one : reach) {
        found = found || is_unseen(one);
        in_doubt = in_doubt || one == 0 || is_unseen(one);
      }
      if (!in_doubt) break;
      if (found && limit == all) return true;
    }
  }
  return false;
}

/// The status of an answer to λ/2·‖w‖², where sums of squares decided: `converged` cannot be told
/// where there are columns that they do not see. A λ of 1e-290 or more keeps the weights of such
/// columns at 0.
template <class Rows>
Status status_of_seen(Status status, double lambda, const TrainingSet<Rows>& set,
                      bool offset_is_free) {
  if (status != Status::converged || lambda >= 1e-290) return status;
  return has_unseen_columns(set, offset_is_free) ? Status::precision_limit : status;
}

}  // namespace linea::samples
