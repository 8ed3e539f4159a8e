// SPDX-License-Identifier: MIT
#pragma once
/// \file Dual coordinate ascent as a method of solver/solve.hpp: epochs and, for some losses,
/// rounds of Newton's method, until the duality gap is small enough.
#include <algorithm>  // max, min
#include <cmath>      // abs, isfinite, log
#include <limits>
#include <linea/core/solution.hpp>
#include <linea/optimizers/dual/ascent.hpp>
#include <linea/optimizers/dual/band_newton.hpp>
#include <linea/optimizers/solver/solve.hpp>
#include <linea/samples/frame.hpp>
#include <memory>   // unique_ptr
#include <utility>  // move

namespace linea::detail::dual {

/// The solver::Method of DualCoordinateAscent:
///
/// 1. Start at the given dual variables, or at 0; w is their dual sum over λ.
/// 2. Visit the active samples in random order: maximise D over αᵢ and correct w. A visit without a
///    change makes the next visits of the sample rarer.
/// 3. If the estimated gap (Ascent::excess) is small enough, or at growing intervals, evaluate F
///    and the proven gap, which costs passes over x.
/// 4. If epochs converge slowly, and the loss has pieces that are lines or parabolas, run rounds of
///    Newton's method on the band of samples near a kink (Finish), and return to epochs with its
///    dual variables.
/// 5. Go to 2 until the proven gap is small enough, or three checks in a row show no progress.
class DualMethod : public solver::MethodBase {
 public:
  /// A gap is small enough if it is at most tolerance·|F| or the rounding error of F. Ascent and
  /// frame, the centring of its samples, must outlive this object.
  DualMethod(Ascent& ascent, const samples::Frame<>& frame, double tolerance)
      : frame_(frame),
        ascent_(ascent),
        constant_(ascent.constant_point()),
        tolerance_(tolerance),
        rounding_(std::numeric_limits<double>::epsilon() * constant_.objective) {
    prove();
  }

  /// Runs an epoch, or a part of a round of Newton's method. Returns false after three checks in a
  /// row without progress (see is_check_due).
  bool iterate(double) {
    if (!finish_ && is_slow()) start_trial();
    if (finish_) {
      if (!finish_->run(allowed())) {
        end_round();
      } else {
        ++pauses_;
        moved_ = 0;
      }
      return true;
    }
    const double before = ascent_.excess();
    const Index visits_before = ascent_.updates();
    moved_ = ascent_.run_epoch();
    mark();
    const double factor = before > 0 && std::isfinite(before) ? ascent_.excess() / before : 1;
    if (is_due(factor, ascent_.updates() - visits_before)) evaluate(false);
    return idle_ < most_idle;
  }
  /// Evaluates F and the bound once more.
  void conclude() {
    if (finish_ && finish_->is_in_round()) {
      --pauses_;
      end_round();
    }
    if (ascent_.is_finite()) evaluate(true);
  }

  double value() const {
    return ascent_.is_finite() ? ascent_.best().objective
                               : std::numeric_limits<double>::quiet_NaN();
  }
  const Point<double>& point() const { return ascent_.best(); }
  double value_at(const Point<double>& point) const { return ascent_.value(point); }
  const Point<double>& constant() const { return constant_; }
  const samples::Frame<>& frame() const { return frame_; }
  Index passes() const { return ascent_.epochs() + pauses_; }
  double bound_here() const { return dual_; }  ///< the best bound so far

  Index updates() const { return ascent_.updates(); }  ///< number of visits
  void describe(Progress& progress) const {
    progress.updates = ascent_.updates();
    progress.mistakes = moved_;
  }
  /// For an observer: the best point and the best bound so far, including the current iterate. Each
  /// of the two functions makes at most one pass per epoch.
  const Point<double>& observed() {
    if (seen_at_ != passes()) {
      Point<double> now = here();
      now.objective = ascent_.value(now);
      if (now.objective < seen_.objective) seen_ = std::move(now);
    }
    seen_at_ = passes();
    if (ascent_.best().objective < seen_.objective) seen_ = ascent_.best();
    return seen_;
  }
  double observed_bound() {
    if (bound_seen_at_ != ascent_.epochs())
      bound_seen_ = std::max(bound_seen_, ascent_.proof().dual);
    bound_seen_at_ = ascent_.epochs();
    return std::max(dual_, bound_seen_);
  }

