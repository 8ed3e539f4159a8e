// SPDX-License-Identifier: MIT
#pragma once
/// \file The dual objective D. For all dual variables α (n) it is a lower bound on F:
///
///     D(α) = −(1/n) Σᵢ sᵢ·ℓ*(−αᵢ, yᵢ) − Ω*((1/n) Σᵢ sᵢαᵢxᵢ)  ≤  F(w, b)   for all w and b.
///
/// Here ℓ* and Ω* are the conjugates of loss and penalty, and sᵢ are the sample weights, of mean 1.
/// If b is free, the bound holds only for Σᵢ sᵢαᵢ = 0. The vector (1/n) Σᵢ sᵢαᵢxᵢ is called the
/// dual sum.
#include <cmath>  // isfinite
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/core/objective.hpp>
#include <linea/core/types.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/optimizers/dual/problem.hpp>
#include <linea/samples/blocks.hpp>
#include <linea/samples/risk_of_scores.hpp>
#include <linea/samples/training_set.hpp>
#include <utility>  // move

namespace linea::detail::dual {

/// Returns the first term of D(scale·α): −(1/n) Σᵢ sᵢ·ℓ*(−scale·αᵢ, yᵢ). Here n = `count`, and
/// `all` sums over all parts of divided samples.
template <ConjugateLoss L, class All>
double dual_of_losses(const L& loss, const Vector<double>& y, const Vector<double>& weights,
                      const Vector<double>& multipliers, double scale, Index count,
                      const All& all) {
  double sum = 0;
  for (Index i = 0; i < y.size(); ++i)
    if (const double weight = weights.size() ? weights[i] : 1.0; weight > 0)
      sum += weight * loss.conjugate(-scale * multipliers[i], y[i]);
  return -all.sum(sum) / static_cast<double>(count);
}

/// Returns the first term of D(scale·α) over all samples of a set.
template <ConjugateLoss L, class Rows>
double dual_of_losses(const L& loss, const samples::TrainingSet<Rows>& set,
                      const Vector<double>& multipliers, double scale = 1) {
  return dual_of_losses(loss, set.y, set.weights, multipliers, scale, set.all_rows(), set.all());
}

/// Returns Ω*(scale·dual_sum).
template <ConjugatePenalty P>
double conjugate_of(const P& penalty, const Vector<double>& dual_sum, double scale = 1) {
  double sum = 0;
  for (Index j = 0; j < dual_sum.size(); ++j)
    sum += of_column(penalty, j).conjugate(scale * dual_sum[j]);
  return sum;
}

/// Returns the dual sum (1/n) Σᵢ sᵢαᵢxᵢ (d). Makes one pass over x, or none if α = 0.
template <class Rows>
Vector<double> dual_sum_of(const samples::TrainingSet<Rows>& set,
                           const Vector<double>& multipliers) {
  if (!set.all().any(!linear_algebra::is_zero(multipliers.data(), multipliers.size())))
    return linear_algebra::constant(set.rows.cols(), 0);
  const auto n = static_cast<double>(set.all_rows());
  return samples::sum_of_rows(set.rows,
                              [&](Index i) { return set.weight(i) * multipliers[i] / n; });
}

/// Dual variables that satisfy all constraints, their dual sum, and the bound D.
struct Proof {
  Vector<double> multipliers, dual_sum;
  double dual;
};

/// Returns the dual sum of a problem with this risk. Makes one pass over x, or none if α = 0.
inline Vector<double> dual_sum_of(const samples::RowBlocks& rows, const samples::RiskOfScores& risk,
                                  const Vector<double>& multipliers) {
  const bool is_zero = linear_algebra::is_zero(multipliers.data(), multipliers.size());
  if (rows.sum(is_zero ? 0 : 1) == 0) return detail::filled(rows.cols(), 0.0);
  return samples::weighted_sum(rows, risk.in_parts(multipliers));
}

/// Returns the Proof of dual variables in the domain of ℓ*, for the penalty λ/2·‖w‖². With an
/// offset, balances the dual variables first. `risk` is that of the problem.
inline Proof proof_of(const DualProblem& of, const samples::RiskOfScores& risk,
                      Vector<double> multipliers) {
  if (of.has_offset) samples::balance(multipliers, of.weights, of.rows);
  Vector<double> dual_sum = dual_sum_of(of.rows, risk, multipliers);
  const double dual =
      risk.dual(multipliers) - linear_algebra::squares_of(dual_sum) / (2 * of.lambda);
  return {std::move(multipliers), std::move(dual_sum), dual};
}
template <ConjugateLoss L, class Rows>
  requires DifferentiableLoss<L> Proof proof_of(const L& loss,
                                                const samples::TrainingSet<Rows>& set,
                                                double lambda, bool has_offset,
                                                Vector<double> multipliers) {
    const DualBlocks<L, Rows> blocks(loss, set, lambda, has_offset);
    const samples::RiskOfScores risk(blocks.loss_blocks, set.y, set.weights, set.all_rows(),
                                     blocks.row_blocks);
    return proof_of(blocks.problem, risk, std::move(multipliers));
  }

/// Returns the largest t in [0, 1] with Ω*(t·dual_sum) < ∞, by bisection: Ω* is convex, and finite
/// at 0. A t below 1 is reduced by the relative amount 2ε, since a compiler may contract the
/// product t·dual_sum to a fused multiply-add here or in the caller.
template <ConjugatePenalty P>
double largest_scale(const P& penalty, const Vector<double>& dual_sum) {
  double scale = 1;
  for (Index j = 0; j < dual_sum.size(); ++j) {
    const auto& one = of_column(penalty, j);
    const auto is_finite = [&](double t) { return std::isfinite(one.conjugate(t * dual_sum[j])); };
    if (is_finite(scale)) continue;
    scale = 0;
    for (double step = 0.5; step > 1e-17; step /= 2)
      if (is_finite(scale + step)) scale += step;
  }
  return scale < 1 ? scale * (1 - 2 * std::numeric_limits<double>::epsilon()) : 1;
}

}  // namespace linea::detail::dual

namespace linea::solver {

using detail::dual::proof_of;

}  // namespace linea::solver
