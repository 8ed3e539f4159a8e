// SPDX-License-Identifier: MIT
#pragma once
/// \file The direction of Newton's method where columns are few: from factors of ∇²F.
#include <algorithm>  // min
#include <cmath>      // log
#include <limits>
#include <linea/core/loss.hpp>
#include <linea/optimizers/smooth/kept_curvature.hpp>
#include <linea/optimizers/smooth/newton_direction.hpp>
#include <linea/optimizers/smooth/remembered_changes.hpp>
#include <linea/optimizers/smooth/sampled_minimum.hpp>
#include <type_traits>  // decay_t
#include <utility>      // exchange

namespace linea::smooth {

/// The first direction leads to about the minimum of F on a quarter of the rows, found from that on
/// a 16th of them: there steps cost little. The directions after it are those of Newton's method
/// with the ∇²F found last, in factors, corrected by what the steps since then have told of it;
/// once ∇F falls too slowly with that, ∇²F is found anew, from all rows. So most directions cost a
/// pass for the moves of the scores, and no conjugate gradients.
///
/// Where steps are still far too long or there have been many, NewtonDirection is to go on.
/// Bollapragada, Byrd and Nocedal, IMA Journal of Numerical Analysis 39 (2019), on ∇²F of a sample.
template <class Real = double>
class FactoredDirection {
 public:
  /// Is at work for a loss that bends everywhere, few columns, all samples at hand, and a gap that
  /// can be known. A run that `has_start` does not ask samples where to begin.
  template <class L, class Problem, class Run>
  FactoredDirection(const L&, const Problem& problem, const Run& run, bool has_start)
      : is_at_work_(KinklessLoss<L> && !BoxLoss<L> && Problem::is_convex && problem.lambda() > 0 &&
                    problem.has_all_samples() && !run.needs_exact_step()),
        is_first_(!has_start) {
    const Index n = problem.samples(), size = problem.size();
    is_at_work_ = is_at_work_ && size <= largest_size && 8 * size <= n;
    if (!is_at_work_) return;
    in_row_ = static_cast<double>(problem.set().rows.entries()) / static_cast<double>(n);
    const double factors = numerics::cholesky_cost(size) / static_cast<double>(n);
    const double step = 2 * in_row_ + 20;  // and loss, slope, curvature
    cost_ = (numerics::gram_cost(in_row_, size) + factors) / step;
    is_at_work_ = cost_ <= most_cost;
  }

  /// Are directions to be taken from here?
  bool is_at_work() const { return is_at_work_; }

  /// Sets direction, moves and first step of `next`, and answers ⟨∇F, direction⟩, or ends the run.
  /// Is not at work any more where it finds none.
  template <class L, class Problem, class Run>
  double find(const L& loss, Problem& problem, Run& run, NewtonDirection<Real>& next) {
    const bool leads_to_sample =
        std::exchange(is_first_, false) && find_sample_minimum(loss, problem, run, next.direction);
    if (!leads_to_sample && !step_by_factors(problem, run, next.direction)) return give_up();
    const double slope = run.gradient.dot(next.direction);
    if (!(slope < 0)) return give_up();
    if (!leads_to_sample) run.ends_by(slope);
    if (run.has_ended()) return slope;
    next.moves.resize(problem.samples());
    problem.score(next.direction, next.moves);
    const double bend = run.at.curvatures.dot(next.moves.cwiseAbs2()) +
                        problem.lambda() * problem.product(next.direction, next.direction);
    next.first_step = leads_to_sample || !(bend > 0) ? 1 : -slope / bend;
    return slope;
  }

  /// From the step taken along the direction, 0 if none. True if there may be another direction.
  bool learn(double step) {
    const bool is_poor = step < 0.1;
    if ((is_poor && is_fresh_ && ++poor_ > most_poor) || ++steps_ > most_steps) give_up();
    if (is_poor) curvature_.forget();
    return is_poor;
  }

 private:
  static constexpr Index most_steps = 50, most_poor = 3, largest_size = 400;
  static constexpr double most_cost = 40;

  double give_up() {
    is_at_work_ = false;
    changes_.clear();
    curvature_.forget();
    return 0;
  }

  /// To about the minimum on every 16th row, and from there to that on every fourth, as far as
  /// those are enough. Leaves the last ∇²F.
  template <class L, class Problem, class Run>
  bool find_sample_minimum(const L& loss, Problem& problem, const Run& run,
                           Vector<Real>& direction) {
    using Rows = std::decay_t<decltype(problem.set().rows)>;
    Vector<Real> theta = run.theta;
    Index rows_read = 0;
    for (const Index stride : {16, 4}) {
      if (problem.samples() / stride < 4 * problem.size()) continue;
      SampledMinimum<L, Rows> sample(loss, problem.set(), problem.lambda(),
                                     problem.size() > problem.features(), stride);
      // About as far as the minimum of so many rows is from that of all.
      const double enough = std::min(
          static_cast<double>(problem.size()) / static_cast<double>(sample.samples() + 1), 0.1);
      const bool is_found = sample.descend(enough, theta, curvature_);
      rows_read += sample.rows_read();
      if (is_found) continue;
      curvature_.forget();
      break;
    }
    for (Index read = 0; read < rows_read; read += problem.samples()) problem.count_pass();
    direction = theta - run.theta;
    return curvature_.is_known();
  }

  template <class Problem, class Run>
  bool step_by_factors(Problem& problem, const Run& run, Vector<Real>& direction) {
    const double square = run.gradient.squaredNorm();
    const double to_go = square / (2 * problem.lambda() * run.allowed_excess());
    is_fresh_ = !curvature_.is_known() || is_slow(square / square_, to_go);
    if (is_fresh_) {
      changes_.clear();
      if (!take(problem, run)) return false;
    } else if (theta_.size() > 0) {
      changes_.add(run.theta - theta_, run.gradient - gradient_);
    }
    square_ = square;
    theta_ = run.theta;
    gradient_ = run.gradient;
    changes_.find_direction(run.gradient, direction,
                            [this](Vector<Real>& v) { curvature_.solve(v); });
    return true;
  }

  /// Will steps that change ‖∇F‖² by `ratio`, until it has fallen by `to_go`, cost more than ∇²F
  /// and the step or two that it takes then?
  bool is_slow(double ratio, double to_go) const {
    if (ratio == 0) ratio = 0.05;  // none is known yet
    return ratio > 0.5 || std::log(to_go) > -std::log(ratio) * (3 * cost_ + 1.5);
  }

  /// ∇²F at θ.
  template <class Problem, class Run>
  bool take(Problem& problem, const Run& run) {
    problem.count_pass();
    const auto& rows = problem.set().rows;
    return curvature_.take(
        problem.features(), problem.size() > problem.features(), problem.lambda(),
        problem.samples(), in_row_, [&](Index i) { return run.at.curvatures[i]; },
        [&](Index i, auto&& f) { rows.for_each(i, f); });
  }

  bool is_at_work_;
  bool is_first_;         // are samples to be asked where to begin?
  double in_row_{0};      // entries, about
  double cost_{0};        // of ∇²F from all rows, in steps
  bool is_fresh_{false};  // is ∇²F that of the last θ, and of all rows?
  Index steps_{0};
  Index poor_{0};  // steps of a tenth and less, though it was
  double square_{std::numeric_limits<double>::infinity()};  // ‖∇F‖² at the last step by factors
  Vector<Real> theta_{}, gradient_{};                       // there
  RememberedChanges<Real> changes_{8};                      // since ∇²F was found
  KeptCurvature<Real> curvature_{};
};

}  // namespace linea::smooth
