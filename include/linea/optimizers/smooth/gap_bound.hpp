// SPDX-License-Identifier: MIT
#pragma once
/// \file How near a run on a smooth objective is to the minimum, as far as that can be known.
#include <algorithm>  // max
#include <cmath>      // abs, isfinite, sqrt
#include <limits>
#include <linea/core/types.hpp>

namespace linea::smooth {

/// The best lower bound on F so far, and the criterion of convergence.
///
/// A run has converged when the excess of F over its minimum is at most tolerance·|F|, or no more
/// than the rounding of F at the best constant (at w = 0, b = 0 without offset). How the excess is
/// known, for λ > 0:
///
/// - Without offset, ‖∇F‖²/(2λ) is a bound on it if the loss is convex: the duality gap at the
///   multipliers of the slopes.
/// - With offset it is estimated as ‖∇F_w‖²/(2λ) + g²/(2c), where g is the entry of ∇F for b and c
///   the mean curvature of the loss. Where c is not known, half of what the next step promises,
///   −⟨∇F, direction⟩/2, stands for the second term.
/// - Once such an estimate is small enough, and the loss has a conjugate, the gap itself decides,
///   at the price of a pass.
///
/// For λ = 0 it is estimated: by what a step of Newton's method promises that was found to the last
/// digits and, where the loss has a conjugate, by the multipliers after that step. A run towards an
/// infimum that no point attains does not converge.
template <class Problem>
class GapBound {
 public:
  GapBound(Problem& problem, bool has_offset, double tolerance)
      : problem_(problem), has_offset_(has_offset), tolerance_(tolerance) {}

  /// Takes note of F at the best constant, and of D at zero multipliers.
  void start(double value_of_constant) {
    if constexpr (Problem::has_dual)
      if (problem_.lambda() > 0) dual_ = problem_.dual_at_zero();
    rounding_ = std::numeric_limits<double>::epsilon() * std::abs(value_of_constant);
  }
  /// Takes note that θ has moved.
  void move() { asked_ = false; }

  /// ‖∇F_w‖²/(2λ), for λ > 0. Without offset and for a convex loss a bound on the excess.
  double excess_of_weights(const Vector<double>& gradient) const {
    return problem_.product(gradient, gradient) / (2 * problem_.lambda());
  }
  /// Answers that, and takes note of it where it is a bound, less what rounding may have added:
  /// `value` and `gradient` were made from about these scores and from the slopes in `at`. One pass
  /// the first time.
  double bound(double value, const Vector<double>& gradient, const Vector<double>& scores,
               const typename Problem::Samplewise& at) {
    const double excess = excess_of_weights(gradient);
    if (is_bounded_by_gradient())
      dual_ = std::max(dual_, value - excess - rounding_of(gradient, scores, at));
    return excess;
  }
  /// Is excess_of_weights a bound?
  bool is_bounded_by_gradient() const {
    return !has_offset_ && Problem::is_convex && problem_.lambda() > 0;
  }

  /// Is there a dual that has to be asked, at the price of a pass?
  bool can_prove() const { return has_offset_ && Problem::has_dual && problem_.lambda() > 0; }
  /// Finds D at the slopes of θ, unless that is done. Asks for can_prove(), and for `at` to be that
  /// of θ.
  void prove(const typename Problem::Samplewise& at) {
    if constexpr (Problem::has_dual)
      if (!asked_) dual_ = std::max(dual_, problem_.dual(at));
    asked_ = true;
  }
  bool is_asked() const { return asked_; }
  /// Takes note of whichever bound θ has.
  void raise(double value, const Vector<double>& gradient, const Vector<double>& scores,
             const typename Problem::Samplewise& at) {
    if (can_prove())
      prove(at);
    else if (problem_.lambda() > 0)
      bound(value, gradient, scores, at);
  }

  /// Is an excess small enough?
  bool is_near(double value, double excess) const { return excess <= tolerance_ * std::abs(value); }
  /// The same, or not above the rounding of F at the best constant.
  bool is_near_or_rounding(double value, double excess) const {
    return is_near(value, excess) || excess <= rounding_;
  }
  /// The largest excess that is.
  double allowed(double value) const { return std::max(tolerance_ * std::abs(value), rounding_); }
  /// Is F no more than that rounding?
  bool is_zero(double value) const { return std::abs(value) <= rounding_; }
  /// Is F as near its minimum as estimated? Yes where no gap can tell.
  bool is_proven(double value, const typename Problem::Samplewise& at) {
    if (!can_prove()) return true;
    prove(at);
    return is_near_or_rounding(value, value - dual_);
  }

  bool is_known() const { return std::isfinite(dual_); }
  /// F − bound, where a bound is known.
  double gap(double value) const { return std::max(value - dual_, 0.0); }

 private:
  /// The bound is off by the product of the slopes and what the scores are off by, and by what ∇F
  /// is off by, times ∇F/λ.
  double rounding_of(const Vector<double>& gradient, const Vector<double>& scores,
                     const typename Problem::Samplewise& at) {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    double sizes = 0;
    for (Index i = 0; i < scores.size(); ++i) sizes += std::abs(at.slopes[i] * scores[i]);
    sizes = problem_.sum(sizes);
    const double slopes =
        static_cast<double>(problem_.all_samples()) * problem_.sum(at.slopes.squaredNorm());
    const double off = epsilon * std::sqrt(slopes * problem_.mean_squares().sum());
    return epsilon * sizes + off * (off + 2 * gradient.norm()) / (2 * problem_.lambda());
  }

  Problem& problem_;
  bool has_offset_;
  double tolerance_;
  double rounding_{0};  // of F at the best constant
  double dual_{-std::numeric_limits<double>::infinity()};
  bool asked_{false};  // is D at the slopes of θ found?
};

}  // namespace linea::smooth
