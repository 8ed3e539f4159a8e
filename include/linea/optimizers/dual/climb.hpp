// SPDX-License-Identifier: MIT
#pragma once
/// \file A run of dual coordinate ascent: epochs until the duality gap is proven to be small
/// enough.
#include <algorithm>  // max, min
#include <cmath>      // abs, isfinite, pow
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
class Climb {
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
      const double before = ascent_.excess();
      const Index moved = ascent_.run_epoch();
      const bool last = ascent_.epochs() == epochs;
      // `excess` is the gap as the visits saw it, so of mid-epoch. If it fell by a factor f since
      // the last epoch, expect it to have fallen by f again at the end of this one. Where f is near
      // 1 the iterates circle the minimum, and their running mean is nearer to it than the last.
      const double factor = before > 0 && std::isfinite(before) ? ascent_.excess() / before : 1;
      if (observer || last || is_due(factor)) {
        look(factor > 0.5 || last || ascent_.is_shared(), observer || last);
        tell(observer, moved);
      }
      if constexpr (requires { ascent_.finish(); })
        if (is_slow(factor) && goes_on(epochs)) finish(epochs, observer);
    }
  }

  bool is_proven() const { return proven_; }
  bool is_stopped() const { return stopped_; }  ///< by the observer
  double dual() const { return dual_; }         ///< the best bound on F
  /// Those that prove the bound, to move from.
  Vector<double>& multipliers() { return multipliers_; }

 private:
  double allowed() const {
    return std::max(tolerance_ * std::abs(ascent_.best().objective), rounding_);
  }

  bool goes_on(Index epochs) const {
    return !proven_ && !stopped_ && ascent_.is_finite() && ascent_.epochs() < epochs;
  }
  void tell(const Observe& observer, Index moved) {
    if (observer) stopped_ = observer(progress(moved)) == Control::stop;
  }

  /// Are there more than three epochs to come, though some have been made, and is Newton's method
  /// still to be tried?
  bool is_slow(double factor) const {
    if (has_tried_ || ascent_.epochs() < 4 || !ascent_.can_finish()) return false;
    return ascent_.excess() * std::pow(std::min(factor, 1.0), 3) > allowed();
  }

  /// Rounds of Newton's method, each an epoch, until the gap is small enough or they bring nothing.
  void finish(Index epochs, const Observe& observer) {
    has_tried_ = true;
    auto newton = ascent_.finish();
    bool is_worth_it = newton.is_sound();
    while (is_worth_it && goes_on(epochs)) {
      is_worth_it = newton.run_round(allowed());
      const Index moved = ascent_.take(newton.multipliers(), newton.point());
      const bool is_near = ascent_.best().objective - newton.dual() <= allowed();
      if (is_near || !is_worth_it || observer || ascent_.epochs() == epochs) prove();
      tell(observer, moved);
    }
  }

  /// May the gap be small enough? Or has nobody looked for long?
  bool is_due(double factor) const {
    const double excess = ascent_.excess();
    const bool promising =
        std::min(factor, 0.5) * excess <= allowed() && excess <= 0.8 * looked_at_;
    if (ascent_.is_shared()) return true;  // an epoch costs more than a look
    return promising || ascent_.epochs() >= next_look_;
  }

  /// Evaluates F, and, if that may be near enough or `proves`, the dual bound.
  void look(bool try_mean, bool proves) {
    const Index epoch = ascent_.epochs();
    if (const double excess = ascent_.excess(); excess > 0) looked_at_ = excess;
    next_look_ = epoch + std::max<Index>(16, epoch / 2);
    const double dual = ascent_.dual_estimate();
    ascent_.look(dual + allowed(), try_mean);
    if (proves || ascent_.best().objective - dual <= allowed()) prove();
  }

  void prove() {
    auto [multipliers, dual] = ascent_.proof();
    if (multipliers_.size() == 0) multipliers_ = multipliers;
    if (dual > dual_) {
      dual_ = dual;
      multipliers_ = std::move(multipliers);
    }
    proven_ = Certificate{ascent_.best().objective, dual_}.proves(tolerance_, rounding_);
  }

  Progress progress(Index moved) const {
    Progress progress;
    progress.epoch = ascent_.epochs();
    progress.updates = ascent_.updates();
    progress.objective = progress.best_objective = ascent_.best().objective;
    progress.mistakes = moved;
    progress.gap = Certificate{ascent_.best().objective, dual_}.gap();
    progress.iterate = [this] { return ascent_.best(); };
    return progress;
  }

  Ascent& ascent_;
  double tolerance_;
  double rounding_;
  Vector<double> multipliers_{};
  double dual_{-std::numeric_limits<double>::infinity()};
  bool proven_{false};
  bool stopped_{false};
  bool has_tried_{false};                                      // Newton's method
  double looked_at_{std::numeric_limits<double>::infinity()};  // the excess at the last look
  Index next_look_{16};  // the epoch at which to look in any case
};

}  // namespace linea::dual
