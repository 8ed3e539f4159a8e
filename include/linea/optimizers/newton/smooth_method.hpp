// SPDX-License-Identifier: MIT
#pragma once
/// \file The iterate of a method on a smooth objective, shared by Newton's method, L-BFGS and
/// softmax regression.
#include <algorithm>  // clamp, max
#include <cmath>      // abs, sqrt
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/linear_algebra/line_search.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/optimizers/solver/solve.hpp>
#include <type_traits>  // remove_cvref_t
#include <utility>      // declval, forward

namespace linea::detail::newton {

/// Returns ⟨a, b⟩ of vectors or tables.
template <class V>
double dot(const V& a, const V& b) {
  return linear_algebra::dot(a.data(), b.data(), a.size());
}

/// The iterate θ = (w, b) with its scores, F and ∇F. `Problem` is F as a function of θ: a
/// SmoothObjective, or a SoftmaxObjective for several classes.
///
/// A derived class writes `bool iterate(double allowed)`: see solver/solve.hpp. It returns false if
/// is_stuck() or if F does not fall. When it returns, θ, scores, F, ∇F and the slopes in `at` must
/// belong to the same point, because the bound on F* depends on them all. `advance` ensures this
/// for a search along a direction. After a trial point that `iterate` evaluates itself, it calls
/// take_step, or evaluates θ again if it rejects the point. For runs without a bound, `iterate`
/// also calls `promise`.
template <class Problem>
class SmoothMethod : public solver::MethodBase {
 public:
  using Theta = typename Problem::Theta;
  using Scores = typename Problem::Scores;
  using State = typename Problem::State;
  using Place = std::remove_cvref_t<decltype(std::declval<Problem&>().constant())>;

  /// Constructs the problem from `arguments`. Starts at `start`, given for x as it is stored, or at
  /// the best constant if `start` is empty.
  template <class... A>
  explicit SmoothMethod(const Place& start, A&&... arguments)
      : problem_(std::forward<A>(arguments)...), constant_(problem_.constant()) {
    theta =
        start.weights.size() > 0 ? problem_.theta_of_stored(start) : problem_.theta_of(constant_);
    refresh();
    start_value_ = value_;
  }

  Theta theta, gradient{};
  Scores scores{};
  State at{};  ///< slopes at the scores, and curvatures

  double value() const { return value_; }
  Place point() const { return problem_.point(theta, value_); }
  const Place& constant() const { return constant_; }
  double unit() { return problem_.unit(constant_.objective); }
  const samples::Frame<>& frame() const { return problem_.frame(); }
  Index passes() const { return problem_.passes(); }
  double value_at(const Place& place) {
    const Theta other = problem_.theta_of(place);
    if (other == theta) {
      refresh(false);  // θ stays
      return value_;
    }
    return problem_.value_of(other);
  }

  double estimate() const {
    return problem_.has_bound() ? problem_.estimate(gradient, at)
                                : std::numeric_limits<double>::infinity();
  }
  double bound_here() {
    return problem_.has_bound() ? problem_.bound(value_, theta, gradient, scores, at)
                                : -std::numeric_limits<double>::infinity();
  }
  double decrement() const {
    if (problem_.has_bound()) return std::numeric_limits<double>::infinity();
    return dot(gradient, gradient) == 0 ? 0 : decrement_;
  }
  void describe(Progress& progress) const {
    progress.change = change_;
    progress.step_size = step_;
  }

 protected:
  /// Recomputes the scores, F and ∇F from θ, which removes accumulated rounding errors, and
  /// polishes θ (see SoftmaxObjective::polish) unless told not to. Returns false, and does nothing,
  /// if the scores have no such errors (see is_fresh_).
  bool refresh(bool polishes = true) {
    if (is_fresh_) return false;
    problem_.score(theta, scores);
    value_ = problem_.evaluate(theta, scores, at, problem_.is_curved());
    if (polishes) problem_.polish(theta, scores, at, value_, allowed_);
    problem_.find_gradient(theta, at, gradient);
    return is_fresh_ = true;
  }

