// SPDX-License-Identifier: MIT
#pragma once
/// \file A bound on F, less what the rounding of the dual sum may have added.
#include <algorithm>  // max
#include <cmath>      // abs, isnan
#include <limits>
#include <linea/optimizers/dual/bound.hpp>
#include <linea/optimizers/numerics/kept_sums.hpp>

namespace linea::dual {

/// D(t·α) for the largest t in [0, 1] with a bound, less more than the rounding of the dual sum.
/// That matters where its terms cancel, as those of columns far from 0 do. With offset sᵢαᵢ sum up
/// to 0 but for rounding, and the bound is that of multipliers that do: those of the sign which has
/// more are less by a share μ of themselves, too small for them to show it. As ℓ* is convex, the
/// dual of the losses falls by no more than μ times what it would fall by without them. The sum of
/// the losses may be off by more, by a part of itself that only shows where F, which is such a sum
/// too, is known to as many digits. One pass over x.
template <class L, class P, class Rows>
  requires ConjugateLoss<L> && ConjugatePenalty<P>
double rounded_bound(const Objective<L, P>& objective, const samples::TrainingSet<Rows>& set,
                     const Vector<double>& multipliers, bool has_offset) {
  const auto n = static_cast<double>(set.all_rows());
  const auto part = [&](Index i) {
    return set.weight(i) > 0 ? set.weight(i) * multipliers[i] / n : 0.0;
  };
  numerics::Imbalance imbalance;
  if (has_offset)
    imbalance = numerics::imbalance_of(multipliers.size(), part,
                                       std::numeric_limits<double>::epsilon(), set.all());
  numerics::KeptSums sum(set.rows.cols());
  Vector<double> side = core::filled(multipliers.size(), 0.0);  // those that are less
  const auto add = [&](Index i, double a) {
    set.rows.for_each_between(i, 0, set.rows.cols(), [&](Index j, auto entry) {
      sum.add(j, a * static_cast<double>(entry));
    });
  };
  for (Index i = 0; i < multipliers.size(); ++i) {
    const double a = part(i);
    if (a == 0) continue;
    add(i, a);
    if (!imbalance.has(a)) continue;
    side[i] = multipliers[i];
    add(i, -imbalance.share * a);
  }
  sum.share(set.all());
  const double rounding = numerics::KeptSums::rounding(set.all()) + imbalance.doubt;
  Vector<double> farther(set.rows.cols());
  for (Index j = 0; j < farther.size(); ++j)
    farther[j] = std::abs(sum[j]) + rounding * sum.sizes[j];
  const double scale = largest_scale(objective.penalty, farther);
  double bound = dual_of_losses(objective.loss, set, multipliers, scale) -
                 conjugate_of(objective.penalty, farther, scale);
  if (has_offset) {
    const double at_zero = dual_of_losses(objective.loss, set, side, 0);
    const double of_side = dual_of_losses(objective.loss, set, side, scale) - at_zero;
    const double of_all = dual_of_losses(objective.loss, set, multipliers, scale) - at_zero;
    bound -= std::max(imbalance.share * of_side, 0.0);
    // Where there is next to no excess it may be the other side's.
    bound -= imbalance.doubt * (std::abs(of_side) + std::abs(of_all - of_side));
  }
  return std::isnan(bound) ? -std::numeric_limits<double>::infinity() : bound;
}

}  // namespace linea::dual
