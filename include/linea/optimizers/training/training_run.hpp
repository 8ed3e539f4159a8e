// SPDX-License-Identifier: MIT
#pragma once
/// \file The decisions of a training run: when to stop, when to roll back, which iterate to return.
#include <algorithm>  // max, min
#include <cmath>
#include <limits>
#include <linea/core/extras.hpp>
#include <linea/core/solution.hpp>
#include <linea/core/trainable.hpp>
#include <linea/optimizers/training/run_options.hpp>
#include <vector>

namespace linea::training {

/// The decisions of a run, epoch by epoch. Whoever owns the learner makes its epochs and evaluates
/// F:
///
///     TrainingRun<T> run(learner, options, extras, F at the start, F at zero);
///     while (run.begin_epoch(learner)) {
///       const Index moved = learner.run_epoch(set, run.remaining_updates(learner));
///       auto iterate = learner.solution();
///       iterate.objective = F(iterate.weights, iterate.offset);
///       run.end_epoch(learner, moved, std::move(iterate));
///     }
///     const auto solution = run.finish(learner);
///
/// Options and extras must outlive the run. F at zero matters only to a run that starts elsewhere.
/// The run keeps the best iterate so far and, where its distance to the next is asked for, the last
/// one.
template <class T>
class TrainingRun {
 public:
  template <class L>
  TrainingRun(L& learner, const RunOptions& options, const Extras<T>& extras, double at_start,
              double at_zero)
      : options_(options),
        extras_(extras),
        warm_(extras.start_weights.size() > 0),
        keeps_last_(extras.observer || options.change_tolerance > 0),
        average_from_(std::min(options.average_from, options.epochs)),
        start_{{}, learner.current_offset(), at_start},
        best_(start_),
        last_(start_) {
    if (keeps_last_) last_.weights = learner.current_weights();
    const double reference = warm_ ? std::max(at_start, at_zero) : at_start;
    ceiling_ = reference > 0 ? 10 * reference : 0;
    if (!options.bounded) ceiling_ = std::numeric_limits<double>::infinity();
    if (options.iterate == Iterate::average) learner.restart_average(average_from_ <= 1);
    // A run from zero that starts at F = 0 is not done: there some losses are 0 that have learnt
    // nothing.
    if (at_start <= options.target_objective && (warm_ || at_start > 0)) end(Status::converged);
  }

  template <class L>
  Index remaining_updates(const L& learner) const {
    return options_.max_updates - learner.updates();
  }

  /// Is there to be one epoch more? Once the answer is no, the run is over.
  template <class L>
  bool begin_epoch(L& learner) {
    if (ended_ || epoch_ >= options_.epochs || remaining_updates(learner) <= 0) return false;
    ++epoch_;
    if (options_.iterate == Iterate::average && epoch_ == average_from_ && epoch_ > 1)
      learner.restart_average(true);
    return true;
  }

  /// Takes note of the epoch: `moved` of its visits moved the weights, and it ended at `now`, whose
  /// objective is set. Tells the observer.
  template <class L>
  void end_epoch(L& learner, Index moved, Solution<T> now) {
    record_.mistakes += moved;
    last_is_ = now.iterate;
    const double change = keeps_last_ ? change_to(now) : 0;
    last_ = {std::move(last_.weights), now.offset, now.objective};
    const double step_size = learner.step_size();
    const Outcome outcome = outcome_of(learner, now);

    best_so_far_.push_back(best_.objective);
    if (extras_.observer) {
      const Progress progress{.epoch = epoch_,
                              .updates = learner.updates(),
                              .objective = last_.objective,
                              .best_objective = best_.objective,
                              .change = change,
                              .step_size = step_size,
                              .restarts = record_.restarts,
                              .mistakes = moved,
                              .iterate = [this] { return point_as<double>(last_); }};
      if (extras_.observer(progress) == Control::stop) return end(Status::stopped);
    }
    if (outcome == Outcome::lost) return end(Status::diverged);
    // An epoch that max_updates has cut short moves little: its change says nothing.
    const bool settled = options_.change_tolerance > 0 && remaining_updates(learner) > 0 &&
                         change <= options_.change_tolerance;
    const bool goes_on = outcome == Outcome::goes_on;
    if (goes_on && last_.objective <= options_.target_objective)
      end(Status::converged);
    else if ((goes_on && settled) || has_settled())
      end(Status::settled);
  }

  /// Ends the run, though it may have epochs left.
  void end(Status status) {
    status_ = status;
    ended_ = true;
  }
  bool has_ended() const { return ended_; }

