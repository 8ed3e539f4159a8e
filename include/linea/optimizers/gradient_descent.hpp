// SPDX-License-Identifier: MIT
#pragma once
/// \file Batch (sub)gradient descent: one step an epoch, along the gradient of the whole objective.
#include <concepts>
#include <linea/optimizers/sgd.hpp>
#include <linea/orders/cyclic.hpp>
#include <linea/step_sizes/automatic.hpp>
#include <linea/step_sizes/safe.hpp>
#include <type_traits>  // conditional

namespace linea {

/// w ← w − η·∇F(w), on any differentiable loss with any penalty; a penalty that has no gradient gets its
/// proximal step. With the safe step, the default, F falls at every step, and features of very different
/// size make that slow. Where the loss has no curvature bound no step is safe: a first one is then found by
/// trial and falls as 1/√t, F may rise on the way, and the best iterate never does.
///
/// The same as Sgd with batch = all_samples and the order Cyclic. Cauchy, 1847.
template <StepSize S = SafeStep>
struct BasicGradientDescent {
  Index epochs{1000};
  double tolerance{1e-6};      ///< relative fall of the best F over 10 epochs; 0: run all epochs
  double change_tolerance{0};  ///< stop when a step moves (w, b) by less, relatively; 0: never
  double target_objective{no_target};  ///< stop at an F so low
  bool offset{true};                   ///< fit b, or leave it 0
  S step{};                            ///< any callable t ≥ 1 → η > 0
  Iterate iterate{Iterate::best};
  Index retries{10};  ///< how often a diverging run is rolled back; 0: never

  /// Minimises F over w and b for x (n × d), y (n). O(non-zeros) an epoch, three times, and at most
  /// 100 passes before the first for the safe step. Throws std::invalid_argument on input that is not
  /// well-formed.
  template <DifferentiableLoss L, Penalty P, Samples X, VectorLike Y>
  DescentSolution<scalar_t<X>> minimize(const Objective<L, P>& objective, const X& x, const Y& y,
                                        const Extras<scalar_t<X>>& extras = {}) const {
    using T = scalar_t<X>;
    constexpr std::string_view function = "GradientDescent::minimize";
    const auto set = samples::admit(function, objective.loss, x, y, extras.sample_weights);
    require(retries >= 0, function, ": ", retries, " retries");
    const auto options = as_sgd<L>();
    return training::descend<T>(
        function, training::gradient_learner<T>(function, options, objective, x.cols(), extras),
        set, options, retries, objective, extras, extras.start_weights.size() == 0);
  }

  template <DifferentiableLoss L, Penalty P, Samples X, VectorLike Y, Observer F>
  DescentSolution<scalar_t<X>> minimize(const Objective<L, P>& objective, const X& x, const Y& y,
                                        F&& observer) const {
    return minimize(objective, x, y, observed_by<scalar_t<X>>(std::forward<F>(observer)));
  }

  /// The same for y (n × k): weights (d × k), offset (k), and F summed over the columns. What the columns share is the
  /// pass that evaluates F; a step needs one for each.
  template <DifferentiableLoss L, Penalty P, Samples X, TargetMatrix Y>
  auto minimize(const Objective<L, P>& objective, const X& x, const Y& y,
                const Extras<scalar_t<X>>& extras = {}) const {
    using T = scalar_t<X>;
    constexpr std::string_view function = "GradientDescent::minimize";
    require(retries >= 0, function, ": ", retries, " retries");
    const auto options = as_sgd<L>();
    return training::joined(training::descend_each(
        function, options, retries, objective, x, y, extras, extras.start_weights.size() == 0,
        [&](const auto&) {
          return training::gradient_learner<T>(function, options, objective, x.cols(), extras);
        }));
  }

  template <DifferentiableLoss L, Penalty P, Samples X, TargetMatrix Y, Observer F>
  auto minimize(const Objective<L, P>& objective, const X& x, const Y& y, F&& observer) const {
    return minimize(objective, x, y, observed_by<scalar_t<X>>(std::forward<F>(observer)));
  }

 private:
  template <class L>
  auto as_sgd() const {
    constexpr bool by_trial = std::same_as<S, SafeStep> && !SmoothLoss<L>;
    BasicSgd<std::conditional_t<by_trial, AutomaticStep, S>, Cyclic> options{
        .epochs = epochs,
        .tolerance = tolerance,
        .change_tolerance = change_tolerance,
        .target_objective = target_objective,
        .offset = offset,
        .batch = all_samples,
        .iterate = iterate};
    if constexpr (by_trial)
      options.step = AutomaticStep(step.size);
    else
      options.step = step;
    return options;
  }
};

using GradientDescent = BasicGradientDescent<>;

}  // namespace linea
