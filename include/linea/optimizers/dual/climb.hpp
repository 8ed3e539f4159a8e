// SPDX-License-Identifier: MIT
#pragma once
/// \file A run of dual coordinate ascent: epochs until the duality gap is proven to be small
/// enough.
#include <algorithm>  // max, min
#include <cmath>      // abs, isfinite, log, pow
#include <functional>
#include <limits>
#include <linea/core/certificate.hpp>
#include <linea/core/observer.hpp>
#include <linea/core/types.hpp>
#include <utility>  // move

namespace linea::dual {

/// Decides after each epoch of an Ascent whether to look at the gap, which costs passes over x. The
/// visits have seen about what it is (Ascent::excess), so it is looked at when it may be small
/// enough, and now and then in any case.
template <class Ascent>
class Climb : ObservedRun {
  using Observe = std::function<Control(const Progress&)>;

 public:
  /// Converged is a gap of at most tolerance·|F| or at most `rounding`. The ascent must outlive it.
  Climb(Ascent& ascent, double tolerance, double rounding)
      : ascent_(ascent), tolerance_(tolerance), rounding_(rounding) {
    prove();
  }

  /// Makes at most `epochs` epochs. With an observer the gap is looked at after each of them.
  void run(Index epochs, const Observe& observer) {
    while (goes_on(epochs)) {
      if constexpr (requires { ascent_.finish(); })
        if (is_slow()) {
          finish(epochs, observer);
          continue;
        }
      const double before = ascent_.excess();
      const Index visits_before = ascent_.updates();
      moved_ = ascent_.run_epoch();
      mark();
      const bool last = ascent_.epochs() == epochs;
      // Where this is near 1 the iterates circle the minimum, and their running mean is nearer to
      // it than the last.
      factor_ = before > 0 && std::isfinite(before) ? ascent_.excess() / before : 1;
      if (observer || last || is_due(factor_, ascent_.updates() - visits_before)) {
        look(factor_ > 0.5 || last, observer || last);
        tell(observer, moved_);
      }
    }
  }

  bool is_proven() const { return proven_; }
  bool is_stopped() const { return stopped_; }  ///< by the observer
  /// Has rounding ended the progress?
  bool is_idle() const { return idle_ >= most_idle; }
  double dual() const { return dual_; }  ///< the best bound on F
  /// Those that prove the bound, to move from.
  Vector<double>& multipliers() { return multipliers_; }

 private:
  double allowed() const {
    return std::max(tolerance_ * std::abs(ascent_.best().objective), rounding_);
  }

  bool goes_on(Index epochs) const {
    return !proven_ && !stopped_ && !is_idle() && ascent_.is_finite() && ascent_.epochs() < epochs;
  }
  void tell(const Observe& observer, Index moved) {
    if (observer) stopped_ = observer(progress(moved)) == Control::stop;
  }

  /// Would Newton's method take less time than the epochs to come, at the pace of those behind?
  bool is_slow() const {
    if (has_tried_ || ascent_.epochs() < 4) return false;
    const double excess = underestimate_ * ascent_.excess();
    if (!(excess > allowed()) || !(before_.excess > 0)) return false;
    const double left = std::log(excess / allowed());
    const double cost = ascent_.finish_cost(moved_, left);
    if (!std::isfinite(cost)) return false;
    const auto epochs = static_cast<double>(ascent_.epochs() - before_.epoch);
    const double pace = std::log(before_.excess / ascent_.excess()) / epochs;
    const double visits = static_cast<double>(ascent_.updates() - before_.updates) / epochs;
    return visits * ascent_.visit_cost() * left > pace * cost;
  }

  /// Keeps what there was when about half of the epochs had been made.
  void mark() {
    if (ascent_.epochs() < 2 * now_.epoch) return;
    before_ = now_;
    now_ = {ascent_.epochs(), ascent_.updates(), ascent_.excess()};
  }

  /// Rounds of Newton's method, each an epoch, until the gap is small enough or they bring nothing.
  void finish(Index epochs, const Observe& observer) {
    has_tried_ = true;
    auto tail = ascent_.finish();
    bool is_worth_it = tail.is_sound();
    while (is_worth_it && goes_on(epochs)) {
      is_worth_it = tail.run_round(allowed());
      const Index moved = ascent_.take(tail.multipliers(), tail.point());
      const bool is_near = ascent_.best().objective - tail.dual() <= allowed();
      if (is_near || !is_worth_it || observer || ascent_.epochs() == epochs) prove();
      tell(observer, moved);
    }
    next_check_ = ascent_.epochs() + least_wait;
  }