  /// Returns the dual variables of the best bound. The caller may move them out.
  Vector<double>& multipliers() { return multipliers_; }

 private:
  /// Returns the iterate, with F at NaN.
  Point<double> here() const {
    if (finish_ && finish_->is_in_round()) return finish_->here();
    return ascent_.here();
  }
  double allowed() const {
    return std::max(tolerance_ * std::abs(ascent_.best().objective), rounding_);
  }

  /// Would Newton's method be faster than the epochs that remain at the current rate? Returns false
  /// before four epochs have run, and after a trial of Newton's method until there are four times
  /// as many epochs: from other dual variables it may succeed.
  bool is_slow() const {
    if (ascent_.epochs() < next_trial_) return false;
    const double excess = ascent_.excess();
    if (!(excess > allowed()) || !(before_.excess > 0)) return false;
    const double left = std::log(excess / allowed());
    const double cost = ascent_.finish_cost(moved_, left);
    if (!std::isfinite(cost)) return false;
    const auto epochs = static_cast<double>(ascent_.epochs() - before_.epoch);
    const double pace = std::log(before_.excess / excess) / epochs;
    const double visits = static_cast<double>(ascent_.updates() - before_.updates) / epochs;
    return visits * ascent_.visit_cost() * left > pace * cost;
  }

  /// Saves the state after epochs 1, 2, 4, 8, … in now_, and the previously saved state in before_.
  void mark() {
    if (ascent_.epochs() < 2 * now_.epoch) return;
    before_ = now_;
    now_ = {ascent_.epochs(), ascent_.updates(), ascent_.excess()};
  }

  void start_trial() {
    finish_ = ascent_.finish();
    if (!finish_->is_sound()) end_trial();
  }
  void end_trial() {
    next_check_ = ascent_.epochs() + least_wait;
    next_trial_ = 4 * ascent_.epochs();
    finish_.reset();
  }

  /// Ends a round of Newton's method, and Newton's method if it expects no further progress.
  void end_round() {
    const bool is_worth_it = finish_->end_round();
    moved_ = ascent_.take(finish_->multipliers(), finish_->point());
    const bool is_near = ascent_.best().objective - finish_->dual() <= allowed();
    if (is_near || !is_worth_it) prove();
    if (!is_worth_it) end_trial();
  }

  /// Is mean_excess() a better estimate of the gap than excess()? After many epochs excess()
  /// fluctuates by more than its decrease in an epoch. The gap at the running mean of the iterates
  /// is then about a third of mean_excess(), and below the gap at the last iterate.
  bool is_steady() const { return ascent_.epochs() >= 2 * least_wait; }

  /// Should F be evaluated: may the gap be small enough, was the last evaluation long ago, or is a
  /// check due?
  bool is_due(double factor, Index visits) const {
    if (ascent_.epochs() >= next_look_ || is_check_due()) return true;
    const double excess = is_steady() ? ascent_.mean_excess() : ascent_.excess();
    // Is an evaluation cheap compared with an epoch?
    const bool is_cheap = 3 * visits > multipliers_.size();
    const double part = is_steady() ? 0.35
                        : is_cheap  ? std::min(factor, 0.5)
                                    : std::min(part_left(factor), 0.7);
    if (!(part * excess <= allowed() && excess <= 0.8 * looked_at_)) return false;
    // The best point may be from an early epoch, with a far larger F. So estimate F at the current
    // iterate as D plus the gap.
    const double value = std::abs(ascent_.dual_estimate() + excess);
    return part * excess <= std::max(tolerance_ * value, rounding_);
  }