  /// The iterate that the options ask for, or the best one known when the run diverged; `iterate`
  /// says which it is.
  template <class L>
  Solution<T> finish(const L& learner) {
    if (!std::isfinite(last_.objective) || (ceiling_ > 0 && last_.objective > ceiling_))
      status_ = Status::diverged;
    const bool keep_best = options_.iterate == Iterate::best || status_ == Status::diverged;
    if (start_.objective > 0 && start_.objective < best_.objective) best_ = start_;
    last_.weights = learner.solution().weights;
    if (keep_best)
      best_weights(learner);
    else
      best_ = last_;
    record_.current = std::move(last_);
    const Iterate kind = keep_best ? Iterate::best : last_is_;
    return {std::move(best_.weights), best_.offset,      status_,        kind,
            learner.epochs(),         learner.updates(), best_.objective};
  }
  /// Complete after `finish`, and then the caller's to move from.
  RunRecord<T>& record() { return record_; }

 private:
  /// How an epoch ended: as it should, in a rollback, or diverged with no retry left.
  enum class Outcome { goes_on, rolled_back, lost };

  /// Makes `now` the best iterate where it is, or rolls the learner back to the best one when the
  /// run diverges or, in half the patience, has not come below its start.
  template <class L>
  Outcome outcome_of(L& learner, Solution<T>& now) {
    const bool finite = now.status != Status::diverged && std::isfinite(last_.objective);
    // Growth from F = 0 cannot be measured: then the end of the first epoch stands for the start.
    if (finite && ceiling_ == 0) ceiling_ = 10 * last_.objective;
    const bool stuck = ++since_restart_ == RunOptions::patience / 2 && start_.objective > 0 &&
                       std::min(best_.objective, last_.objective) > start_.objective;
    const bool too_high = last_.objective > ceiling_ && ceiling_ > 0;
    if (finite && !(options_.retries > 0 && (stuck || too_high))) {
      if (!found_ || last_.objective < best_.objective) {
        best_ = {std::move(now.weights), now.offset, now.objective};
        found_ = true;
      }
      return Outcome::goes_on;
    }
    if (record_.restarts == options_.retries) return Outcome::lost;
    ++record_.restarts;
    if (stuck) best_ = start_;
    learner.rewind(best_weights(learner), best_.offset, 0.25);
    last_ = {keeps_last_ ? best_.weights : Vector<T>{}, best_.offset, best_.objective};
    since_restart_ = 0;
    return Outcome::rolled_back;
  }

  /// Has the best F hardly fallen over `patience` epochs? A cold run that has not come below its
  /// start has not settled, nor has an average that is of one epoch only.
  bool has_settled() const {
    const bool moved_on = warm_ || start_.objective == 0 || best_.objective < start_.objective;
    if (!(options_.tolerance > 0) || since_restart_ <= RunOptions::patience || !found_ || !moved_on)
      return false;
    if (options_.iterate == Iterate::average && epoch_ <= average_from_) return false;
    const double before = best_so_far_[static_cast<std::size_t>(epoch_ - 1 - RunOptions::patience)];
    return before - best_.objective <= options_.tolerance * std::abs(best_.objective);
  }

  /// ‖(w, b) − (w′, b′)‖ over ‖(w, b)‖, where (w′, b′) is the last iterate; 0 when both are zero.
  /// Keeps w as the last.
  double change_to(const Solution<T>& now) {
    const auto norm = [](const Vector<T>& w, T b) {
      return std::hypot(static_cast<double>(w.stableNorm()), static_cast<double>(b));
    };
    last_.weights -= now.weights;
    const double moved = norm(last_.weights, last_.offset - now.offset);
    last_.weights = now.weights;
    return moved > 0 ? moved / norm(now.weights, now.offset) : 0;
  }

  /// The weights of best_, filled in where they are those of the start.
  template <class L>
  const Vector<T>& best_weights(const L& learner) {
    if (best_.weights.size() == 0) best_.weights = extras_.start_weights;
    if (best_.weights.size() == 0) best_.weights.setZero(learner.current_weights().size());
    return best_.weights;
  }

  const RunOptions& options_;
  const Extras<T>& extras_;
  bool warm_;        // does it start at given weights?
  bool keeps_last_;  // to measure its distance to the next
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
  double ceiling_{0};  // an objective above it has diverged; 0 while not known
  std::vector<double> best_so_far_;
  RunRecord<T> record_;
};

}  // namespace linea::training
