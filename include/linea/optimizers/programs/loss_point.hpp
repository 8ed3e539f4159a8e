// SPDX-License-Identifier: MIT
#pragma once
/// \file From what a LossSearch finds to weights and news of the run.
#include <algorithm>  // max
#include <cmath>      // abs, sqrt
#include <limits>
#include <linea/core/observer.hpp>
#include <linea/core/point.hpp>
#include <linea/optimizers/programs/loss_search.hpp>
#include <linea/optimizers/programs/row_space.hpp>

namespace linea::programs {

/// The w and b of the centred samples for q (r + m) and `parts`, sᵢαᵢ/S (n); `dual_sum` (d) becomes
/// Σᵢ sᵢαᵢxᵢ/S.
template <class Rows>
Point<double> point_of(const RowSpace<Rows>& space, const LossProgram<double>& program,
                       const Vector<double>& q, Vector<double> parts, double l2,
                       Vector<double>& dual_sum) {
  Vector<double> v(program.rank());
  for (Index j = 0; j < v.size(); ++j) v[j] = q[j] / program.scale(j);
  dual_sum = space.sum(parts);
  for (double& part : parts) part = l2 > 0 ? part / l2 : 0;
  return {space.weights(v, parts), program.has_offset() ? q[program.rank()] : 0, 0};
}

/// The best that `look` has seen, for an observer. `count` is n; `iterate` answers with the point.
template <class Search, class Iterate>
class SearchSeen final : public ObservedRun {
 public:
  SearchSeen(const Search& search, double count, const Iterate& iterate)
      : search_(search), count_(count), iterate_(iterate) {}
  double objective() const override { return search_.seen_value() / count_; }
  double gap() const override {
    return std::max(search_.seen_value() - search_.seen_bound(), 0.0) / count_;
  }
  Point<double> iterate(Index) const override { return iterate_(); }

 private:
  const Search& search_;
  double count_;
  const Iterate& iterate_;
};

/// How far the coordinates may be off, each (r), by the rounding of the numbers of x, times what
/// sums of n or d of them make of it.
template <class Rows>
Vector<double> roundings_of(const RowSpace<Rows>& space, const samples::TrainingSet<Rows>& set) {
  const auto longest = static_cast<double>(std::max(set.all_rows(), set.rows.cols()));
  const double unit = (8 + 2 * std::sqrt(longest)) * std::numeric_limits<double>::epsilon();
  Vector<double> sizes = numerics::constant(set.rows.cols(), 0);
  for (Index j = 0; j < space.mean().size(); ++j) sizes[j] = space.mean()[j];
  for (Index j = 0; j < sizes.size() && set.origin; ++j)
    sizes[j] += static_cast<double>((*set.origin)[j]);
  if (space.is_rotated())
    return numerics::constant(space.coordinates().cols(),
                              unit * std::sqrt(numerics::squares_of(sizes)));
  for (double& size : sizes) size = unit * std::abs(size);
  return sizes;
}

}  // namespace linea::programs
