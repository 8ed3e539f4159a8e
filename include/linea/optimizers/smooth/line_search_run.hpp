// SPDX-License-Identifier: MIT
#pragma once
/// \file A run of line searches on a smooth objective, whichever method gives the directions.
#include <algorithm>  // max
#include <cmath>      // isfinite
#include <limits>
#include <linea/core/extras.hpp>
#include <linea/core/solution.hpp>
#include <linea/optimizers/smooth/constant.hpp>
#include <linea/optimizers/smooth/gap_bound.hpp>
#include <linea/optimizers/smooth/objective.hpp>
#include <linea/optimizers/smooth/progress.hpp>
#include <linea/optimizers/smooth/run_end.hpp>
#include <linea/optimizers/smooth/stall.hpp>
#include <string_view>

namespace linea::smooth {

/// The iterate θ = (w, b) with its scores, F and ∇F, and where a run starts and ends (GapBound).
template <class T, class Problem, class Real = core::DoubleFor<Problem>>
class LineSearchRun {
 public:
  Vector<Real> theta;
  Vector<Real> scores{};              ///< at θ
  typename Problem::Samplewise at{};  ///< slopes and curvatures at the scores evaluated last
  double value{0};                    ///< F at θ
  Vector<Real> gradient{};            ///< ∇F at θ

  LineSearchRun(std::string_view function, Problem& problem, const Extras<T>& extras,
                bool has_offset, double tolerance, Index iterations)
      : problem_(problem),
        extras_(extras),
        has_offset_(has_offset),
        iterations_(iterations),
        bound_(problem, has_offset, tolerance) {
    require(tolerance >= 0 && std::isfinite(tolerance), function, ": tolerance = ", tolerance,
            " is not >= 0");
    require(iterations >= 0, function, ": ", iterations, " iterations");
    problem.frame().enter(samples::start_weights(function, extras, problem.features(), has_offset),
                          extras.start_offset, has_offset, theta);
  }

  /// Moves to the start: the one in the extras, or zero weights with about the best b for them.
  /// Finds F, ∇F, the slopes and, where `curved`, the curvatures.
  template <bool curved>
  void start() {
    constant_ = find_constant<curved>(problem_, has_offset_, scores, at);
    bound_.start(constant_.value);
    value = constant_.value;
    if constexpr (curved) start_curvature_ = problem_.sum(at.curvatures.sum());
    if (extras_.start_weights.size() > 0)
      value = evaluate_anew<curved>();
    else if (has_offset_)
      theta[problem_.features()] = constant_.offset;
    start_value_ = value;
    problem_.find_gradient(theta, at, gradient);
  }

  /// Is there to be one iteration more? `curvature` is c, or 0 where it is not known: then
  /// `ends_by` decides.
  bool begin(double curvature) {
    if (end_.is_here) return false;
    if (!std::isfinite(value) || !core::all_finite(gradient)) return end(Status::diverged);
    if (problem_.lambda() > 0) {
      double excess = bound_.bound(value, gradient, scores, at);
      if (const double g = has_offset_ ? gradient[problem_.features()] : 0; g != 0)
        excess += curvature > 0 ? g * g / (2 * curvature) : std::numeric_limits<double>::infinity();
      if (!needs_exact_step() && bound_.is_near(value, excess) && bound_.is_proven(value, at))
        return end(Status::converged, excess);
    }
    if (gradient.isZero(0)) return end(Status::converged);
    if (stall_.is_idle(value, gradient.squaredNorm())) return end_at_rounding();
    if (is_nothing()) return end(is_least() ? Status::converged : Status::epoch_limit);
    return moves_.count < iterations_ || end(Status::epoch_limit);
  }

  /// Can only an exact step of Newton's method tell the excess of F?
  bool needs_exact_step() const { return !bound_.can_prove() && !bound_.is_bounded_by_gradient(); }
  double allowed_excess() const { return bound_.allowed(value); }  ///< of F over its minimum

  /// Does a step with slope = ⟨∇F, direction⟩ < 0, which promises a fall of −slope/2 if it is like
  /// that of Newton's method, find F about at its minimum?
  bool seems_near(double slope) const {
    if (needs_exact_step()) return bound_.is_near(value, -slope / 2) || bound_.is_zero(value);
    return bound_.is_near(value, bound_.excess_of_weights(gradient) - slope / 2);
  }

  /// Ends the run before this step if F is near its minimum. Decides where `begin` could not.
  void ends_by(double slope) {
    const double excess =
        (problem_.lambda() > 0 ? bound_.excess_of_weights(gradient) : 0) - slope / 2;
    if (!bound_.is_bounded_by_gradient() && bound_.is_near(value, excess) &&
        bound_.is_proven(value, at))
      end(Status::converged, excess);
  }

  /// The same before a step of Newton's method that was found to the last digits and promises a
  /// fall of `excess`. `at` has the slopes and curvatures at θ.
  void ends_by_exact(double excess, const Vector<Real>& direction, const Vector<Real>& moves) {
    const bool is_zero = is_zero_and_bends();  // just above, rounding hides how flat it is
    if (!is_zero && (value < 1e-10 * constant_.value || !bound_.is_near(value, excess))) return;
    if constexpr (Problem::has_dual)
      if (problem_.lambda() == 0 && !is_zero)
        excess = std::max(excess, problem_.excess_after(*this, direction, moves));
    if (bound_.is_near_or_rounding(value, excess)) end(Status::converged, excess);
  }

