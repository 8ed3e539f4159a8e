// SPDX-License-Identifier: MIT
#pragma once
/// \file Step sizes as data: each is a pure function of the step number t ≥ 1. Any callable will do.
///
/// A step size may offer more. `offset_step(t)` is the step of the offset, where it is not that of the
/// weights. `bound_to(facts)` answers with a copy that knows the problem at hand, `fitted_to(set,
/// has_offset)` with one that has seen the samples; `shortened(factor, t)` with one for a run that
/// diverged, where it can do better than multiply η. And it may state two facts of its series:
/// `sum_diverges()`, Ση = ∞: no start is too far away; `sum_of_squares_converges()`, Ση² < ∞: the noise of
/// the draws dies out. Both together are the condition of Robbins and Monro, Annals of Mathematical
/// Statistics 22 (1951), under which stochastic gradient descent reaches the minimum of a convex risk.
#include <algorithm>  // max, min
#include <cmath>
#include <linea/core/require.hpp>
#include <linea/core/step.hpp>

namespace linea {

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

/// η = size.
struct ConstantStep {
  double size{0.01};
  constexpr double operator()(Index) const { return size; }
  constexpr bool sum_diverges() const { return true; }
  constexpr bool sum_of_squares_converges() const { return false; }
};

/// η = size/(t + shift): 1/t as it stands, the step of the lectures' Pegasos; their 1/(k + 1) is {1, 1}.
/// On an objective that is λ-strongly convex it is slow when size < 1/(2λ) (Nemirovski et al., 2009).
struct InverseTime {
  double size{1};
  double shift{0};
  constexpr double operator()(Index t) const { return size / (static_cast<double>(t) + shift); }
  constexpr bool sum_diverges() const { return true; }
  constexpr bool sum_of_squares_converges() const { return true; }
};

/// η = size/t^power.
struct InverseScaling {
  double size{0.01};
  double power{0.5};
  double operator()(Index t) const { return size / std::pow(static_cast<double>(t), power); }
  constexpr bool sum_diverges() const { return power <= 1; }
  constexpr bool sum_of_squares_converges() const { return power > 0.5; }
};

/// η = 1/(λ(t + shift)): Pegasos with shift 0, Bottou's schedule with a larger one. λ = 0 means the
/// penalty's own. The offset, in which the objective is not strongly convex, takes the smaller of η
/// and 1/√t: its first steps would else be 1/λ.
struct InverseLambda {
  double lambda{0};
  double shift{0};

  constexpr double operator()(Index t) const {
    return 1 / (lambda * (static_cast<double>(t) + shift));
  }
  double offset_step(Index t) const {
    return std::min((*this)(t), 1 / std::sqrt(static_cast<double>(t)));
  }
  constexpr bool sum_diverges() const { return true; }
  constexpr bool sum_of_squares_converges() const { return true; }
  /// The same schedule from a step that is `factor` times as long, t steps in.
  InverseLambda shortened(double factor, Index t) const {
    InverseLambda later = *this;
    const auto steps = static_cast<double>(t);
    later.shift = (steps + shift) / factor - steps;
    return later;
  }
  InverseLambda bound_to(const ProblemFacts& facts) const {
    InverseLambda bound = *this;
    if (!(bound.lambda > 0)) bound.lambda = facts.strong_convexity;
    require(std::isfinite(bound.lambda) && bound.lambda > 0,
            "InverseLambda: the step 1/(lambda t) needs lambda > 0, of its own or of the penalty");
    return bound;
  }
};

/// η = first/(√(1 + t/horizon) + first·λ·t): falling as 1/√t at first, as 1/(λt) in the end. `first`
/// is found by the optimizer from the data when it is 0, and the horizon is then one epoch.
///
/// The offset's steps are `offset_scale` times as long, as if it were the weight of a constant feature
/// as large as features are (their mean square where they are not 0). Fed samples one by one, before
/// any could be looked at as a whole, it starts from 1/(curvature · the largest squared norm so far).
struct AutomaticStep {
  AutomaticStep() = default;
  /// Explicit, so that a bare number is not taken for a constant step: that is ConstantStep{0.1}.
  explicit AutomaticStep(double first_step) : first(first_step) {}

  /// What is known of the samples that came so far.
  struct Seen {
    double largest_norm{0};  // squared, the offset's share included
    double squares{0};
    double entries{0};
  };

  double first{0};
  double offset_scale{1};
  double horizon{1000};
  ProblemFacts facts{};
  Seen seen{};

  double operator()(Index t) const {
    const double size =
        first > 0 ? first : 1 / (facts.curvature * std::max(seen.largest_norm, 1e-300));
    const auto steps = static_cast<double>(t);
    return size / (std::sqrt(1 + steps / horizon) + size * facts.strong_convexity * steps);
  }
  double offset_step(Index t) const { return (*this)(t)*offset_scale; }
  constexpr bool sum_diverges() const { return true; }
  constexpr bool sum_of_squares_converges() const { return facts.strong_convexity > 0; }

  AutomaticStep shortened(double factor, Index) const {
    AutomaticStep shorter = *this;
    shorter.first *= factor;
    return shorter;
  }
  AutomaticStep bound_to(const ProblemFacts& problem) const {
    AutomaticStep bound = *this;
    bound.facts = problem;
    return bound;
  }

  /// Takes note of a sample that comes online: its squared norm and number of entries.
  void observe(double squared_norm, Index entries) {
    if (first > 0) return;
    seen.squares += squared_norm;
    seen.entries += static_cast<double>(entries);
    offset_scale = seen.squares > 0 ? seen.squares / seen.entries : 1;
    seen.largest_norm = std::max(seen.largest_norm, squared_norm + offset_scale);
  }
};

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

static_assert(StepSeries<ConstantStep> && StepSeries<InverseTime> && StepSeries<InverseScaling> &&
              StepSeries<InverseLambda> && StepSeries<AutomaticStep>);

}  // namespace linea
