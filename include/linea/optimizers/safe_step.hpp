// SPDX-License-Identifier: MIT
#pragma once
/// \file The step of gradient descent that needs no tuning: the inverse of the largest curvature of F.
#include <algorithm>  // max, min
#include <cmath>
#include <linea/core/random.hpp>
#include <linea/optimizers/step_size.hpp>
#include <linea/optimizers/training_set.hpp>

namespace linea {

/// The largest eigenvalue of the mean of (x, 1)(x, 1)ᵀ, or of xxᵀ without offset, over the weighted rows,
/// from below: power iteration from a random vector until a round adds less than a thousandth, O(non-zeros)
/// a round. Where the next eigenvalues are close to it, it may end at one of theirs.
template <class Rows>
double largest_second_moment(const TrainingSet<Rows>& set, bool has_offset) {
  using T = typename Rows::Scalar;
  const Index n = set.rows.rows();
  Random random(0);
  Vector<T> direction(set.rows.cols());
  for (T& value : direction) value = static_cast<T>(2 * random.uniform() - 1);
  double constant = has_offset ? 1 : 0;
  // The share of the direction sought starts at about 1/d. Against directions with at most 1/√2 of its
  // eigenvalue it doubles in a round: no stop before it has had the time to show.
  const int least = static_cast<int>(std::log2(static_cast<double>(direction.size()) + 1)) + 1;
  double value = 0;
  for (int round = 0; round < 100; ++round) {
    const double norm = std::hypot(static_cast<double>(direction.stableNorm()), constant);
    if (!(norm > 0)) break;
    direction /= static_cast<T>(norm);
    constant /= norm;
    Vector<T> image = Vector<T>::Zero(direction.size());
    double constant_image = 0;
    double quotient = 0;
    for (Index i = 0; i < n; ++i) {
      const double share =
          (set.weights.size() ? static_cast<double>(set.weights[i]) : 1.0) / static_cast<double>(n);
      const double product = static_cast<double>(set.rows.dot(i, direction)) + constant;
      quotient += share * product * product;
      set.rows.add(i, static_cast<T>(share * product), image);
      if (has_offset) constant_image += share * product;
    }
    const bool settled = round >= least && quotient <= value * 1.001;
    value = std::max(value, quotient);
    if (settled) break;
    direction = image;
    constant = constant_image;
  }
  return value;
}

/// η = 1/L, L = sup ℓ″ · (largest eigenvalue of the second moments of (x, 1)) + λ: on the full gradient F
/// then falls at every step (Nesterov, Lectures on Convex Optimization, 2018, theorem 2.1.14), as it does up to
/// 2/L. For losses with a curvature bound. Before it has seen samples it takes their norm for 1.
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
  /// 5 % short of what the power iteration says, which is from below.
  template <class Rows>
  SafeStep fitted_to(const TrainingSet<Rows>& set, bool has_offset) const {
    if (size > 0) return *this;
    const double curvature =
        1.05 * facts.curvature * largest_second_moment(set, has_offset) + facts.strong_convexity;
    return {curvature > 0 ? 1 / curvature : 1, facts};
  }
};
static_assert(StepSeries<SafeStep>);

}  // namespace linea
