// SPDX-License-Identifier: MIT
#pragma once
/// \file A run of line searches on a smooth objective, whichever method gives the directions.
#include <algorithm>  // max
#include <cmath>      // abs, isfinite
#include <concepts>   // same_as
#include <limits>
#include <linea/core/extras.hpp>
#include <linea/core/solution.hpp>
#include <linea/optimizers/smooth/objective.hpp>
#include <string_view>

namespace linea::smooth {

/// The iterate θ = (w, b) with its scores, F and ∇F, and the decisions of a run: where to start,
/// when to end.
///
/// A run has converged when the excess of F over its minimum is at most tolerance·|F|, or no more
/// than the rounding of F at w = 0. How the excess is known, for λ > 0:
///
/// - Without offset, ‖∇F‖²/(2λ) is a bound on it if the loss is convex: the duality gap at the
///   multipliers of the slopes.
/// - With offset it is estimated as ‖∇F_w‖²/(2λ) + g²/(2c), where g is the entry of ∇F for b and c
///   the mean curvature of the loss. Where c is not known, half of what the next step promises,
///   −⟨∇F, direction⟩/2, stands for the second term.
/// - Once such an estimate is small enough, and the loss has a conjugate, the gap itself decides,
///   at the price of a pass.
///
/// For λ = 0 that promise is all there is. A run towards an infimum that no point attains does not
/// converge.
template <class T, class Problem>
class LineSearchRun {
 public:
  Vector<double> theta;
  Vector<double> scores{};            ///< at θ
  typename Problem::Samplewise at{};  ///< slopes and curvatures at the scores evaluated last
  double value{0};                    ///< F at θ
  Vector<double> gradient{};          ///< ∇F at θ

  LineSearchRun(std::string_view function, Problem& problem, const Extras<T>& extras,
                bool has_offset, double tolerance, Index iterations)
      : theta(problem.size()),
        problem_(problem),
        extras_(extras),
        has_offset_(has_offset),
        tolerance_(tolerance),
        iterations_(iterations) {
    require(tolerance >= 0 && std::isfinite(tolerance), function, ": tolerance = ", tolerance,
            " is not >= 0");
    require(iterations >= 0, function, ": ", iterations, " iterations");
    theta.head(problem.features()) =
        samples::start_weights(function, extras, problem.features(), has_offset)
            .template cast<double>();
    if (has_offset) theta[problem.features()] = static_cast<double>(extras.start_offset);
  }

  /// Moves to the start: the one in the extras, or zero weights with about the best b for them.
  /// Finds F, ∇F, the slopes and, where `curved`, the curvatures.
  template <bool curved>
  void start() {
    const Index n = problem_.samples();
    if constexpr (Problem::has_dual)
      if (problem_.lambda() > 0) dual_ = problem_.dual_at_zero();
    scores = Vector<double>::Zero(n);
    at.slopes.resize(n);
    if constexpr (curved) at.curvatures.resize(n);
    const Vector<double> moves = Vector<double>::Ones(n);
    const typename Problem::Line zero{scores, moves, 0, 0, 0};
    numerics::LinePoint here = problem_.template evaluate<curved>(zero, 0, at);
    rounding_ = std::numeric_limits<double>::epsilon() * std::abs(here.value);
    if (extras_.start_weights.size() > 0) {
      problem_.score(theta, scores);
      const typename Problem::Line line{scores, moves, problem_.product(theta, theta), 0, 0};
      here = problem_.template evaluate<curved>(line, 0, at);
    }
    if (has_offset_ && extras_.start_weights.size() == 0 && here.is_finite() && here.slope != 0)
      here = start_offset<curved>(here);
    value = here.value;
    start_value_ = value;
    problem_.find_gradient(theta, at, gradient);
  }

  /// Is there to be one iteration more? `curvature` is c, or 0 where it is not known: then ends_by
  /// decides.
  bool begin(double curvature) {
    if (ended_) return false;
    if (!std::isfinite(value) || !gradient.allFinite()) return end(Status::diverged);
    const double square = problem_.product(gradient, gradient);
    if (updates_ == 0) start_square_ = gradient.squaredNorm();
    if (problem_.lambda() > 0) {
      double excess = square / (2 * problem_.lambda());
      if (!has_offset_) bound(excess);
      if (const double g = has_offset_ ? gradient[problem_.features()] : 0; g != 0)
        excess += curvature > 0 ? g * g / (2 * curvature) : std::numeric_limits<double>::infinity();
      if (is_near(excess) && is_proven()) return end(Status::converged);
    }
    if (gradient.squaredNorm() == 0) return end(Status::converged);
    if (value > 0 && value < 1e-40 * start_value_) return end(Status::epoch_limit);  // no minimum
    return updates_ < iterations_ || end(Status::epoch_limit);
  }

  /// Does the run end before this step? Decides where `begin` could not: slope = ⟨∇F, direction⟩ <
  /// 0, and a direction like that of Newton's method promises a fall of −slope/2.
  bool ends_by(double slope) {
    const double lambda = problem_.lambda();
    if (lambda > 0 && !has_offset_) return false;
    const double rest = lambda > 0 ? problem_.product(gradient, gradient) / (2 * lambda) : 0;
    if (is_near(rest - slope / 2) && is_proven()) end(Status::converged);
    return ended_;
  }

