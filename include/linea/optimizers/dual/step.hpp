// SPDX-License-Identifier: MIT
#pragma once
/// \file The exact maximum of the dual over one multiplier.
#include <cmath>  // abs, isfinite
#include <limits>
#include <linea/core/loss.hpp>

namespace linea::dual {

/// A multiplier that rounding may have left just out of the domain of ℓ*(−α, y), drawn back towards 0, which is in
/// it.
template <ConjugateLoss L>
double within_domain(const L& loss, double multiplier, double target) {
  for (double less = 2 * std::numeric_limits<double>::epsilon(); less < 1; less *= 2) {
    if (std::isfinite(loss.conjugate(-multiplier, target))) return multiplier;
    multiplier -= less * multiplier;
  }
  return 0;
}

/// The α that maximises −ℓ*(−α, y) − α·p − q/2·(α − α₀)², for the score p at multiplier α₀ and curvature
/// q ≥ 0: with v = p − α₀·q it is (proximal(v, y, q) − v)/q, brought into the domain of ℓ* where rounding has left
/// it; for a curved loss an α that is no worse than α₀ and as a rule the same to a tenth of the step. At q = 0 the
/// score does not hang on α, and −ℓ′(p, y) is a maximum. Shalev-Shwartz and Zhang, Journal of Machine Learning
/// Research 14 (2013).
template <class L>
  requires ProximalLoss<L> && ConjugateLoss<L> && DifferentiableLoss<L>
double dual_step(const L& loss, double score, double target, double multiplier, double curvature) {
  if (!(curvature > 0)) return -loss.derivative(score, target);
  if constexpr (SmoothLoss<L> && CurvedLoss<L>) {
    // z − p + q·(α₀ + ℓ′(z)) = 0: from z = p one step of Newton's method is all it takes as a rule. What is left is
    // the slope of the dual at −ℓ′(z).
    const double before = curvature * (multiplier + loss.derivative(score, target));
    const double way = -before / (1 + curvature * loss.second_derivative(score, target));
    const double slope = loss.derivative(score + way, target);
    if (std::abs(way + curvature * (multiplier + slope)) <= 0.1 * std::abs(way)) return -slope;
  }
  const double v = score - multiplier * curvature;
  const double z = loss.proximal(v, target, curvature);
  const double slope = -loss.derivative(z, target);
  // Off the kinks the quotient is the slope, and for small q the less exact of the two.
  const double step = (z - v) / curvature;
  const double rounding = 16 * std::numeric_limits<double>::epsilon() *
                          ((std::abs(z) + std::abs(v)) / curvature + std::abs(slope));
  return std::abs(step - slope) <= rounding ? slope : within_domain(loss, step, target);
}

}  // namespace linea::dual
