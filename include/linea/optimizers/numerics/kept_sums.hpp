// SPDX-License-Identifier: MIT
#pragma once
/// \file Sums that keep what they round away, and by how much two sides are out of balance.
#include <algorithm>  // min
#include <cmath>
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/core/types.hpp>

namespace linea::numerics {

/// Sums with what each addition rounded away, so that they are off by the rounding of their terms
/// and not by their number (Knuth, The Art of Computer Programming 2, 4.2.2, theorem C).
struct KeptSums {
  explicit KeptSums(Index count) : sums(core::filled(count, 0.0)), lost(sums), sizes(sums) {}

  void add(Index j, double term) {
    const double sum = sums[j] + term;
    const double taken = sum - sums[j];
    lost[j] += (sums[j] - (sum - taken)) + (term - taken);
    sums[j] = sum;
    sizes[j] += std::abs(term);
  }
  double operator[](Index j) const { return sums[j] + lost[j]; }

  /// They become those of all rows: see samples/all_rows.hpp.
  template <class All>
  void share(const All& all) {
    for (Vector<double>* part : {&sums, &lost, &sizes}) all.sum_entries(*part);
  }

  /// A share of the sizes of the terms that is more than the rounding of the terms, one product
  /// each, and of the sums over the parts of all rows.
  template <class All>
  static double rounding(const All& all) {
    return static_cast<double>(1 + all.parts()) * std::numeric_limits<double>::epsilon();
  }

  Vector<double> sums, lost, sizes;  ///< (count); sizes: those of the terms
};

/// What brings numbers into balance that should sum up to 0.
struct Imbalance {
  double excess{0};  ///< Σᵢ pᵢ
  double share{0};   ///< the share of those of the sign of `excess` that has to go
  double doubt{0};   ///< how far the rounding of both may put that off

  bool has(double part) const { return excess > 0 ? part > 0 : excess < 0 && part < 0; }
};

/// That of numbers pᵢ = part(i) for i < n, each off by `rounding` of itself at most, and of those
/// of the other parts of all rows.
template <class Part, class All>
Imbalance imbalance_of(Index n, const Part& part, double rounding, const All& all) {
  KeptSums sum(1);
  for (Index i = 0; i < n; ++i) sum.add(0, part(i));
  sum.share(all);
  const double excess = sum[0];
  const double side = (sum.sizes[0] + std::abs(excess)) / 2;
  if (!(side > 0)) return {};
  const double share = std::min(std::abs(excess) / side, 1.0);
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  // What the sum has lost for good: last digits of what it has kept, and of sums over parts.
  const double kept = epsilon * static_cast<double>(all.sum(n));
  const double of_sum =
      epsilon * (4 * share + static_cast<double>(all.parts() - 1)) + kept * (share + kept);
  return {excess, share, 2 * rounding + of_sum};
}

}  // namespace linea::numerics
