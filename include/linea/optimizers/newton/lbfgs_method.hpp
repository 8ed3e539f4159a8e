// SPDX-License-Identifier: MIT
#pragma once
/// \file The solver::Method of Lbfgs: see solver/solve.hpp.
#include <algorithm>  // min
#include <cstddef>    // size_t
#include <limits>
#include <linea/core/penalty.hpp>
#include <linea/optimizers/newton/objective.hpp>
#include <linea/optimizers/newton/remembered_changes.hpp>
#include <linea/optimizers/newton/smooth_method.hpp>
#include <utility>  // move

namespace linea::detail::newton {

/// L-BFGS with a diagonal preconditioner:
///
/// 1. Start as Newton's method does, and find the preconditioner (find_scale).
/// 2. Find the direction from ∇F, the preconditioner and the last changes of θ and ∇F; if it does
///    not descend, forget the changes.
/// 3. Try the step 1: one pass gives F, ∇F and the scores there.
/// 4. If it does not meet the Wolfe conditions, search the line with the changes of the scores, and
///    find ∇F at the end in another pass.
/// 5. Remember the changes of θ and ∇F. Go to 2.
class LbfgsMethod : public SmoothMethod<SmoothObjective> {
  static constexpr double infinity = std::numeric_limits<double>::infinity();

 public:
  LbfgsMethod(const SmoothSamples& samples, const SquaredTerm& penalty, const Point<double>& start,
              bool has_offset, Index threads, Index memory)
      : SmoothMethod(start, samples, penalty, has_offset, threads), changes_(memory) {}

  bool iterate(double) {
    if (scale_.size() == 0) find_scale();
    while (!is_stuck()) {
      double slope = find_direction();
      if (!(slope < 0) && !changes_.is_empty()) {
        forget();
        slope = find_direction();
      }
      promise(std::min(slope, -2 * fall_of_last(value_)));
      const Theta old_theta = theta, old_gradient = gradient;
      if (advance(slope)) {
        remember(linear_algebra::difference(theta, old_theta),
                 linear_algebra::difference(gradient, old_gradient));
        return true;
      }
      if (changes_.is_empty()) return false;
      forget();
    }
    return false;
  }

 private:
  /// Returns the decrease of F over the last five iterations, down to `value`, or ∞ before there
  /// are five. It supplements the predicted decrease, which is unreliable where few samples have
  /// curvature.
  double fall_of_last(double value) {
    double& oldest = last_[static_cast<std::size_t>(turn_++ % most_last)];
    const double fall = oldest - value;
    oldest = value;
    return fall;
  }

  /// Computes the approximate inverse of each diagonal entry of ∇²F, or 1 where the entry is 0.
  void find_scale() {
    double curvature = 0;
    if (problem_.is_curved())
      for (const double one : at.curvatures) curvature += one;
    curvature = problem_.sum(curvature);
    scale_ = problem_.mean_squares();
    for (Index j = 0; j < scale_.size(); ++j) {
      const double entry = (curvature > 0 ? curvature : 1) * scale_[j] + problem_.lambda_of(j);
      scale_[j] = entry > 0 ? 1 / entry : 1;
    }
  }

  double find_direction() {
    return changes_.find_direction(gradient, direction_, [this](Theta& v) {
      for (Index j = 0; j < v.size(); ++j) v[j] *= factor_ * scale_[j];
    });
  }
  void forget() {
    changes_.clear();
    factor_ = 1;
  }
  void remember(Theta step, Theta y) {
    const double product = dot(step, y);
    double curved = 0;
    for (Index j = 0; j < y.size(); ++j) curved += y[j] * y[j] * scale_[j];
    if (changes_.add(std::move(step), std::move(y))) factor_ = product / curved;
  }

  /// Searches the line along the direction. For the first step, 1, one pass gives F, its gradient
  /// and the scores. Scores are linear in the step, so other steps need no pass, except for the
  /// gradient at the end and perhaps for the changes of the scores (see find_moves). Returns false,
  /// and does not change θ, if there is no lower point.
  bool advance(double slope) {
    if (!(slope < 0)) return false;
    Theta new_scores(problem_.samples()), moves(problem_.samples()), new_gradient;
    const auto line = problem_.line(theta, direction_, scores, moves);
    Theta whole = theta;
    linear_algebra::add(1, direction_, whole);
    Index trials = 0;
    const auto found = linear_algebra::search_line(
        {0, value_, slope}, 1, {}, [&](double t) -> linear_algebra::LinePoint {
          if (++trials == 1) {
            const double value =
                problem_.evaluate_with_gradient(whole, new_scores, at, new_gradient);
            return {t, value, dot(new_gradient, direction_)};
          }
          if (trials == 2) find_moves(new_scores, moves);
          return problem_.evaluate(line, t, at, false);
        });
    if (found.step == 0) {
      problem_.evaluate(theta, scores, at, false);
      return false;
    }
    take_step(direction_, found);
    if (trials == 1) {
      scores.swap(new_scores);
      gradient.swap(new_gradient);
    } else {
      value_ = problem_.evaluate_with_gradient(theta, scores, at, gradient);
    }
    return true;
  }

  /// Computes the changes of the scores from the difference of two scores, or in a pass if
  /// cancellation makes the difference inaccurate.
  void find_moves(const Theta& new_scores, Theta& moves) {
    for (Index i = 0; i < moves.size(); ++i) moves[i] = new_scores[i] - scores[i];
    if (!(problem_.sum(dot(moves, moves)) > 1e-6 * problem_.sum(dot(new_scores, new_scores))))
      problem_.score(direction_, moves);
  }

  static constexpr int most_last = 5;

  RememberedChanges<> changes_;
  double last_[std::size_t{most_last}] = {infinity, infinity, infinity, infinity, infinity};
  int turn_{0};
  double factor_{1};  // multiplies scale_; from the last pair of changes
  Theta scale_{}, direction_{};
};

}  // namespace linea::detail::newton
