// SPDX-License-Identifier: MIT
#pragma once
/// \file The dual objective D. For all dual variables α (n) it is a lower bound on F:
///
///     D(α) = −(1/n) Σᵢ sᵢ·ℓ*(−αᵢ, yᵢ) − Ω*((1/n) Σᵢ sᵢαᵢxᵢ)  ≤  F(w, b)   for all w and b.
///
/// Here ℓ* and Ω* are the conjugates of loss and penalty, and sᵢ are the sample weights, of mean 1.
/// If b is free, the bound holds only for Σᵢ sᵢαᵢ = 0. The vector (1/n) Σᵢ sᵢαᵢxᵢ is called the
/// dual sum.
#include <algorithm>  // max
#include <cmath>      // abs
#include <linea/core/entries.hpp>
#include <linea/core/loss.hpp>
#include <linea/core/types.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/samples/loss_blocks.hpp>
#include <linea/samples/risk_of_scores.hpp>
#include <linea/samples/row_blocks.hpp>
#include <linea/samples/training_set.hpp>
#include <utility>  // move

namespace linea::detail::proof {

/// Returns the dual sum (d). Makes one pass over x, or none if α = 0.
inline Vector<double> dual_sum_of(const samples::RowBlocks& rows, const samples::RiskOfScores& risk,
                                  const Vector<double>& multipliers) {
  const bool is_zero = linear_algebra::is_zero(multipliers.data(), multipliers.size());
  if (rows.sum(is_zero ? 0 : 1) == 0) return detail::filled(rows.cols(), 0.0);
  return samples::weighted_sum(rows, risk.in_parts(multipliers));
}

/// Finds the largest D(t·α) over t in [0, most] by golden-section search, since D is concave in t.
/// dual(t) returns D(t·α). The search begins at t = `most`. Returns the largest value that it saw.
/// Far from the minimum, D is often larger for a smaller t.
template <class Dual>
double best_multiple(double most, const Dual& dual) {
  constexpr double golden = 0.6180339887498949;
  double low = 0, high = most, best = dual(high);
  const auto value_at = [&](double t) {
    const double value = dual(t);
    best = std::max(best, value);
    return value;
  };
  double lower = (1 - golden) * high, upper = golden * high;
  double at_lower = value_at(lower), at_upper = value_at(upper);
  for (int k = 0; k < 40; ++k)
    if (at_lower >= at_upper) {
      high = upper;
      upper = lower;
      at_upper = at_lower;
      at_lower = value_at(lower = high - golden * (high - low));
    } else {
      low = lower;
      lower = upper;
      at_lower = at_upper;
      at_upper = value_at(upper = low + golden * (high - low));
    }
  return best;
}

/// Is a bound on F so low that `best_multiple` should be tried?
inline bool is_low(double bound, double value) { return value - bound > 0.1 * std::abs(value); }

/// Dual variables that satisfy all constraints, their dual sum, and the bound D.
struct Proof {
  Vector<double> multipliers, dual_sum;
  double dual;
};

/// Returns the Proof of dual variables in the domain of ℓ*, for the penalty λ/2·‖w‖². With an
/// offset, balances the dual variables first.
inline Proof proof_of(const samples::RowBlocks& rows, const samples::RiskOfScores& risk,
                      double lambda, bool has_offset, Vector<double> multipliers) {
  if (has_offset) risk.balance(multipliers);
  Vector<double> dual_sum = dual_sum_of(rows, risk, multipliers);
  const double dual = risk.dual(multipliers) - linear_algebra::squares_of(dual_sum) / (2 * lambda);
  return {std::move(multipliers), std::move(dual_sum), dual};
}

}  // namespace linea::detail::proof

namespace linea::solver {

/// Returns the Proof of the dual variables α (n) of a training set: D(α) for the penalty λ/2·‖w‖²
/// is `dual`. Each ℓ*(−αᵢ, yᵢ) must be finite.
template <ConjugateLoss L, class Rows>
  requires DifferentiableLoss<L>
auto proof_of(const L& loss, const detail::samples::TrainingSet<Rows>& set, double lambda,
              bool has_offset, const Vector<double>& multipliers) {
  const detail::samples::LossBlocksOf<L> blocks(loss);
  const detail::samples::RowBlocksOf<Rows> rows(set.rows);
  const detail::samples::RiskOfScores risk(blocks, set.y, set.weights, set.all_rows(), rows);
  return detail::proof::proof_of(rows, risk, lambda, has_offset, multipliers);
}

}  // namespace linea::solver
