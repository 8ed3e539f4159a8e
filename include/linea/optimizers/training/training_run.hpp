// SPDX-License-Identifier: MIT
#pragma once
/// \file Epoch after epoch until a criterion is met: what SGD, Pegasos and the perceptron share beyond the loop.
/// Each epoch ends with the full objective, penalty included, of the iterate that would be returned.
#include <algorithm>  // fill_n, min
#include <cmath>
#include <limits>
#include <linea/core/extras.hpp>
#include <linea/core/solution.hpp>
#include <linea/samples/risk.hpp>
#include <linea/samples/training_set.hpp>
#include <vector>

namespace linea::training {

/// When to stop, what to return, how often to try again.
struct Plan {
  Index epochs{100};
  double tolerance{1e-4};  ///< of the objective, relative, over `patience` epochs; 0: never
  Iterate iterate{Iterate::best};
  Index average_from{2};  ///< the first epoch, from 1, whose iterates are averaged
  Index retries{0};       ///< how often a diverging run is rolled back; 0: never
  Index max_updates{
      std::numeric_limits<Index>::max()};  ///< the run ends there, within an epoch if need be
  double target_objective{-std::numeric_limits<double>::infinity()};  ///< F that is low enough
  double change_tolerance{0};  ///< of the move of (w, b) in an epoch, relative; 0: never
  bool until_no_mistakes{false};
  bool bounded{true};  ///< an objective ten times that of the start counts as diverged
  static constexpr Index patience = 10;
};

/// What a run leaves beside its solution.
template <class T>
struct Account {
  Index restarts{0};
  Index mistakes{0};
  Point<T> current{};  ///< where it stood at the end: the last iterate, or the average
};

/// Rows as w = 0 scores them, without a look at x.
template <class Rows>
struct RowsAtZero : Rows {
  void scores(Index, Index count, const auto&, auto* s) const { std::fill_n(s, count, 0); }
};

/// A run's decisions, epoch by epoch; whoever owns the learner makes its epochs and evaluates F:
///
///     TrainingRun<T> run(learner, plan, extras, F at the start, F at zero);
///     while (run.begin_epoch(learner)) {
///       const Index moved = learner.run_epoch(set, run.updates_left(learner));
///       auto iterate = learner.solution();
///       iterate.objective = F(iterate.weights, iterate.offset);
///       run.end_epoch(learner, moved, std::move(iterate));
///     }
///     const auto solution = run.finish(learner);
///
/// Plan and extras must outlive it. F at zero matters to a run that starts elsewhere only. Beside the learner's
/// weights and the iterate of an epoch, it keeps those of the best one and, where the change is asked for, of the last.
template <class T>
class TrainingRun {
 public:
  template <class L>
  TrainingRun(L& learner, const Plan& plan, const Extras<T>& extras, double at_start,
              double at_zero)
      : plan_(plan),
        extras_(extras),
        warm_(extras.start_weights.size() > 0),
        keeps_last_(extras.observer || plan.change_tolerance > 0),
        average_from_(std::min(plan.average_from, plan.epochs)),
        start_{{}, learner.current_offset(), at_start},
        best_(start_),
        last_(start_) {
    if (keeps_last_) last_.weights = learner.current_weights();
    // An objective that starts at 0 has nothing to be compared with; its growth is then bounded by the
    // first epoch's.
    const double floor = warm_ ? std::max(at_start, at_zero) : at_start;
    ceiling_ = floor > 0 ? 10 * floor : 0;
    if (!plan.bounded) ceiling_ = std::numeric_limits<double>::infinity();
    if (plan.iterate == Iterate::average) learner.restart_average(average_from_ <= 1);
    // At w = 0 some losses are 0 that have learnt nothing.
    if (at_start <= plan.target_objective && (warm_ || at_start > 0)) end(Status::converged);
  }

  template <class L>
  Index updates_left(const L& learner) const {
    return plan_.max_updates - learner.updates();
  }

  /// Is there one epoch more? The first false ends the run.
  template <class L>
  bool begin_epoch(L& learner) {
    if (ended_ || epoch_ >= plan_.epochs || updates_left(learner) <= 0) return false;
    ++epoch_;
    if (plan_.iterate == Iterate::average && epoch_ == average_from_ && epoch_ > 1)
      learner.restart_average(true);
    return true;
  }

