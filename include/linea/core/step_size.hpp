// SPDX-License-Identifier: MIT
#pragma once
/// \file Step sizes as data: each answers with the step η of the steps t = 1, 2, … Any callable
/// will do, lambdas that capture included.
///
/// | expression                 | meaning                                         | concept    |
/// |----------------------------|-------------------------------------------------|------------|
/// | step(t)                    | η > 0 of step t ≥ 1                             | StepSize   |
/// | step.offset_step(t)        | η of the offset, where it is another            | –          |
/// | step.offset_step(t, size)  | the same, given size = step(t)                  | –          |
/// | step.bound_to(facts)       | a copy that knows the problem, see ProblemFacts | –          |
/// | step.shortened(factor, t)  | a copy for a run that diverged after t steps;   | –          |
/// |                            | without it η is multiplied by the factor        |            |
/// | step.fitted_to(moment)     | a copy for samples whose second moments have    | MomentStep |
/// |                            | that largest eigenvalue, unless is_fitted()     |            |
/// | step.sum_diverges(),       | Ση = ∞: no start is too far away; Ση² < ∞: the  | StepSeries |
/// | sum_of_squares_converges() | noise of the draws dies out                     |            |
///
/// A FittedStep has its first step found by trial on the samples. Whoever has `observe` has all
/// four:
///
/// | expression                    | meaning                                                   |
/// |-------------------------------|-----------------------------------------------------------|
/// | step.is_fitted()              | is its first step known?                                  |
/// | step.observe(square, entries) | takes note of a sample that a learner is fed: its squared |
/// |                               | norm, and how many of its entries are not 0               |
/// | step.scale_to(steps, square)  | an epoch has that many steps, and the entries of the      |
/// |                               | samples that are not 0 have that mean square              |
/// | step.start_at(first)          | from now on the first step is `first` > 0                 |
#include <concepts>
#include <linea/core/types.hpp>

namespace linea {

/// Anything that takes t ≥ 1 to η > 0. It is copied, but never assigned to.
template <class S>
concept CallableStep = std::copy_constructible<S> && requires(const S& step_size, Index t) {
  { step_size(t) } -> std::convertible_to<double>;
};

template <class S>
concept FittedStep = CallableStep<S> && std::copyable<S> && requires(S& step, double number) {
  { step.is_fitted() } -> std::convertible_to<bool>;
  step.observe(number, Index{});
  step.scale_to(number, number);
  step.start_at(number);
};

/// A step size without `observe`, or else a whole FittedStep.
template <class S>
concept WholeStep = !requires(S & step) {
  step.observe(0.0, Index{});
}
|| FittedStep<S>;

template <class S>
concept StepSize = CallableStep<S> && WholeStep<S>;

/// What a step size may want to know of the problem before the first step.
struct ProblemFacts {
  double strong_convexity{0};  ///< λ of the penalty's squared part
  double curvature{1};         ///< sup ℓ″ where the loss has one, else 1
  bool smooth{false};          ///< has the loss a curvature bound?
};

template <class S>
concept MomentStep = CallableStep<S> && std::copyable<S> && requires(const S& step) {
  { step.is_fitted() } -> std::convertible_to<bool>;
  { step.fitted_to(0.0) } -> std::same_as<S>;
};

/// A step size that says whether its series has the two properties. Both together are the condition
/// of Robbins and Monro, Annals of Mathematical Statistics 22 (1951), under which stochastic
/// gradient descent reaches the minimum of a convex risk.
template <class S>
concept StepSeries = StepSize<S> && requires(const S& step_size) {
  { step_size.sum_diverges() } -> std::convertible_to<bool>;
  { step_size.sum_of_squares_converges() } -> std::convertible_to<bool>;
};

/// Ση = ∞ and Ση² < ∞.
template <StepSeries S>
constexpr bool satisfies_robbins_monro(const S& step_size) {
  return step_size.sum_diverges() && step_size.sum_of_squares_converges();
}

/// The step of the offset: the step size's own where it has one, else `size`, that of the weights.
template <StepSize S>
double offset_step_of(const S& step_size, Index t, double size) {
  if constexpr (requires { step_size.offset_step(t, size); })
    return step_size.offset_step(t, size);
  else if constexpr (requires { step_size.offset_step(t); })
    return step_size.offset_step(t);
  else
    return size;
}

template <StepSize S>
S bound_step(const S& step_size, const ProblemFacts& facts) {
  if constexpr (requires { step_size.bound_to(facts); })
    return step_size.bound_to(facts);
  else
    return step_size;
}

}  // namespace linea