  /// May the gap be small enough, after so many visits in the epoch? Or has nobody looked for long?
  bool is_due(double factor, Index visits) const {
    if (ascent_.epochs() >= next_look_ || is_check_due()) return true;
    const double excess = ascent_.excess();
    // A look takes as long as a few short epochs. To look in vain costs little after a long one, or
    // after many.
    const bool is_cheap = 3 * visits > multipliers_.size() || ascent_.epochs() > 2 * least_wait;
    const double part = is_cheap ? std::min(factor, 0.5) : std::min(part_left(factor), 0.7);
    if (!(part * excess <= allowed() && excess <= 0.8 * looked_at_)) return false;
    // F of the best point may be old, and far above what it is now.
    const double value = std::abs(ascent_.dual_estimate() + excess);
    return part * excess <= std::max(tolerance_ * value, rounding_);
  }

  /// The gap at the end of an epoch over what the visits saw of it on the way, if it falls at the
  /// same pace all the time, by `factor` in an epoch: factor over the mean of factorᵗ, t in [0, 1].
  static double part_left(double factor) {
    const double f = std::max(factor, 1e-6);
    return f < 0.99 ? f * std::log(f) / (f - 1) : 1;
  }

  /// Evaluates F, and, if that may be near enough or `proves`, the dual bound.
  void look(bool try_mean, bool proves) {
    const Index epoch = ascent_.epochs();
    if (const double excess = ascent_.excess(); excess > 0) looked_at_ = excess;
    next_look_ = epoch + std::max(least_wait, epoch / 2);
    const double dual = ascent_.dual_estimate();
    ascent_.look(dual, allowed(), try_mean);
    if (const double gap = ascent_.best().objective - dual; gap > ascent_.excess())
      underestimate_ = gap / ascent_.excess();
    else
      underestimate_ = 1;
    const bool checks = is_check_due();
    if (proves || checks || ascent_.best().objective - dual <= allowed()) prove();
    if (checks) check();
  }

  /// Where Newton's method, which feels neither the condition nor the kinks, has come to nothing
  /// more, steps may go on for ever within rounding. So the gap is checked from there on, after
  /// ever more epochs: if it is near rounding, and what it was, three times in a row, the run is at
  /// its end.
  bool is_check_due() const { return has_tried_ && ascent_.epochs() >= next_check_; }
  void check() {
    const double gap = ascent_.best().objective - dual_;
    idle_ = gap < least_gap_ || gap > 64 * rounding_ ? 0 : idle_ + 1;
    least_gap_ = std::min(least_gap_, gap);
    next_check_ = ascent_.epochs() + std::max(least_wait, ascent_.epochs() / 4);
  }

  void prove() {
    auto proof = ascent_.proof();
    const bool is_best = proof.dual > dual_;
    if (is_best) dual_ = proof.dual;
    proven_ = Certificate{ascent_.best().objective, dual_}.proves(tolerance_, rounding_);
    if (!proven_) ascent_.renew(proof);
    if (is_best || multipliers_.size() == 0) multipliers_ = std::move(proof.multipliers);
  }

  Progress progress(Index moved) const {
    Progress progress;
    progress.epoch = ascent_.epochs();
    progress.updates = ascent_.updates();
    progress.mistakes = moved;
    progress.run = this;
    return progress;
  }
  double objective() const override { return ascent_.best().objective; }
  double gap() const override { return Certificate{ascent_.best().objective, dual_}.gap(); }
  Point<double> iterate(Index) const override { return ascent_.best(); }

  static constexpr Index least_wait = 16;  // epochs
  static constexpr int most_idle = 3;      // checks

  Ascent& ascent_;
  double tolerance_;
  double rounding_;
  Vector<double> multipliers_{};
  double dual_{-std::numeric_limits<double>::infinity()};
  bool proven_{false};
  bool stopped_{false};
  bool has_tried_{false};  // Newton's method
  struct Mark {
    Index epoch{0}, updates{0};
    double excess{0};
  };
  Mark before_{}, now_{};    // see mark
  double underestimate_{1};  // the gap at the last look over the excess
  Index moved_{0};           // multipliers, in the last epoch
  double factor_{1};         // by which an epoch has changed the excess
  double looked_at_{std::numeric_limits<double>::infinity()};  // the excess at the last look
  Index next_look_{least_wait};  // the epoch at which to look in any case
  Index next_check_{0};          // after Newton's method
  double least_gap_{std::numeric_limits<double>::infinity()};  // at the checks
  int idle_{0};                                                // checks that brought nothing
};

}  // namespace linea::dual
