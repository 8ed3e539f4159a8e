// SPDX-License-Identifier: MIT
#pragma once
/// \file A dual bound on F that allows for the rounding of its sums.
#include <algorithm>  // max, min
#include <cmath>      // abs, isnan
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/linear_algebra/block_sums.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/proof/separable_penalty.hpp>
#include <linea/samples/risk_of_scores.hpp>
#include <linea/samples/row_block.hpp>
#include <linea/samples/row_blocks.hpp>

namespace linea::detail::proof {

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
    Vector<double> entries = sums;
    linear_algebra::add(sign * unit, sizes, entries);
    return entries;
  }
};

/// Returns the sums for the dual variables α = `multipliers` (n). Makes one pass over x.
inline RoundedSums rounded_sums(const samples::RowBlocks& rows, const samples::RiskOfScores& risk,
                                const Vector<double>& multipliers, bool has_offset) {
  const Vector<double> terms = risk.in_parts(multipliers);
  const Index last = rows.cols();
  linear_algebra::BlockSums sums(last + 1);  // the last entry is Σᵢ sᵢαᵢ/n
  samples::RowBlock block;
  for (Index first = 0; first < terms.size(); first += sums.rows) {
    const Index count = std::min(sums.rows, terms.size() - first);
    rows.read(first, count, block);
    for (Index k = 0; k < count; ++k) {
      if (const double term = terms[first + k]; term != 0) {
        sums.add(last, term);
        block.for_each(k, [&](Index j, double entry) { sums.add(j, term * entry); });
      }
      sums.end_row(first + k, terms.size());
    }
  }
  rows.sum(sums.sums.data(), last + 1);
  rows.sum(sums.sizes.data(), last + 1);
  RoundedSums all{linear_algebra::part_of(sums.sums, 0, last),
                  linear_algebra::part_of(sums.sizes, 0, last),
                  linear_algebra::BlockSums::unit(rows.all_rows())};
  if (has_offset && sums.sizes[last] > 0)
    all.unit += 2 * (all.unit + std::abs(sums.sums[last]) / sums.sizes[last]);
  return all;
}

/// Returns D(t·α) less a bound on the rounding of its sums, for the largest t in [0, 1] for which
/// Ω* is finite. Returns −∞ instead of NaN. Sets *scale to t unless `scale` is null. Makes one pass
/// over x.
inline double rounded_bound(const samples::RowBlocks& rows, const samples::RiskOfScores& risk,
                            const SeparablePenalty& penalty, const Vector<double>& multipliers,
                            bool has_offset, double* scale = nullptr) {
  const RoundedSums sums = rounded_sums(rows, risk, multipliers, has_offset);
  const Vector<double> low = sums.end(-1), high = sums.end(1);
  const double largest = std::min(penalty.largest_scale(low), penalty.largest_scale(high));
  if (scale != nullptr) *scale = largest;
  double conjugate = 0;
  // The conjugate of each column is convex: its maximum on [low, high] is at one of the two ends.
  for (Index j = 0; j < low.size(); ++j)
    conjugate +=
        std::max(penalty.conjugate(j, largest * low[j]), penalty.conjugate(j, largest * high[j]));
  const double bound = risk.rounded_dual(multipliers, largest, sums.unit) - conjugate;
  return std::isnan(bound) ? -std::numeric_limits<double>::infinity() : bound;
}

}  // namespace linea::detail::proof