  /// Returns the ratio of the gap at the end of an epoch to its estimate from the visits, if an
  /// epoch multiplies the gap by `factor` at a constant rate: `factor` over the mean of factorᵗ for
  /// t in [0, 1].
  static double part_left(double factor) {
    const double f = std::max(factor, 1e-6);
    return f < 0.99 ? f * std::log(f) / (f - 1) : 1;
  }

  /// Evaluates F at the current iterate or, if is_steady(), at the running mean of the iterates. If
  /// F is not low enough, and is_steady() or `at_end` is true, also evaluates F at the other of
  /// these two points. Computes the dual bound `at_end`, if a check is due, or if the gap may be
  /// small enough.
  void evaluate(bool at_end) {
    const Index epoch = ascent_.epochs();
    const double seen = is_steady() ? ascent_.mean_excess() : ascent_.excess();
    if (seen > 0) looked_at_ = seen;
    next_look_ = epoch + std::max(least_wait, epoch / 2);
    const double dual = ascent_.dual_estimate();
    const bool mean_first = is_steady();
    if (ascent_.look(mean_first, dual + allowed()) && (mean_first || at_end))
      ascent_.look(!mean_first, dual);
    const bool checks = is_check_due();
    if (at_end || checks || ascent_.best().objective - dual <= allowed()) prove();
    if (checks) check();
  }

  /// Is a check of the gap due? Neither the condition nor kinks slow down Newton's method, so the
  /// gap that it leaves may be due to rounding. Checks at growing intervals follow it. The run ends
  /// when, at three checks in a row, the gap is near rounding and has not fallen below the least
  /// gap so far by more than rounding.
  bool is_check_due() const { return ascent_.epochs() >= next_check_; }
  void check() {
    const double gap = ascent_.best().objective - dual_;
    idle_ = gap + rounding_ < least_gap_ || gap > 64 * rounding_ ? 0 : idle_ + 1;
    least_gap_ = std::min(least_gap_, gap);
    // Once visits gain only rounding, the intervals need not grow.
    const bool is_done = ascent_.excess() <= rounding_;
    next_check_ =
        ascent_.epochs() + (is_done ? least_wait : std::max(least_wait, ascent_.epochs() / 4));
  }

  void prove() {
    auto proof = ascent_.proof();
    const bool is_best = proof.dual > dual_;
    if (is_best) dual_ = proof.dual;
    if (!Certificate{ascent_.best().objective, dual_}.proves(tolerance_, rounding_))
      ascent_.renew(proof);
    if (is_best || multipliers_.size() == 0) multipliers_ = std::move(proof.multipliers);
  }

  static constexpr Index least_wait = 16;  // least epochs to the next regular evaluation or check
  static constexpr int most_idle = 3;      // limit of checks in a row without progress

  const samples::Frame<>& frame_;
  Ascent& ascent_;
  Point<double> constant_;
  double tolerance_;
  double rounding_;  // rounding error of F at the best constant
  Vector<double> multipliers_{};
  double dual_{-std::numeric_limits<double>::infinity()};
  std::unique_ptr<Finish> finish_{};  // Newton's method while it runs, else null
  Index next_trial_{4};               // epoch of the next trial of Newton's method
  Index pauses_{0};                   // epochs of Newton's method that ended within a round
  struct Mark {
    Index epoch{0}, updates{0};
    double excess{0};
  };
  Mark before_{}, now_{};  // see mark
  Index moved_{0};         // dual variables that changed in the last epoch
  double looked_at_{std::numeric_limits<double>::infinity()};  // estimated gap at last evaluation
  Index next_look_{least_wait};  // an evaluation is due from this epoch on
  // epoch of the next check after Newton's method
  Index next_check_{std::numeric_limits<Index>::max()};
  double least_gap_{std::numeric_limits<double>::infinity()};           // least gap at the checks
  int idle_{0};                                                         // checks without progress
  Point<double> seen_{{}, 0, std::numeric_limits<double>::infinity()};  // see observed
  double bound_seen_{-std::numeric_limits<double>::infinity()};
  Index seen_at_{-1}, bound_seen_at_{-1};  // passes and epochs at the last updates of these
};

}  // namespace linea::detail::dual
