// SPDX-License-Identifier: MIT
#pragma once
/// \file The rule of stochastic gradient descent and of Pegasos, and the weights that suit a penalty.
#include <algorithm>  // max
#include <cmath>      // pow
#include <linea/core/loss.hpp>
#include <linea/core/penalty.hpp>
#include <linea/core/step_size.hpp>
#include <linea/optimizers/loop/proximal_weights.hpp>
#include <linea/optimizers/loop/scaled_weights.hpp>
#include <linea/optimizers/loop/thresholded_weights.hpp>
#include <type_traits>

namespace linea::loop {

/// w ← decay(η)·w − η·s·ℓ′(p, y)·x,   b ← b − η_b·s·ℓ′(p, y). A shrink that would be negative (ηλ > 1)
/// is 0: a step never points w the other way.
template <DifferentiableLoss L, Penalty P, StepSize S>
struct GradientRule {
  /// A weighted sample is one step, as much longer.
  static constexpr bool weight_repeats = false;

  L loss{};
  P penalty{};
  S step_size{};
  bool has_offset{true};
  double average_power{1};  ///< the iterate of step t counts t^average_power times in the average
  double factor{1};         ///< of all steps; smaller after the run has been rolled back

  template <class T>
  Step<T> operator()(T score, T target, T weight, Index t) const {
    const double size = factor * static_cast<double>(step_size(t));
    const auto slope = static_cast<T>(loss.derivative(score, target));
    Step<T> step;
    if constexpr (LazyPenalty<P>)
      step.shrink = std::max(0.0, static_cast<double>(penalty.decay(size)));
    // What does not hang on the score comes first: the processor has it ready when the score arrives.
    step.coefficient = (-static_cast<T>(size) * weight) * slope;
    if (has_offset)
      step.offset =
          (-static_cast<T>(factor * offset_step_of(step_size, t, size / factor)) * weight) * slope;
    step.size = size;
    return step;
  }

  double average_weight(Index t) const {
    const auto steps = static_cast<double>(t);
    if (average_power == 1) return steps;
    return average_power == 0 ? 1 : std::pow(steps, average_power);
  }
};

template <class T, Penalty P>
auto weights_for(const P& penalty, const Vector<T>& w, T offset, double radius = 0) {
  if constexpr (ThresholdPenalty<P>)
    return ThresholdedWeights<T, P>(w, offset, penalty);
  else if constexpr (LazyPenalty<P>)
    return ScaledWeights<T>(w, offset, radius);
  else
    return ProximalWeights<T, P>(w, offset, penalty);
}

}  // namespace linea::loop
