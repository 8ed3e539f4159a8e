// SPDX-License-Identifier: MIT
#pragma once
/// \file A bound on the mean hinge loss with an L2 penalty, less what rounding may have added.
#include <cmath>
#include <linea/core/types.hpp>
#include <linea/optimizers/numerics/kept_sums.hpp>
#include <linea/samples/training_set.hpp>

namespace linea::programs {

/// Σᵢ αᵢ − ‖Σᵢ αᵢyᵢ(xᵢ − m)‖²/(2λ), less more than the rounding of both sums. `centre` is m (d),
/// zeros where b is fixed. With offset αᵢyᵢ sum up to 0 but for rounding, and the bound is that of
/// the multipliers that do: those of the label which has more are less by a share of themselves,
/// too small for them to show it, which is summed up as samples of its own. One pass over x.
template <class Rows>
double hinge_bound(const samples::TrainingSet<Rows>& set, const Vector<double>& multipliers,
                   const Vector<double>& centre, double lambda, bool has_offset) {
  using numerics::KeptSums;
  const Index d = centre.size();
  const auto part = [&](Index i) { return multipliers[i] > 0 ? multipliers[i] * set.y[i] : 0.0; };
  numerics::Imbalance imbalance;
  if (has_offset) imbalance = numerics::imbalance_of(multipliers.size(), part, 0, set.all());
  KeptSums columns(d);
  KeptSums balance(1);
  KeptSums stored(d);  // αᵢyᵢ of the samples that store the entry
  const auto add = [&](Index i, double a) {
    balance.add(0, a);
    set.rows.for_each_between(i, 0, d, [&](Index j, auto entry) {
      columns.add(j, a * (static_cast<double>(entry) - centre[j]));
      if constexpr (Rows::is_sparse) stored.add(j, a);
    });
  };
  KeptSums total(1);
  for (Index i = 0; i < multipliers.size(); ++i) {
    const double a = part(i);
    if (a == 0) continue;
    total.add(0, multipliers[i]);
    add(i, a);
    if (imbalance.has(a)) add(i, -imbalance.share * a);
  }
  if constexpr (Rows::is_sparse)  // other entries lie at −m
    for (Index j = 0; j < d; ++j) {
      columns.add(j, centre[j] * (stored.sums[j] - balance.sums[0]));
      columns.add(j, centre[j] * (stored.lost[j] - balance.lost[0]));
      columns.sizes[j] += std::abs(centre[j]) * (balance.sizes[0] - stored.sizes[j]);
    }
  columns.share(set.all());
  const double rounding = KeptSums::rounding(set.all()) + imbalance.doubt;
  double bound = set.all().sum(total[0]) * (1 - rounding) - std::abs(imbalance.excess);
  for (Index j = 0; j < d; ++j) {
    const double size = std::abs(columns[j]) + rounding * columns.sizes[j];
    bound -= size / lambda * (size / 2);
  }
  return bound;
}

}  // namespace linea::programs