  /// θ ← θ + t·direction, t = point.step. A step of 0 ends the run.
  void step(const Vector<double>& direction, const numerics::LinePoint& point, double slope) {
    if (point.step == 0) {
      // Either rounding leaves nothing to gain, or the derivatives of the loss are not those of its
      // value.
      const bool at_rounding =
          -slope <= 1e-9 * std::abs(value) || gradient.squaredNorm() <= 1e-16 * start_square_;
      end(at_rounding ? Status::converged : Status::epoch_limit);
      return;
    }
    change_ = point.step * direction.norm();
    theta += point.step * direction;
    const double norm = theta.norm();
    change_ = change_ > 0 ? change_ / norm : 0;
    value = point.value;
    step_ = point.step;
    ++updates_;
    asked_ = false;
  }

  /// Tells an observer of the step and the gap. ∇F must be known.
  void report() {
    if (ended_ || !extras_.observer) return;
    if (!has_offset_)
      bound(problem_.product(gradient, gradient) / (2 * problem_.lambda()));
    else if (has_dual())
      prove();
    Progress progress;
    progress.epoch = updates_;
    progress.updates = updates_;
    progress.objective = value;
    progress.best_objective = value;
    progress.change = change_;
    progress.step_size = step_;
    if (std::isfinite(dual_)) progress.gap = std::max(value - dual_, 0.0);
    if (extras_.observer(progress) == Control::stop) end(Status::stopped);
  }

  bool has_ended() const { return ended_; }

  /// What the optimizer of that name answers.
  Solution<T> solution(std::string_view optimizer) {
    if (has_offset_ && has_dual() && status_ != Status::diverged && !asked_) {
      evaluate();  // `at` may belong to a step that was not taken
      prove();
    }
    Solution<T> solution;
    solution.weights = theta.head(problem_.features()).template cast<T>();
    if (has_offset_) solution.offset = static_cast<T>(theta[problem_.features()]);
    if constexpr (!std::same_as<T, double>) {
      theta.head(problem_.features()) = solution.weights.template cast<double>();
      if (has_offset_) theta[problem_.features()] = static_cast<double>(solution.offset);
      problem_.score(theta, scores);
      value = evaluate();
    }
    solution.status = status_;
    if (!solution.weights.allFinite() || !std::isfinite(solution.offset))
      solution.status = Status::diverged;
    solution.epochs = problem_.passes();
    solution.iterations = solution.updates = updates_;
    solution.optimizer = optimizer;
    solution.objective = value;
    if (std::isfinite(dual_)) solution.gap = std::max(value - dual_, 0.0);
    return solution;
  }

 private:
  /// From w = 0 and b = 0, where F is known, moves b to about its best. Returns F there.
  template <bool curved>
  numerics::LinePoint start_offset(numerics::LinePoint here) {
    const double sign = here.slope > 0 ? -1 : 1;
    const Vector<double> signed_moves = Vector<double>::Constant(scores.size(), sign);
    const typename Problem::Line turned{scores, signed_moves, 0, 0, 0};
    here.slope = -std::abs(here.slope);
    double first = 1;
    if constexpr (curved)
      if (const double c = at.curvatures.sum(); c > 0) first = -here.slope / c;
    const auto best = numerics::search_line(here, first, {1e-4, 0.1}, [&](double t) {
      return problem_.template evaluate<curved>(turned, t, at);
    });
    if (best.step == 0) problem_.template evaluate<curved>(turned, 0, at);
    scores.setConstant(sign * best.step);
    theta[problem_.features()] = sign * best.step;
    return best;
  }

  bool has_dual() const { return Problem::has_dual && problem_.lambda() > 0; }

  /// F at the scores of θ. Sets the slopes.
  double evaluate() {
    const typename Problem::Line here{scores, scores, problem_.product(theta, theta), 0, 0};
    return problem_.template evaluate<false>(here, 0, at).value;
  }

  bool is_near(double excess) const { return excess <= tolerance_ * std::abs(value); }

  /// Takes note that, without offset and if convex, F is at most `excess` above its minimum.
  void bound(double excess) {
    if (Problem::is_convex && problem_.lambda() > 0) dual_ = std::max(dual_, value - excess);
  }

  /// Finds D at the slopes of θ, unless that is done. Asks for has_dual(), and for `at` to be that
  /// of θ.
  void prove() {
    if constexpr (Problem::has_dual)
      if (!asked_) dual_ = std::max(dual_, problem_.dual(at));
    asked_ = true;
  }

  /// Is F as near its minimum as estimated? Yes where no gap can tell.
  bool is_proven() {
    if (!has_offset_ || !has_dual()) return true;
    prove();
    return is_near(value - dual_) || value - dual_ <= rounding_;
  }

  /// Ends the run; answers false, as `begin` then does.
  bool end(Status status) {
    status_ = status;
    ended_ = true;
    return false;
  }

  Problem& problem_;
  const Extras<T>& extras_;
  bool has_offset_;
  double tolerance_;
  Index iterations_;
  Status status_{Status::epoch_limit};
  bool ended_{false};
  Index updates_{0};
  double start_value_{0};
  double start_square_{0};  // ‖∇F‖² at the start
  double change_{0};        // of θ in the last step, relative
  double step_{0};
  bool asked_{false};  // is D at the slopes of θ found?
  double rounding_{0};
  double dual_{-std::numeric_limits<double>::infinity()};  // a lower bound on F
};

}  // namespace linea::smooth
