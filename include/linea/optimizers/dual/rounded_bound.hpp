// SPDX-License-Identifier: MIT
#pragma once
/// \file A dual bound on F that allows for the rounding of its sums.
#include <algorithm>  // max, min
#include <cmath>      // abs, isnan
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/linear_algebra/block_sums.hpp>
#include <linea/optimizers/dual/bound.hpp>

namespace linea::detail::dual {

/// The dual sum (d) of dual variables α (n) in the domain of ℓ*, the sums of the absolute values of
/// its terms, and a bound on the rounding errors: see linear_algebra::BlockSums. With an offset the
/// bound holds for balanced dual variables, with Σᵢ sᵢαᵢ = 0: shrinking the αᵢ of one sign by a
/// share of at most 2μ, μ = |Σᵢ sᵢαᵢ|/Σᵢ |sᵢαᵢ|, balances them, and changes each entry of the dual
/// sum by at most 2μ times its entry of `sizes`.
struct RoundedSums {
  Vector<double> sums, sizes;
  double unit;  ///< bound on the error of each sum, divided by its entry of `sizes`; includes 2μ

  /// Returns sums + sign·unit·sizes. The exact sums are between end(−1) and end(1).
  Vector<double> end(double sign) const {
    Vector<double> entries(sums.size());
    for (Index j = 0; j < entries.size(); ++j) entries[j] = sums[j] + sign * unit * sizes[j];
    return entries;
  }
};

/// Returns the sums for the dual variables α = `multipliers` (n). Makes one pass over x.
template <class Rows>
RoundedSums rounded_sums(const samples::TrainingSet<Rows>& set, const Vector<double>& multipliers,
                         bool has_offset) {
  const auto n = static_cast<double>(set.all_rows());
  linear_algebra::BlockSums sums(set.rows.cols() + 1);  // the last entry is Σᵢ sᵢαᵢ/n
  const Index last = set.rows.cols();
  for (Index i = 0; i < multipliers.size(); ++i) {
    const double part = set.weight(i) * multipliers[i] / n;
    if (part != 0) {
      sums.add(last, part);
      set.rows.for_each_between(
          i, 0, last, [&](Index j, auto entry) { sums.add(j, part * static_cast<double>(entry)); });
    }
    sums.end_row(i, multipliers.size());
  }
  set.all().sum_entries(sums.sums);
  set.all().sum_entries(sums.sizes);
  RoundedSums all{sums.sums, sums.sizes, linear_algebra::BlockSums::unit(set.all_rows())};
  if (has_offset && sums.sizes[last] > 0)
    all.unit += 2 * (all.unit + std::abs(sums.sums[last]) / sums.sizes[last]);
  all.sums.conservativeResize(last);
  all.sizes.conservativeResize(last);
  return all;
}

/// Returns the first term of D(scale·α), less unit·(1/n) Σᵢ sᵢ·(|ℓ*(−scale·αᵢ, yᵢ)| + |ℓ*(0, yᵢ)|).
/// Because ℓ* is convex, this also bounds the effect of balancing α: see RoundedSums.
template <ConjugateLoss L, class Rows>
double rounded_dual_of_losses(const L& loss, const samples::TrainingSet<Rows>& set,
                              const Vector<double>& multipliers, double scale, double unit) {
  linear_algebra::BlockSums losses(2);
  for (Index i = 0; i < multipliers.size(); ++i) {
    if (const double weight = set.weight(i); weight > 0) {
      losses.add(0, -weight * loss.conjugate(-scale * multipliers[i], set.y[i]));
      losses.add(1, weight * loss.conjugate(0.0, set.y[i]));
    }
    losses.end_row(i, multipliers.size());
  }
  const double size = set.all().sum(losses.sizes[0] + losses.sizes[1]);
  return (set.all().sum(losses.sums[0]) - unit * size) / static_cast<double>(set.all_rows());
}

/// Returns D(t·α) less a bound on the rounding of its sums, for the largest t in [0, 1] for which
/// Ω* is finite. Returns −∞ instead of NaN. Sets *scale to t unless `scale` is null. Makes one pass
/// over x.
template <class L, class P, class Rows>
  requires ConjugateLoss<L> && ConjugatePenalty<P>
double rounded_bound(const Objective<L, P>& objective, const samples::TrainingSet<Rows>& set,
                     const Vector<double>& multipliers, bool has_offset, double* scale = nullptr) {
  const RoundedSums sums = rounded_sums(set, multipliers, has_offset);
  const Vector<double> low = sums.end(-1), high = sums.end(1);
  const double largest =
      std::min(largest_scale(objective.penalty, low), largest_scale(objective.penalty, high));
  if (scale != nullptr) *scale = largest;
  double conjugate = 0;
  // The conjugate of each column is convex: its maximum on [low, high] is at one of the two ends.
  for (Index j = 0; j < low.size(); ++j) {
    const auto& one = of_column(objective.penalty, j);
    conjugate += std::max(one.conjugate(largest * low[j]), one.conjugate(largest * high[j]));
  }
  const double bound =
      rounded_dual_of_losses(objective.loss, set, multipliers, largest, sums.unit) - conjugate;
  return std::isnan(bound) ? -std::numeric_limits<double>::infinity() : bound;
}

}  // namespace linea::detail::dual
