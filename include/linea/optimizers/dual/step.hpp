// SPDX-License-Identifier: MIT
#pragma once
/// \file The exact maximum of the dual over one dual variable.
#include <cmath>  // abs
#include <limits>
#include <linea/core/loss.hpp>
#include <linea/samples/loss_blocks.hpp>

namespace linea::detail::dual {

/// Returns the α that maximises −ℓ*(−α, y) − α·p − q/2·(α − α₀)². Here p is the score at the
/// current dual variable α₀, and q ≥ 0 the curvature (Shalev-Shwartz and Zhang, Journal of Machine
/// Learning Research 14, 2013).
///
/// With v = p − α₀·q the result is (proximal(v, y, q) − v)/q, or −ℓ′(p, y) at q = 0. For losses
/// with a second derivative, one step of Newton's method may replace the proximal step: its α is
/// never worse than α₀, and its distance from the maximum is at most about a tenth of the step.
template <class L>
  requires ProximalLoss<L> && ConjugateLoss<L> && DifferentiableLoss<L>
double dual_step(const L& loss, double score, double target, double multiplier, double curvature) {
  if (!(curvature > 0)) return -loss.derivative(score, target);
  if constexpr (SmoothLoss<L> && CurvedLoss<L>) {
    // α = −ℓ′(z) is the maximum where residual(z) = z − p + q·(α₀ + ℓ′(z)) is 0. The residual is
    // the slope of the dual at −ℓ′(z). One step of Newton's method from z = p is accepted if it
    // makes the residual small enough.
    const double residual = curvature * (multiplier + loss.derivative(score, target));
    const double move = -residual / (1 + curvature * loss.second_derivative(score, target));
    const double slope = loss.derivative(score + move, target);
    if (std::abs(move + curvature * (multiplier + slope)) <= 0.1 * std::abs(move)) return -slope;
  }
  const double v = score - multiplier * curvature;
  const double z = loss.proximal(v, target, curvature);
  const double slope = -loss.derivative(z, target);
  // Where ℓ has no kink, the quotient (z − v)/q equals −ℓ′(z). For small q the derivative is more
  // accurate.
  const double step = (z - v) / curvature;
  const double rounding = 16 * std::numeric_limits<double>::epsilon() *
                          ((std::abs(z) + std::abs(v)) / curvature + std::abs(slope));
  return std::abs(step - slope) <= rounding ? slope : samples::within_domain(loss, step, target);
}

}  // namespace linea::detail::dual
