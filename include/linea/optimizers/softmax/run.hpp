// SPDX-License-Identifier: MIT
#pragma once
/// \file A run of Newton's method on multinomial logistic regression: its start and its end.
#include <algorithm>  // max
#include <cmath>      // abs, isfinite, log
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/core/solution.hpp>
#include <linea/optimizers/smooth/run_end.hpp>
#include <linea/optimizers/smooth/stall.hpp>
#include <linea/optimizers/softmax/dual_bound.hpp>
#include <linea/optimizers/softmax/offset_search.hpp>
#include <linea/optimizers/softmax/points.hpp>
#include <string_view>

namespace linea::softmax {

/// What SoftmaxNewton answers with: weights (d × k) and offset (k).
template <class T>
using SoftmaxSolution = Solution<T, Matrix<T>, Vector<T>>;

/// The iterate θ with its scores and probabilities, F and ∇F, and the decisions of the run.
///
/// For λ > 0 it has converged when the duality gap is at most tolerance·F, or no more than the
/// rounding of F at the best constant. For λ = 0 the gap is estimated, see is_short.
template <class T, class Rows>
class SoftmaxRun {
 public:
  using Real = core::DoubleFor<Rows>;
  using Table = Matrix<Real>;

  Table theta{};
  Table q{};  ///< the probabilities at θ
  Table gradient{};

  SoftmaxRun(SoftmaxObjective<Rows>& problem, const Extras<T>& extras, double tolerance,
             Index iterations)
      : problem_(problem), extras_(extras), tolerance_(tolerance), iterations_(iterations) {}

  /// Moves to the best constant: w = 0 and bₖ = ln πₖ.
  void start() {
    Table class_sums;
    problem_.find_class_sums(class_sums);
    theta_of_constant_ = Table::Zero(problem_.cols(), problem_.stride());
    if (problem_.has_offset()) {
      const auto k = problem_.classes();
      auto offset = theta_of_constant_.row(problem_.features()).head(k);
      offset = class_sums.row(problem_.features()).head(k).array().log().matrix();
      offset.array() -= offset.mean();
    }
    bound_ = DualBound<>(std::move(class_sums), problem_.features(), problem_.classes(),
                         problem_.lambda(), problem_.has_offset());
    theta = theta_of_constant_;
    rescore();
    constant_ = value_;
    rounding_ = std::numeric_limits<double>::epsilon() * constant_;
    find_gradient();
  }

  double value() const { return value_; }

  /// Is there to be one iteration more?
  bool begin() {
    if (end_.is_here) return false;
    if (!std::isfinite(value_) || !core::all_finite(gradient)) return end(Status::diverged);
    if (bound_.is_known() && is_near(bound_.gap(value_))) return end(Status::converged);
    if (gradient.isZero(0)) return end(Status::converged);
    if (stall_.is_idle(value_, gradient.squaredNorm())) return end(Status::precision_limit);
    if (value_ < 1e-40 * constant_) return end(Status::epoch_limit);  // no minimum
    return iterations_done_ < iterations_ || end(Status::epoch_limit);
  }

  /// Is a fall of F by `excess`, which a step promises, small enough for F to be at its minimum?
  /// For λ = 0; else the gap tells.
  bool seems_near(double excess) const { return problem_.lambda() == 0 && is_near(excess); }

  /// Does a step with these moves of the scores hardly change a probability? Towards an infimum
  /// that no point attains it changes some by a part of them, however little F falls.
  bool is_short(const Table& moves) const {
    double largest = 0;
    for (Index i = 0; i < problem_.samples(); ++i)
      for (Index a = 0; problem_.share(i) > 0 && a < problem_.classes(); ++a)
        largest = std::max(largest, std::abs(moves(i, a) - moves(i, problem_.class_of(i))));
    return largest < 0.1;
  }

  /// Ends the run, for λ = 0, if F is near its minimum: see excess_after. Has it ended?
  bool ends_near(const Table& direction, const Table& moves) {
    end_.excess = problem_.excess_after(theta, q, direction, moves);
    if (is_near(end_.excess)) end(Status::converged);
    return end_.is_here;
  }

  /// Searches the line of this direction, whose scores move by `moves`. False where nothing lower
  /// is found. For λ = 0 the run ends before a long step along which F falls by rounding only.
  bool advance(const Table& direction, const Table& moves) {
    const double slope = gradient.cwiseProduct(direction).sum();
    const bool is_hidden = -slope < std::numeric_limits<double>::epsilon() * value_;
    if (problem_.lambda() == 0 && is_hidden && !is_short(moves))
      return !end(Status::precision_limit);
    const auto line = problem_.line(theta, direction, scores_, moves);
    numerics::LinePoint point{};
    if (slope < 0)
      point = numerics::search_line({0, value_, slope}, 1, {1e-4, 0.5},
                                    [&](double t) { return problem_.evaluate(line, t, q, sums_); });
    if (point.step == 0) {
      value_ = problem_.evaluate(theta, scores_, q, sums_);
      return false;
    }
    theta += point.step * direction;
    scores_ += point.step * moves;
    change_ = point.step * direction.norm() / theta.norm();
    step_ = point.step;
    value_ = point.value;
    fresh_ = false;
    ++iterations_done_;
    if (problem_.has_offset()) improve_offset(problem_, theta, scores_, q, sums_, value_);
    find_gradient();
    report();
    return true;
  }

