// SPDX-License-Identifier: MIT
#pragma once
/// \file Step sizes 1/(λt), for strongly convex objectives.
#include <algorithm>  // min
#include <cmath>      // isfinite, sqrt
#include <linea/core/require.hpp>
#include <linea/core/step_size.hpp>

namespace linea {

/// The step η = 1/(λ(t + shift)). With shift 0 this is the step of Pegasos, with a larger shift it
/// is Bottou's schedule. λ = 0 stands for the λ of the penalty. The step of the offset is the
/// smaller of η and 1/√t: F is not strongly convex in the offset, for which a first step of 1/λ
/// would be far too long.
struct InverseLambda {
  double lambda{0};
  double shift{0};

  constexpr double operator()(Index t) const {
    return 1 / (lambda * (static_cast<double>(t) + shift));
  }
  double offset_step(Index t) const { return offset_step(t, (*this)(t)); }
  double offset_step(Index t, double size) const {
    return std::min(size, 1 / std::sqrt(static_cast<double>(t)));
  }
  constexpr bool sum_diverges() const { return true; }
  constexpr bool sum_of_squares_converges() const { return true; }
  /// Returns the schedule with another shift, such that the step at t is `factor` times as long.
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
            "InverseLambda: the step 1/(lambda t) needs lambda > 0, here or in the penalty");
    return bound;
  }
};

}  // namespace linea