  /// θ ← θ + t·direction, t = point.step > 0. The scores are left to the caller; `exact`: they and
  /// F will be computed anew from θ.
  void step(const Vector<Real>& direction, const numerics::LinePoint& point, bool exact) {
    theta += point.step * direction;
    moves_.add(theta, direction, point.step);
    value = point.value;
    fresh_ = exact;
    bound_.move();
  }

  /// F at the scores. Sets the slopes and, where `curved`, the curvatures.
  template <bool curved>
  double evaluate() {
    const typename Problem::Line here{scores, scores, problem_.product(theta, theta), 0, 0};
    return problem_.template evaluate<curved>(here, 0, at).value;
  }

  /// All anew from θ, without the rounding of steps added up. False if there was nothing to do.
  template <bool curved>
  bool refresh() {
    if (fresh_) return false;
    value = evaluate_anew<curved>();
    problem_.find_gradient(theta, at, gradient);
    return true;
  }

  /// Ends a run that finds no lower point: at the minimum, or where rounding hides it. False.
  bool end_at_rounding() {
    evaluate<false>();  // `at` belongs to a step that was not taken
    bool is_near =
        bound_.is_bounded_by_gradient() && bound_.is_near_or_rounding(value, bound_.gap(value));
    if (bound_.can_prove()) is_near = bound_.is_proven(value, at);
    return end(is_near ? Status::converged : Status::precision_limit);
  }

  /// Tells an observer of the step and the gap. ∇F must be known.
  void report() {
    if (end_.is_here || !extras_.observer) return;
    bound_.raise(value, gradient, scores, at);
    Progress progress = moves_.progress(value);
    progress.iterate = [this, d = problem_.features()] {
      return problem_.frame().template leave<T>(theta.head(d), has_offset_ ? theta[d] : 0, value);
    };
    if (bound_.is_known()) progress.gap = bound_.gap(value);
    if (extras_.observer(progress) == Control::stop) end(Status::stopped);
  }

  bool has_ended() const { return end_.is_here; }

  /// The iterate with weights and offset rounded to T, as the optimizer of that name answers, and F
  /// there. The best constant where that is better: after rounding, overflow, or a run cut short.
  Solution<T> solution(std::string_view optimizer) {
    const bool asks = bound_.can_prove() && end_.status != Status::diverged && !bound_.is_asked();
    if (!fresh_) value = evaluate_anew();
    if (asks) evaluate<false>();  // `at` may belong to a step that was not taken
    if (asks) bound_.prove(at);
    Solution<T> solution;
    solution.status = end_.status = problem_.seen(end_.status);
    round_to(solution);
    if (end_.status == Status::converged && !is_still_near())
      solution.status = Status::precision_limit;
    const bool is_lost = !core::all_finite(solution.weights) || !std::isfinite(solution.offset);
    if (is_lost) solution.status = Status::diverged;
    const bool is_cut = solution.status == Status::epoch_limit && extras_.start_weights.size() == 0;
    if (is_lost || is_cut || is_nothing() || solution.status == Status::precision_limit)
      give_way(solution);
    solution.epochs = problem_.passes();
    solution.iterations = solution.updates = moves_.count;
    solution.optimizer = optimizer;
    solution.objective = value;
    if (bound_.is_known()) solution.gap = bound_.gap(value);
    return solution;
  }

 private:
  /// Rounds θ to T, with the offset of the samples as they are stored, and finds F there.
  void round_to(Solution<T>& solution) {
    const Vector<Real> before = theta;
    problem_.frame().leave(theta, has_offset_, solution.weights, solution.offset);
    problem_.frame().enter(solution.weights, solution.offset, has_offset_, theta);
    if (theta != before) value = evaluate_anew();
  }

  /// The best constant instead, where it is better.
  void give_way(Solution<T>& solution) {
    constant_ = find_constant<false>(problem_, has_offset_, scores, at, 1e-9);
    if (value <= constant_.value) return;
    theta.setZero();
    if (has_offset_) theta[problem_.features()] = constant_.offset;
    value = evaluate_anew();
    round_to(solution);
  }

  /// Is F 0 but for rounding, and the loss not flat as on the way to an infimum? From `at`.
  bool is_zero_and_bends() const {
    return bound_.is_zero(value) && problem_.sum(at.curvatures.sum()) > 0.01 * start_curvature_;
  }
  /// The same where `at` lacks the curvatures.
  bool is_least() {
    if constexpr (Problem::is_curved) evaluate<true>();
    return Problem::is_curved && is_zero_and_bends();
  }
  bool is_nothing() const { return value > 0 && value < 1e-40 * start_value_; }
  /// Is F near its minimum after the last rounding too?
  bool is_still_near() const {
    const double excess = bound_.is_known() ? bound_.gap(value) : end_.excess + value - end_.value;
    return bound_.is_near_or_rounding(value, excess);
  }
  /// F at θ, not from sums of steps.
  template <bool curved = false>
  double evaluate_anew() {
    problem_.score(theta, scores);
    fresh_ = true;
    return evaluate<curved>();
  }

  /// Ends the run, F being about `excess` above its minimum; answers false, as `begin` then does.
  bool end(Status status, double excess = 0) {
    end_ = {true, status, excess, value};
    return false;
  }

  Problem& problem_;
  const Extras<T>& extras_;
  bool has_offset_;
  Index iterations_;
  GapBound<Problem> bound_;
  RunEnd end_{};
  bool fresh_{true};  // are the scores those of θ, not sums of steps?
  Moves<> moves_{};
  Constant constant_{};
  Stall stall_{};
  double start_value_{0}, start_curvature_{0};
};

}  // namespace linea::smooth
