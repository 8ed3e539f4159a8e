// SPDX-License-Identifier: MIT
#pragma once
/// \file A bound on the mean hinge loss with an L2 penalty, less what rounding may have added.
#include <cmath>
#include <limits>
#include <linea/core/types.hpp>
#include <linea/optimizers/numerics/vectors.hpp>
#include <linea/samples/training_set.hpp>

namespace linea::programs {

/// Sums with what each addition rounded away, so that they are off by the rounding of their terms
/// and not by their number (Knuth, The Art of Computer Programming 2, 4.2.2, theorem C).
struct KeptSums {
  explicit KeptSums(Index count) : sums(numerics::constant(count, 0)), lost(sums), sizes(sums) {}

  void add(Index j, double term) {
    const double sum = sums[j] + term;
    const double taken = sum - sums[j];
    lost[j] += (sums[j] - (sum - taken)) + (term - taken);
    sums[j] = sum;
    sizes[j] += std::abs(term);
  }

  Vector<double> sums, lost, sizes;  ///< sizes: those of the terms
};

/// Σᵢ αᵢ − ‖Σᵢ αᵢyᵢ(xᵢ − m)‖²/(2λ), less 2ε of the sizes of the terms of both sums, which is more
/// than their rounding. `centre` is m (d), zeros where b is fixed. With offset Σᵢ αᵢyᵢ is 0 but for
/// rounding, and what it misses counts at `offset`, the score at m. One pass over x.
template <class Rows>
double hinge_bound(const samples::TrainingSet<Rows>& set, const Vector<double>& multipliers,
                   const Vector<double>& centre, double lambda, bool has_offset, double offset) {
  constexpr double rounding = 2 * std::numeric_limits<double>::epsilon();
  const Index d = centre.size();
  KeptSums columns(d);
  KeptSums balance(1);
  KeptSums stored(d);  // αᵢyᵢ of the samples that store the entry
  for (Index i = 0; i < multipliers.size(); ++i) {
    if (!(multipliers[i] > 0)) continue;
    const double a = multipliers[i] * set.y[i];
    balance.add(0, a);
    set.rows.for_each_between(i, 0, d, [&](Index j, auto entry) {
      columns.add(j, a * (static_cast<double>(entry) - centre[j]));
      if constexpr (Rows::is_sparse) stored.add(j, a);
    });
  }
  if constexpr (Rows::is_sparse)  // other entries lie at −m
    for (Index j = 0; j < d; ++j) {
      columns.add(j, centre[j] * (stored.sums[j] - balance.sums[0]));
      columns.add(j, centre[j] * (stored.lost[j] - balance.lost[0]));
      columns.sizes[j] += std::abs(centre[j]) * (balance.sizes[0] - stored.sizes[j]);
    }
  for (Vector<double>* part : {&columns.sums, &columns.lost, &columns.sizes})
    set.processes.sum_entries(*part);
  double totals[2] = {balance.sizes[0], balance.sums[0] + balance.lost[0]};
  set.processes.sum(totals, 2);
  double bound = totals[0] * (1 - rounding);
  for (Index j = 0; j < d; ++j) {
    const double size = std::abs(columns.sums[j] + columns.lost[j]) + rounding * columns.sizes[j];
    bound -= size / lambda * (size / 2);
  }
  if (has_offset) bound -= (std::abs(totals[1]) + rounding * totals[0]) * std::abs(offset);
  return bound;
}

}  // namespace linea::programs
