// SPDX-License-Identifier: MIT
#pragma once
/// \file Columns whose variation is so small that its square underflows.
#include <algorithm>  // max, min
#include <cmath>      // abs
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/core/solution.hpp>
#include <linea/samples/origin.hpp>

namespace linea::samples {

/// Returns for each column in [first, last) the largest distance of its entries from `pivot`, among
/// at most `limit` rows of positive weight. Entries that are not stored count as 0.
template <class Rows>
Vector<double> largest_deviations(const TrainingSet<Rows>& set, Index first, Index last,
                                  const Vector<double>& pivot, Index limit) {
  Vector<double> deviation = core::filled(last - first, 0.0);
  Vector<double> count = deviation;
  double asked = 0;
  for (Index i = 0; i < set.rows.rows() && asked < static_cast<double>(limit); ++i) {
    if (!(set.weight(i) > 0)) continue;
    asked += 1;
    set.rows.for_each_between(i, first, last, [&](Index column, auto entry) {
      const Index j = column - first;
      deviation[j] = std::max(deviation[j], std::abs(static_cast<double>(entry) - pivot[j]));
      count[j] += 1;
    });
  }
  for (Index j = 0; j < last - first; ++j)
    if (count[j] < asked) deviation[j] = std::max(deviation[j], std::abs(pivot[j]));
  set.all().largest(deviation.data(), deviation.size());
  return deviation;
}

/// Returns whether some column varies, but by less than 1.5e-154. The squares of its deviations
/// underflow, so that it looks constant to methods that sum squares. Without an offset, deviations
/// are from 0. Reads some rows, or all rows if those do not decide, and 65536 columns at a time.
template <class Rows>
bool has_unseen_columns(const TrainingSet<Rows>& set, bool offset_is_free) {
  constexpr Index width = 65536;
  constexpr Index some = 64;
  constexpr Index all = std::numeric_limits<Index>::max();
  const auto is_unseen = [](double deviation) {
    return deviation > 0 && deviation * deviation < std::numeric_limits<double>::min();
  };
  for (Index first = 0; first < set.rows.cols(); first += width) {
    const Index last = std::min(first + width, set.rows.cols());
    Vector<double> pivot = core::filled(last - first, 0.0);
    if (offset_is_free) find_pivot(set.rows, set.weights, first, pivot);
    for (const Index limit : {some, all}) {
      const Vector<double> deviation = largest_deviations(set, first, last, pivot, limit);
      bool in_doubt = false;
      bool found = false;
      for (const double one : deviation) {
        found = found || is_unseen(one);
        in_doubt = in_doubt || one == 0 || is_unseen(one);
      }
      if (!in_doubt) break;
      if (found && limit == all) return true;
    }
  }
  return false;
}

/// Returns the status of a method that sums squares, for the penalty λ/2·‖w‖²: `converged` becomes
/// `precision_limit` if x has columns whose squares underflow. With λ ≥ 1e-290 the weights of such
/// columns are 0 anyway.
template <class Rows>
Status status_of_seen(Status status, double lambda, const TrainingSet<Rows>& set,
                      bool offset_is_free) {
  if (status != Status::converged || lambda >= 1e-290) return status;
  return has_unseen_columns(set, offset_is_free) ? Status::precision_limit : status;
}

}  // namespace linea::samples
