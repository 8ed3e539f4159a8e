// SPDX-License-Identifier: MIT
#pragma once
/// \file The step of gradient descent that needs no tuning: the inverse of the largest curvature of
/// F.
#include <linea/core/require.hpp>
#include <linea/core/step_size.hpp>

namespace linea {

/// η = 1/L with L = sup ℓ″ · (the largest eigenvalue of the second moments of (x, 1)) + λ. Then F
/// falls at every step on the full gradient, as it does for any η < 2/L (Nesterov, Lectures on
/// Convex Optimization, 2018, theorem 2.1.14). For losses with a curvature bound. As long as it has
/// not been fitted to samples, the eigenvalue is taken to be 1.
struct SafeStep {
  double size{0};  ///< found from the samples when it is 0
  ProblemFacts facts{};

  double operator()(Index) const {
    return size > 0 ? size : 1 / (facts.curvature + facts.strong_convexity);
  }
  constexpr bool sum_diverges() const { return true; }
  constexpr bool sum_of_squares_converges() const { return false; }

  /// Throws std::invalid_argument where the loss has no curvature bound.
  SafeStep bound_to(const ProblemFacts& problem) const {
    require(size >= 0, "SafeStep: size = ", size, " is not >= 0");
    require(problem.smooth,
            "SafeStep: the loss has no curvature bound, so no step is safe; AutomaticStep "
            "finds one by trial");
    return {size, problem};
  }
  SafeStep shortened(double factor, Index) const { return {factor * (*this)(1), facts}; }
  bool is_fitted() const { return size > 0; }
  /// The step for samples whose second moments have this largest eigenvalue. 5 % are added to it,
  /// since power iteration finds it from below.
  SafeStep fitted_to(double largest_second_moment) const {
    const double curvature =
        1.05 * facts.curvature * largest_second_moment + facts.strong_convexity;
    return {curvature > 0 ? 1 / curvature : 1, facts};
  }
};

}  // namespace linea