  /// Searches the line along the direction, which changes the scores by `moves`. `slope` is
  /// ⟨∇F, direction⟩, and `first` is the first trial step. Sets `step_`. If the search finds no
  /// lower point, returns false and changes nothing else.
  bool advance(const Theta& direction, const Scores& moves, double slope, double first,
               const linear_algebra::WolfeConditions& conditions = {}) {
    step_ = 0;
    if (!(slope < 0)) return false;
    const auto line = problem_.line(theta, direction, scores, moves);
    const auto at_step = [&](double t) {
      return problem_.evaluate(line, t, at, problem_.is_curved());
    };
    const auto found = linear_algebra::search_line({0, value_, slope}, first, conditions, at_step);
    if (found.step == 0) {
      at_step(0);
      return false;
    }
    linear_algebra::add(found.step, moves, scores);
    take_step(direction, found);
    const double square = problem_.product(theta, theta);
    if (!(line.square <= 10 * square))  // the line has lost digits of ‖w‖², and F with them
      value_ = problem_.evaluate(theta, scores, at, problem_.is_curved());
    is_fresh_ = false;
    problem_.polish(theta, scores, at, value_, std::max(allowed_, -0.01 * slope));
    problem_.find_gradient(theta, at, gradient);
    return true;
  }

  /// Sets θ, F, step_ and change_ after a step along the direction.
  void take_step(const Theta& direction, const linear_algebra::LinePoint& found) {
    linear_algebra::add(found.step, direction, theta);
    step_ = found.step;
    const double moved = found.step * std::sqrt(dot(direction, direction));
    change_ = moved > 0 ? moved / std::sqrt(dot(theta, theta)) : 0;
    value_ = found.value;
  }

  /// Finds Newton's direction `next`, by conjugate gradients with a residual of at most `enough`
  /// times ∇F. Without a bound on F*, this fraction decreases towards the minimum. Returns ⟨∇F,
  /// next⟩.
  template <class Direction>
  double find_direction(Direction& next, double enough = 0.1) {
    if (!problem_.has_bound())
      enough = std::clamp(std::sqrt(decrement_ / std::abs(value_)), 1e-6, 0.1);
    const double slope = next.find(*this, enough);
    promise(next.is_whole() ? slope : -std::numeric_limits<double>::infinity());
    return slope;
  }

  /// Stores −slope/2 as the estimate of F − F* for runs without a bound, where `slope` is that
  /// along the last direction. The estimate is good for a Newton direction.
  void promise(double slope) { decrement_ = std::max(-slope / 2, 0.0); }

  /// Have 30 iterations in a row neither lowered F by more than rounding nor halved ‖∇F‖²? Or is F
  /// negligible compared with F at the start, as on the way to an infimum that F does not attain?
  bool is_stuck() {
    const double square = dot(gradient, gradient);
    const double rounding = std::numeric_limits<double>::epsilon() * std::abs(value_);
    if (value_ < least_value_ - rounding || square < 0.5 * least_square_) {
      least_value_ = value_;
      least_square_ = square;
      idle_ = 0;
    }
    return ++idle_ > 30 || (value_ > 0 && value_ < 1e-40 * start_value_);
  }

  Problem problem_;
  double value_{0}, step_{0};
  double allowed_{0};     // gap with which the run ends; a derived class may set it
  bool is_fresh_{false};  // are the scores computed from θ, not by adding steps?

 private:
  Place constant_;
  double start_value_{0}, change_{0};
  double decrement_{std::numeric_limits<double>::infinity()};
  double least_value_{std::numeric_limits<double>::infinity()};
  double least_square_{std::numeric_limits<double>::infinity()};
  int idle_{0};
};

}  // namespace linea::detail::newton
