// SPDX-License-Identifier: MIT
#pragma once
/// \file A run of line searches on a smooth objective, whichever method gives the directions.
#include <cmath>     // abs, isfinite
#include <concepts>  // same_as
#include <limits>
#include <linea/core/extras.hpp>
#include <linea/core/solution.hpp>
#include <linea/optimizers/smooth/gap_bound.hpp>
#include <linea/optimizers/smooth/objective.hpp>
#include <string_view>

namespace linea::smooth {

/// The iterate θ = (w, b) with its scores, F and ∇F, and the decisions of a run: where to start,
/// when to end (see GapBound).
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
        iterations_(iterations),
        bound_(problem, has_offset, tolerance) {
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
    scores = Vector<double>::Zero(n);
    at.slopes.resize(n);
    if constexpr (curved) at.curvatures.resize(n);
    const Vector<double> moves = Vector<double>::Ones(n);
    const typename Problem::Line zero{scores, moves, 0, 0, 0};
    numerics::LinePoint here = problem_.template evaluate<curved>(zero, 0, at);
    bound_.start(here.value);
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
    if (updates_ == 0) start_square_ = gradient.squaredNorm();
    if (problem_.lambda() > 0) {
      double excess = bound_.excess_of_weights(gradient);
      bound_.bound(value, excess);
      if (const double g = has_offset_ ? gradient[problem_.features()] : 0; g != 0)
        excess += curvature > 0 ? g * g / (2 * curvature) : std::numeric_limits<double>::infinity();
      if (bound_.is_near(value, excess) && bound_.is_proven(value, at))
        return end(Status::converged);
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
    const double rest = lambda > 0 ? bound_.excess_of_weights(gradient) : 0;
    if (bound_.is_near(value, rest - slope / 2) && bound_.is_proven(value, at))
      end(Status::converged);
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
    bound_.move();
  }

  /// Tells an observer of the step and the gap. ∇F must be known.
  void report() {
    if (ended_ || !extras_.observer) return;
    if (bound_.can_prove())
      bound_.prove(at);
    else
      bound_.bound(value, bound_.excess_of_weights(gradient));
    Progress progress;
    progress.epoch = updates_;
    progress.updates = updates_;
    progress.objective = value;
    progress.best_objective = value;
    progress.change = change_;
    progress.step_size = step_;
    if (bound_.is_known()) progress.gap = bound_.gap(value);
    if (extras_.observer(progress) == Control::stop) end(Status::stopped);
  }

  bool has_ended() const { return ended_; }

  /// The iterate with weights rounded to T, and F of those, as the optimizer of that name answers.
  Solution<T> solution(std::string_view optimizer) {
    if (bound_.can_prove() && status_ != Status::diverged && !bound_.is_asked()) {
      evaluate();  // `at` may belong to a step that was not taken
      bound_.prove(at);
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
    if (bound_.is_known()) solution.gap = bound_.gap(value);
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

  /// F at the scores of θ. Sets the slopes.
  double evaluate() {
    const typename Problem::Line here{scores, scores, problem_.product(theta, theta), 0, 0};
    return problem_.template evaluate<false>(here, 0, at).value;
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
  Index iterations_;
  GapBound<Problem> bound_;
  Status status_{Status::epoch_limit};
  bool ended_{false};
  Index updates_{0};
  double start_value_{0};
  double start_square_{0};  // ‖∇F‖² at the start
  double change_{0};        // of θ in the last step, relative
  double step_{0};
};

}  // namespace linea::smooth
