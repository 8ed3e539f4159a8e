// SPDX-License-Identifier: MIT
#pragma once
/// \file A loss and its derivatives at a block of scores.
#include <algorithm>  // max
#include <cmath>      // abs, log1p
#include <linea/core/loss.hpp>
#include <linea/losses/cross_entropy.hpp>
#include <linea/losses/log.hpp>
#include <linea/optimizers/smooth/exponentials.hpp>

namespace linea::smooth {

/// ℓ′ and ℓ″ at a block of scores.
struct LossBlock {
  ScoreBlock slopes;
  ScoreBlock curvatures;
};

/// Σ partsᵢ·f(i), or Σ f(i) without parts. f is not called where a part is 0.
template <class F>
double weighted_sum(Index count, const ScoreBlock* parts, F&& f) {
  double sum = 0;
  for (Index k = 0; k < count; ++k)
    if (!parts)
      sum += f(k);
    else if ((*parts)[k] > 0)
      sum += (*parts)[k] * f(k);
  return sum;
}

/// Σ partsᵢ·ℓ(pᵢ, yᵢ), or Σ ℓ(pᵢ, yᵢ) without parts, for scores p and targets y. Sets in `at` the
/// slopes and, where `curved`, the curvatures, neither multiplied by the parts.
template <bool curved, DifferentiableLoss L>
double total_loss(const L& loss, const ScoreBlock& p, const ScoreBlock& y, const ScoreBlock* parts,
                  LossBlock& at) {
  at.slopes.resize(p.size());
  if constexpr (curved) at.curvatures.resize(p.size());
  for (Index k = 0; k < p.size(); ++k) {
    at.slopes[k] = static_cast<double>(loss.derivative(p[k], y[k]));
    if constexpr (curved)
      at.curvatures[k] = static_cast<double>(loss.second_derivative(p[k], y[k]));
  }
  return weighted_sum(p.size(), parts,
                      [&](Index k) { return static_cast<double>(loss.value(p[k], y[k])); });
}

/// The parts of a logistic loss, ℓ(p, y) = ln(1 + exp(−|p|)) + excess(p, y), that depend on the
/// target.
struct LogisticPart {
  double excess;
  double slope;  ///< ℓ′
};

/// `lesser` and `larger` are those of σ(p) and σ(−p).
inline LogisticPart logistic_part(const Log&, double p, double y, double lesser, double larger) {
  const double agreement = y * p;
  return {std::max(-agreement, 0.0), -y * (agreement > 0 ? lesser : larger)};
}

/// For targets from 0 to 1, as CrossEntropy::value_after and derivative_after have it.
inline LogisticPart logistic_part(const SigmoidCrossEntropy&, double p, double y, double lesser,
                                  double) {
  const double wrong = p > 0 ? 1 - y : y;
  return {wrong * std::abs(p), p > 0 ? wrong - lesser : lesser - wrong};
}

template <class L>
concept LogisticLoss = DifferentiableLoss<L> && requires(const L& loss, double number) {
  logistic_part(loss, number, number, number, number);
};

/// The same total with one exponential a score and, without parts, one logarithm a block.
template <bool curved, LogisticLoss L>
double total_loss(const L& loss, const ScoreBlock& p, const ScoreBlock& y, const ScoreBlock* parts,
                  LossBlock& at) {
  const Index count = p.size();
  at.slopes.resize(count);
  if constexpr (curved) at.curvatures.resize(count);
  ScoreBlock small(count);
  ScoreBlock excess(count);
  exp_of_minus_abs(p, small);
  for (Index k = 0; k < count; ++k) {
    const double larger = 1 / (1 + small[k]);
    const double lesser = small[k] * larger;
    const LogisticPart part = logistic_part(loss, p[k], y[k], lesser, larger);
    excess[k] = part.excess;
    at.slopes[k] = part.slope;
    if constexpr (curved) at.curvatures[k] = lesser * larger;
  }
  if (!parts) return sum_of_log1p(small) + excess.sum();
  return weighted_sum(count, parts, [&](Index k) { return std::log1p(small[k]) + excess[k]; });
}

}  // namespace linea::smooth
