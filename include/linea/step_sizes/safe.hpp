// SPDX-License-Identifier: MIT
#pragma once
/// \file A step of gradient descent that needs no tuning: 1/(largest curvature of F).
#include <linea/core/require.hpp>
#include <linea/core/step_size.hpp>

namespace linea {

/// The step η = 1/L with L = sup ℓ″ · (the largest eigenvalue of the second-moment matrix of (x,
/// 1), or of x without offset) + λ. The loss must have a curvature bound. Every step along the full
/// gradient lowers F, as with any η < 2/L (Nesterov, Lectures on Convex Optimization, 2018,
/// theorem 2.1.14). Before `fitted_to`, the step assumes an eigenvalue of 1.
struct SafeStep {
  double size{0};  ///< 0: chosen from the samples
  ProblemFacts facts{};

  double operator()(Index) const {
    return size > 0 ? size : 1 / (facts.curvature + facts.strong_convexity);
  }
  constexpr bool sum_diverges() const { return true; }
  constexpr bool sum_of_squares_converges() const { return false; }

  /// Returns the step for these facts. Throws std::invalid_argument if the loss has no curvature
  /// bound or `size` is negative.
  SafeStep bound_to(const ProblemFacts& problem) const {
    require(size >= 0, "SafeStep: size = ", size, " is not >= 0");
    require(problem.smooth,
            "SafeStep: the loss has no curvature bound, so no step is safe; AutomaticStep "
            "finds one by trial");
    return {size, problem};
  }
  SafeStep shortened(double factor, Index) const { return {factor * (*this)(1), facts}; }
  bool is_fitted() const { return size > 0; }
  /// Returns the step for samples whose second-moment matrix has this largest eigenvalue. Adds 5 %
  /// to the eigenvalue because power iteration approaches it from below.
  SafeStep fitted_to(double largest_second_moment) const {
    const double curvature =
        1.05 * facts.curvature * largest_second_moment + facts.strong_convexity;
    return {curvature > 0 ? 1 / curvature : 1, facts};
  }
  template <class Visit>
  void each_state(const Visit& visit) {
    visit("size", size);
  }
};

}  // namespace linea