  /// `moved` visits of the epoch moved the weights, to `now`, of which the objective is known. Tells the observer.
  template <class L>
  void end_epoch(L& learner, Index moved, Solution<T> now) {
    account_.mistakes += moved;
    last_is_ = now.iterate;
    const double change = keeps_last_ ? change_to(now) : 0;
    last_ = {std::move(last_.weights), now.offset, now.objective};
    const bool finite = now.status != Status::diverged && std::isfinite(last_.objective);
    if (finite && ceiling_ == 0) ceiling_ = 10 * last_.objective;
    const bool stuck = ++since_restart_ == Plan::patience / 2 && start_.objective > 0 &&
                       std::min(best_.objective, last_.objective) > start_.objective;
    bool rolled_back = false;
    bool lost = false;  // diverged, with no retry left
    const double step_size = learner.step_size();
    if (!finite || (plan_.retries > 0 && (stuck || (last_.objective > ceiling_ && ceiling_ > 0)))) {
      lost = account_.restarts == plan_.retries;
      rolled_back = !lost;
      if (!lost) {
        ++account_.restarts;
        if (stuck) best_ = start_;
        learner.rewind(best_weights(learner), best_.offset, 0.25);
        last_ = {keeps_last_ ? best_.weights : Vector<T>{}, best_.offset, best_.objective};
        since_restart_ = 0;
      }
    } else if (!found_ || last_.objective < best_.objective) {
      best_ = {std::move(now.weights), now.offset, now.objective};
      found_ = true;
    }

    best_so_far_.push_back(best_.objective);
    if (extras_.observer) {
      const Progress progress{.epoch = epoch_,
                              .updates = learner.updates(),
                              .objective = last_.objective,
                              .best_objective = best_.objective,
                              .change = change,
                              .step_size = step_size,
                              .restarts = account_.restarts,
                              .mistakes = moved};
      if (extras_.observer(progress) == Control::stop) return end(Status::stopped);
    }
    if (lost) return end(Status::diverged);
    // The last epoch of all may have been cut short: what it moved is no measure.
    const bool settled =
        plan_.change_tolerance > 0 && updates_left(learner) > 0 && change <= plan_.change_tolerance;
    if (!rolled_back && (settled || last_.objective <= plan_.target_objective))
      return end(Status::converged);
    // A run that has not beaten its start has not converged, unless it was sent off from there.
    const bool moved_on = warm_ || start_.objective == 0 || best_.objective < start_.objective;
    if (plan_.tolerance > 0 && (plan_.iterate != Iterate::average || epoch_ > average_from_) &&
        since_restart_ > Plan::patience && found_ && moved_on) {
      const double before = best_so_far_[static_cast<std::size_t>(epoch_ - 1 - Plan::patience)];
      if (before - best_.objective <= plan_.tolerance * std::abs(best_.objective))
        end(Status::converged);
    }
  }

  /// Ends the run, before its epochs have run out.
  void end(Status status) {
    status_ = status;
    ended_ = true;
  }
  bool has_ended() const { return ended_; }

  /// The iterate that the plan asks for, or the best one known when the run diverged; `iterate` says which it is.
  template <class L>
  Solution<T> finish(const L& learner) {
    if (!std::isfinite(last_.objective) || (ceiling_ > 0 && last_.objective > ceiling_))
      status_ = Status::diverged;
    const bool keep_best = plan_.iterate == Iterate::best || status_ == Status::diverged;
    if (start_.objective > 0 && start_.objective < best_.objective) best_ = start_;
    last_.weights = learner.solution().weights;
    if (keep_best)
      best_weights(learner);
    else
      best_ = last_;
    account_.current = std::move(last_);
    const Iterate kind = keep_best ? Iterate::best : last_is_;
    return {std::move(best_.weights), best_.offset,      status_,        kind,
            learner.epochs(),         learner.updates(), best_.objective};
  }
  /// Complete once it is finished, and then the caller's to move from.
  Account<T>& account() { return account_; }

 private:
  /// ‖(w, b) − (w′, b′)‖ over ‖(w, b)‖, primes for the last iterate; 0 when both are zero. w is kept as the last.
  double change_to(const Solution<T>& now) {
    const auto norm = [](const Vector<T>& w, T b) {
      return std::hypot(static_cast<double>(w.stableNorm()), static_cast<double>(b));
    };
    last_.weights -= now.weights;
    const double moved = norm(last_.weights, last_.offset - now.offset);
    last_.weights = now.weights;
    return moved > 0 ? moved / norm(now.weights, now.offset) : 0;
  }

  template <class L>
  const Vector<T>& best_weights(const L& learner) {
    if (best_.weights.size() == 0) best_.weights = extras_.start_weights;
    if (best_.weights.size() == 0) best_.weights.setZero(learner.current_weights().size());
    return best_.weights;
  }

  const Plan& plan_;
  const Extras<T>& extras_;
  bool warm_;
  bool keeps_last_;  // for its distance to the next
  Index average_from_;
  Point<T> start_;  // without its weights, which are zero or the extras'
  Point<T> best_;   // no weights: those of the start
  Point<T> last_;
  Iterate last_is_{Iterate::last};
  Status status_{Status::epoch_limit};
  bool ended_{false};
  bool found_{false};  // has an epoch ended at a finite objective?
  Index epoch_{0};
  Index since_restart_{0};
  double ceiling_{0};  // an objective above it has diverged
  std::vector<double> best_so_far_;
  Account<T> account_;
};

/// One run from start to end, of a rule that has its loss. `evaluate(w, b)` is the objective, of which nothing but the
/// loss is left at w = 0.
template <class T, class L, class Rows, class Evaluate>
Solution<T> train(L& learner, const samples::TrainingSet<Rows>& set, const Plan& plan,
                  const Extras<T>& extras, Account<T>& account, const Evaluate& evaluate) {
  const auto at_zero = [&](T b) {
    return samples::risk_of_rows(learner.rule().loss, RowsAtZero<Rows>{set.rows}, set.y,
                                 set.weights, Vector<T>{}, b);
  };
  const T offset = learner.current_offset();
  const bool warm = extras.start_weights.size() > 0;
  const double at_start = warm ? evaluate(learner.current_weights(), offset) : at_zero(offset);
  TrainingRun<T> run(learner, plan, extras, at_start, warm ? at_zero(T(0)) : at_start);
  while (run.begin_epoch(learner)) {
    const Index moved = learner.run_epoch(set, run.updates_left(learner));
    auto now = learner.solution();
    now.objective = evaluate(now.weights, now.offset);
    run.end_epoch(learner, moved, std::move(now));
    // An order that draws may have passed over the samples that are wrong.
    if (plan.until_no_mistakes && moved == 0 && !run.has_ended() &&
        evaluate(learner.current_weights(), learner.current_offset()) == 0)
      run.end(Status::converged);
  }
  auto solution = run.finish(learner);
  account = std::move(run.account());
  return solution;
}

}  // namespace linea::training
