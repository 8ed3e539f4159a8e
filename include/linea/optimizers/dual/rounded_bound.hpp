// SPDX-License-Identifier: MIT
#pragma once
/// \file A bound on F, less what the rounding of the dual sum may have added.
#include <cmath>  // abs, isnan
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/optimizers/dual/bound.hpp>

namespace linea::dual {

/// D(t·α) for the largest t in [0, 1] with a bound, where each entry of the dual sum counts as
/// farther from 0 by the rounding of its terms. That matters where they cancel, as those of columns
/// far from 0 do. Sums of many terms of one sign may be off by more, by a part of themselves that
/// only shows where F is known to as many digits. With offset the αᵢ are in balance but for
/// rounding, and what they miss counts at `offset`. One pass over x.
template <class L, class P, class Rows>
  requires ConjugateLoss<L> && ConjugatePenalty<P>
double rounded_bound(const Objective<L, P>& objective, const samples::TrainingSet<Rows>& set,
                     const Vector<double>& multipliers, double offset) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const auto n = static_cast<double>(set.all_rows());
  Vector<double> sum = core::filled(set.rows.cols(), 0.0);
  Vector<double> sizes = sum;
  double balance = 0;
  for (Index i = 0; i < multipliers.size(); ++i) {
    const double part = set.weight(i) > 0 ? set.weight(i) * multipliers[i] / n : 0;
    if (part == 0) continue;
    balance += part;
    set.rows.for_each_between(i, 0, sum.size(), [&](Index j, auto entry) {
      const double term = part * static_cast<double>(entry);
      sum[j] += term;
      sizes[j] += std::abs(term);
    });
  }
  set.processes.sum_entries(sum);
  set.processes.sum_entries(sizes);
  Vector<double> farther(sum.size());
  for (Index j = 0; j < sum.size(); ++j) farther[j] = std::abs(sum[j]) + epsilon * sizes[j];
  const double scale = largest_scale(objective.penalty, farther);
  const double bound = dual_of_losses(objective.loss, set, multipliers, scale) -
                       conjugate_of(objective.penalty, farther, scale) -
                       std::abs(set.processes.sum(balance) * offset);
  return std::isnan(bound) ? -std::numeric_limits<double>::infinity() : bound;
}

}  // namespace linea::dual
