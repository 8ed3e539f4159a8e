// SPDX-License-Identifier: MIT
#pragma once
/// \file Step sizes as data: each is a pure function of the step number t ≥ 1. Any callable will do.
///
/// A step size may offer more. `offset_step(t)` is the step of the offset, where it is not that of the
/// weights. `bound_to(facts)` answers with a copy that knows the problem at hand, `fitted_to(moment)` with one
/// for samples with that largest second moment; `shortened(factor, t)` with one for a run that
/// diverged, where it can do better than multiply η. And it may state two facts of its series:
/// `sum_diverges()`, Ση = ∞: no start is too far away; `sum_of_squares_converges()`, Ση² < ∞: the noise of
/// the draws dies out. Both together are the condition of Robbins and Monro, Annals of Mathematical
/// Statistics 22 (1951), under which stochastic gradient descent reaches the minimum of a convex risk.
#include <concepts>
#include <linea/core/types.hpp>

namespace linea {

/// A step size: any callable that takes t ≥ 1 to η > 0.
template <class S>
concept StepSize = std::copyable<S> && requires(const S& step_size, Index t) {
  { step_size(t) } -> std::convertible_to<double>;
};

/// What a step size may want to know of the problem before the first step.
struct ProblemFacts {
  double strong_convexity{0};  ///< λ of the penalty's squared part
  double curvature{1};         ///< sup ℓ″ where the loss has one, else 1
  bool smooth{false};          ///< has the loss a curvature bound?
};

/// A step size that says whether its series has the two properties.
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
  if constexpr (requires { step_size.offset_step(t); })
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
