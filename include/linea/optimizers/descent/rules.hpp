// SPDX-License-Identifier: MIT
#pragma once
/// \file The rule of gradient descent, and the representation of the weights for a penalty.
#include <algorithm>  // max
#include <cmath>      // pow
#include <linea/core/loss.hpp>
#include <linea/core/penalty.hpp>
#include <linea/core/rule.hpp>
#include <linea/core/step_size.hpp>
#include <linea/optimizers/descent/proximal_weights.hpp>
#include <linea/optimizers/descent/scaled_weights.hpp>
#include <linea/optimizers/descent/thresholded_weights.hpp>

namespace linea::detail::descent {

/// w ← decay(η)·w − η·s·ℓ′(p, y)·x,   b ← b − η_b·s·ℓ′(p, y). Here η and η_b are the step sizes for
/// w and b, and s is the sample weight. A negative decay(η), for ηλ > 1, is replaced by 0, so that
/// no step reverses w.
template <DifferentiableLoss L, Penalty P, StepSize S>
struct GradientRule {
  /// A sample of weight s is one step that is s times as long.
  static constexpr bool weight_repeats = false;

  L loss{};
  P penalty{};
  S step_size{};
  bool has_offset{true};
  double average_power{1};  ///< the average weights the iterate of step t by t^average_power
  double factor{1};         ///< multiplies all steps; falls when the run is rolled back

  Pace pace(Index t) const {
    const double size = static_cast<double>(step_size(t));
    Pace pace;
    if constexpr (LazyPenalty<P>)
      pace.shrink = std::max(0.0, static_cast<double>(penalty.decay(factor * size)));
    pace.size = factor * size;
    if (has_offset) pace.offset_size = factor * offset_step_of(step_size, t, size);
    return pace;
  }

  template <class T>
  Step<T> operator()(T score, T target, T weight, const Pace& pace) const {
    // A sample of weight 0 is ignored, even if its slope is not finite.
    const T slope = weight == T(0) ? T(0) : static_cast<T>(loss.derivative(score, target));
    // First multiply the factors that do not depend on the score: the score has a long latency.
    const T coefficient = (-static_cast<T>(pace.size) * weight) * slope;
    const T offset = has_offset ? (-static_cast<T>(pace.offset_size) * weight) * slope : T(0);
    return {pace.shrink, coefficient, offset, pace.size};
  }

  template <class T>
  Step<T> operator()(T score, T target, T weight, Index t) const {
    return (*this)(score, target, weight, pace(t));
  }

  /// Returns the weight of the iterate of step t in the average.
  double average_weight(Index t) const {
    const auto steps = static_cast<double>(t);
    if (average_power == 1) return steps;
    return average_power == 0 ? 1 : std::pow(steps, average_power);
  }
};

/// Returns the cheapest representation of w that the penalty allows, at the start (w, offset). A
/// positive `radius` bounds ‖w‖; only penalties that do no more than shrink w support a radius.
template <class T, Penalty P>
auto weights_for(const P& penalty, const Vector<T>& w, T offset, double radius = 0) {
  if constexpr (ThresholdPenalty<P>)
    return ThresholdedWeights<T, P>(w, offset, penalty);
  else if constexpr (LazyPenalty<P>)
    return ScaledWeights<T>(w, offset, radius);
  else
    return ProximalWeights<T, P>(w, offset, penalty);
}

}  // namespace linea::detail::descent
