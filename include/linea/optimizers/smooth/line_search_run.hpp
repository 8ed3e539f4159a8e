// SPDX-License-Identifier: MIT
#pragma once
/// \file A run of line searches on a smooth objective, whatever gives the directions: start, steps, end.
#include <algorithm>  // max
#include <cmath>      // abs, isfinite
#include <concepts>   // same_as
#include <limits>
#include <linea/core/extras.hpp>
#include <linea/core/solution.hpp>
#include <linea/optimizers/smooth/objective.hpp>
#include <string_view>

namespace linea::smooth {

/// θ, its scores, F and ∇F there, and the decisions of a run.
///
/// How far F is above its minimum (`excess`): for a convex loss without offset, ‖∇F‖²/(2λ) is a bound. It is the duality
/// gap of the dual point that the slopes make. With offset b it stands for the part of w, and the part of b is g²/(2c),
/// g its entry of ∇F and c the mean curvature of the loss, or what the next step promises, −⟨∇F, direction⟩/2, where c
/// is not known: estimates, and once one of them is small enough the gap itself is asked for where the loss has a
/// conjugate, at the price of a pass. For λ = 0 there is only that promise. All of them are measured against F itself,
/// which a run towards an infimum that no point attains never meets; a gap no larger than the rounding of F at w = 0 is
/// good enough too.
template <class T, class Problem>
class LineSearchRun {
 public:
  using Numbers = Eigen::VectorXd;

  LineSearchRun(std::string_view function, Problem& problem, const Extras<T>& extras,
                bool has_offset, double tolerance, Index iterations)
      : problem_(problem),
        extras_(extras),
        has_offset_(has_offset),
        tolerance_(tolerance),
        iterations_(iterations),
        theta(problem.size()) {
    require(tolerance >= 0 && std::isfinite(tolerance), function, ": tolerance = ", tolerance,
            " is not >= 0");
    require(iterations >= 0, function, ": ", iterations, " iterations");
    theta.head(problem.features()) =
        samples::start_weights(function, extras, problem.features(), has_offset)
            .template cast<double>();
    if (has_offset) theta[problem.features()] = static_cast<double>(extras.start_offset);
  }

  /// To the start: the given one, or zero weights with about the best constant. Finds F, slopes, curvatures where
  /// `curved`, and ∇F.
  template <bool curved>
  void start() {
    const Index n = problem_.samples();
    if constexpr (Problem::has_dual)
      if (problem_.lambda() > 0) dual_ = problem_.dual_at_zero();
    scores = Numbers::Zero(n);
    at.slopes.resize(n);
    if constexpr (curved) at.curvatures.resize(n);
    const Numbers moves = Numbers::Ones(n);
    const typename Problem::Line zero{scores, moves, 0, 0, 0};
    numerics::LinePoint here = problem_.template evaluate<curved>(zero, 0, at);
    rounding_ = std::numeric_limits<double>::epsilon() * std::abs(here.value);
    if (extras_.start_weights.size() > 0) {
      problem_.score(theta, scores);
      const typename Problem::Line line{scores, moves, problem_.product(theta, theta), 0, 0};
      here = problem_.template evaluate<curved>(line, 0, at);
    }
    if (has_offset_ && extras_.start_weights.size() == 0 && here.is_finite() && here.slope != 0) {
      const double sign = here.slope > 0 ? -1 : 1;
      const Numbers signed_moves = Numbers::Constant(n, sign);
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
      here = best;
    }
    value = here.value;
    start_value_ = value;
    problem_.find_gradient(theta, at, gradient);
  }

  /// Is there to be one iteration more? `curvature`: c, or 0 where it is not known; then ends_by decides.
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

  /// Decides where begin could not, with slope = ⟨∇F, direction⟩ < 0 for the direction of Newton's method or the like,
  /// which promises a fall of −slope/2.
  bool ends_by(double slope) {
    const double lambda = problem_.lambda();
    if (lambda > 0 && !has_offset_) return false;
    const double rest = lambda > 0 ? problem_.product(gradient, gradient) / (2 * lambda) : 0;
    if (is_near(rest - slope / 2) && is_proven()) end(Status::converged);
    return ended_;
  }

  /// θ ← θ + t·direction, to a point where F is known; no step at all ends the run.
  void step(const Numbers& direction, const numerics::LinePoint& point, double slope) {
    if (point.step == 0) {
      // Rounding leaves nothing to gain, or the gradient is not that of F.
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

  /// After a step, with ∇F known. An observer is told the gap.
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
      evaluate();  // `at` may be of a step that was not taken
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
  bool has_dual() const { return Problem::has_dual && problem_.lambda() > 0; }

  /// F from the scores, and the slopes.
  double evaluate() {
    const typename Problem::Line here{scores, scores, problem_.product(theta, theta), 0, 0};
    return problem_.template evaluate<false>(here, 0, at).value;
  }

  bool is_near(double excess) const { return excess <= tolerance_ * std::abs(value); }

  /// Without offset F is at most `excess` above its minimum, if it is convex.
  void bound(double excess) {
    if (Problem::is_convex && problem_.lambda() > 0) dual_ = std::max(dual_, value - excess);
  }

  void prove() {  // has_dual(), and `at` is that of θ
    if constexpr (Problem::has_dual)
      if (!asked_) dual_ = std::max(dual_, problem_.dual(at));
    asked_ = true;
  }

  /// Is F as near the minimum as it is thought to be, where that can be known?
  bool is_proven() {
    if (!has_offset_ || !has_dual()) return true;
    prove();
    return is_near(value - dual_) || value - dual_ <= rounding_;
  }

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
  double start_square_{0};
  double change_{0};
  double step_{0};
  bool asked_{false};  // has D at the slopes of θ been asked for?
  double rounding_{0};
  double dual_{-std::numeric_limits<double>::infinity()};  // what F is nowhere below

 public:
  Numbers theta;
  Numbers scores{};
  typename Problem::Samplewise at{};
  double value{0};
  Numbers gradient{};
};

}  // namespace linea::smooth