  /// Where no lower point is found: computes all anew from θ, or ends if that is done.
  void refresh_or_end() {
    if (fresh_) return void(end(Status::precision_limit));
    rescore();
    if (problem_.has_offset()) improve_offset(problem_, theta, scores_, q, sums_, value_);
    find_gradient();
  }

  /// The iterate rounded to T, as the optimizer of that name answers, and F of what is rounded.
  /// Where rounding has lost what the run has gained, or F was not finite, the best constant.
  SoftmaxSolution<T> solution(std::string_view optimizer) {
    const double at_end = value_;
    SoftmaxSolution<T> solution;
    if (end_.status == Status::diverged) theta = theta_of_constant_;
    end_.status = problem_.seen(end_.status);
    round_to(solution);
    if (end_.status == Status::converged && !is_near(gap_of_rounded(at_end)))
      end_.status = Status::precision_limit;
    if (end_.status == Status::precision_limit && !(value_ <= constant_)) {
      theta = theta_of_constant_;
      round_to(solution);
    }
    solution.status = end_.status;
    solution.objective = value_;
    if (bound_.is_known()) solution.gap = bound_.gap(value_);
    solution.iterations = solution.updates = iterations_done_;
    solution.epochs = problem_.passes().passes();
    solution.optimizer = optimizer;
    return solution;
  }

 private:
  bool is_near(double excess) const { return excess <= std::max(tolerance_ * value_, rounding_); }
  double gap_of_rounded(double at_end) const {
    return bound_.is_known() ? bound_.gap(value_) : end_.excess + value_ - at_end;
  }

  void rescore() {
    problem_.passes().score(theta, scores_);
    value_ = problem_.evaluate(theta, scores_, q, sums_);
    fresh_ = true;
  }
  void find_gradient() {
    problem_.find_gradient(theta, q, gradient);
    bound_.ask(theta, gradient, sums_);
  }

  /// Rounds θ to T, with the offsets of the samples as they are stored, which sum to 0 but for
  /// rounding, and finds F there.
  void round_to(SoftmaxSolution<T>& solution) {
    const Index d = problem_.features();
    const Index k = problem_.classes();
    solution.weights = theta.topLeftCorner(d, k).template cast<T>();
    solution.offset = Vector<T>::Zero(k);
    if (problem_.has_offset()) {
      Vector<Real> offset(k);
      for (Index a = 0; a < k; ++a)
        offset[a] = problem_.frame().leave(weights_of(solution, a), theta(d, a));
      offset.array() -= offset.mean();
      solution.offset = offset.template cast<T>();
    }
    theta.topLeftCorner(d, k) = solution.weights.template cast<double>();
    if (problem_.has_offset())
      for (Index a = 0; a < k; ++a)
        theta(d, a) = problem_.frame().enter(weights_of(solution, a),
                                             static_cast<double>(solution.offset[a]));
    rescore();
    if (!core::all_finite(solution.weights) || !core::all_finite(solution.offset) ||
        !std::isfinite(value_))
      end_.status = Status::diverged;
  }
  static Vector<Real> weights_of(const SoftmaxSolution<T>& solution, Index a) {
    return solution.weights.col(a).template cast<double>();
  }

  /// Tells an observer of the step.
  void report() {
    if (!extras_.observer) return;
    Progress progress;
    progress.epoch = progress.updates = iterations_done_;
    progress.objective = progress.best_objective = value_;
    progress.change = change_;
    progress.step_size = step_;
    if (bound_.is_known()) progress.gap = bound_.gap(value_);
    progress.iterates = [this] { return points_at<T>(problem_, theta, value_); };
    if (extras_.observer(progress) == Control::stop) end(Status::stopped);
  }

  /// Answers false, as `begin` then does.
  bool end(Status status) {
    end_.is_here = true;
    end_.status = status;
    return false;
  }

  SoftmaxObjective<Rows>& problem_;
  const Extras<T>& extras_;
  double tolerance_;
  Index iterations_;
  Table theta_of_constant_{};
  Table scores_{};
  Sums sums_{};
  DualBound<> bound_{};
  smooth::Stall stall_{};
  double value_{0};
  double constant_{0};    // F at the best constant
  double rounding_{0};    // of that
  smooth::RunEnd end_{};  // its excess is estimated, for λ = 0
  double change_{0}, step_{0};
  Index iterations_done_{0};
  bool fresh_{true};  // are the scores computed from θ, not added up?
};

}  // namespace linea::softmax
