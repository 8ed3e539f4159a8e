// SPDX-License-Identifier: MIT
#pragma once
/// \file The concepts of step sizes. A step size is a callable, such as a lambda, that returns the
/// step size η of step t = 1, 2, …
///
/// | expression                 | meaning                                        | concept    |
/// |----------------------------|------------------------------------------------|------------|
/// | step(t)                    | η > 0 of step t ≥ 1                            | StepSize   |
/// | step.offset_step(t)        | optional: η of the offset                      | –          |
/// | step.offset_step(t, size)  | the same, given size = step(t)                 | –          |
/// | step.bound_to(facts)       | optional: a copy that uses the ProblemFacts    | –          |
/// | step.shortened(factor, t)  | optional: a copy for a run that diverged after | –          |
/// |                            | t steps; the default multiplies η by `factor`  |            |
/// | step.fitted_to(moment)     | a copy for samples whose matrix of second      | MomentStep |
/// |                            | moments has `moment` as largest eigenvalue     |            |
/// | step.is_fitted()           | is η known without fitted_to?                  |            |
/// | step.each_state(visit)     | passes what changes to a file of a learner     | –          |
/// | step.sum_diverges(),       | is Ση = ∞? Then no start is too far away.      | StepSeries |
/// | sum_of_squares_converges() | is Ση² < ∞? Then the noise of draws dies out.  |            |
///
/// The optimizer finds the first step of a FittedStep by trial steps on the samples. A step size
/// that has the member `observe` must have all four members of a FittedStep:
///
/// | expression                    | meaning                                                |
/// |-------------------------------|--------------------------------------------------------|
/// | step.is_fitted()              | is the first step known?                               |
/// | step.observe(square, entries) | records a sample that a learner gets: its squared norm |
/// |                               | and the number of its non-zero entries                 |
/// | step.scale_to(steps, square)  | sets the number of steps of an epoch, and the mean     |
/// |                               | square of the samples' non-zero entries                |
/// | step.start_at(first)          | sets the first step to `first` > 0 from now on         |
#include <concepts>
#include <linea/core/types.hpp>

namespace linea {

/// Any callable that maps t ≥ 1 to η > 0 and has a copy constructor. It must be assignable only if
/// it has `shortened`, `fitted_to` or `observe`.
template <class S>
concept CallableStep = detail::CopyConstructible<S> && requires(const S& step_size, Index t) {
  { step_size(t) } -> std::convertible_to<double>;
};

template <class S>
concept FittedStep = CallableStep<S> && detail::Copyable<S> && requires(S& step, double number) {
  { step.is_fitted() } -> std::convertible_to<bool>;
  step.observe(number, Index{});
  step.scale_to(number, number);
  step.start_at(number);
};

/// A step size without `observe`, or a complete FittedStep.
template <class S>
concept WholeStep = !requires(S & step) {
  step.observe(0.0, Index{});
}
|| FittedStep<S>;

template <class S>
concept StepSize = CallableStep<S> && WholeStep<S>;

/// Facts about the problem that a step size may use before the first step.
struct ProblemFacts {
  double strong_convexity{0};  ///< λ of the penalty's squared part
  double curvature{1};         ///< sup ℓ″ if the loss has one, else 1
  bool smooth{false};          ///< does the loss have a curvature bound?
};

template <class S>
concept MomentStep = CallableStep<S> && detail::Copyable<S> && requires(const S& step) {
  { step.is_fitted() } -> std::convertible_to<bool>;
  { step.fitted_to(0.0) } -> std::same_as<S>;
};

/// A step size that states two properties of its series. Both together are the condition of Robbins
/// and Monro, Annals of Mathematical Statistics 22 (1951), under which stochastic gradient descent
/// reaches the minimum of a convex risk.
template <class S>
concept StepSeries = StepSize<S> && requires(const S& step_size) {
  { step_size.sum_diverges() } -> std::convertible_to<bool>;
  { step_size.sum_of_squares_converges() } -> std::convertible_to<bool>;
};

/// Returns whether Ση = ∞ and Ση² < ∞.
template <StepSeries S>
constexpr bool satisfies_robbins_monro(const S& step_size) {
  return step_size.sum_diverges() && step_size.sum_of_squares_converges();
}

/// Returns the step of the offset: `size`, the step of the weights, unless the step size has
/// `offset_step`.
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
