// SPDX-License-Identifier: MIT
#pragma once
/// \file The decisions of a training run: when to stop, when to roll back, which iterate to return.
#include <algorithm>  // max, min
#include <cmath>
#include <limits>
#include <linea/core/extras.hpp>
#include <linea/core/solution.hpp>
#include <linea/core/trainable.hpp>
#include <linea/optimizers/descent/change.hpp>
#include <linea/optimizers/descent/run_options.hpp>
#include <linea/optimizers/descent/settling.hpp>

namespace linea::descent {

/// The decisions of a run, epoch by epoch. Whoever owns the learner makes its epochs and evaluates
/// F:
///
///     TrainingRun<T> run(learner, options, extras, F at the start, F at zero);
///     while (run.begin_epoch(learner)) {
///       const Index moved = learner.run_epoch(set, run.remaining_updates(learner));
///       if (auto* iterate = run.end_epoch(learner, moved)) {
///         iterate->objective = F(iterate->weights, iterate->offset);
///         run.judge(learner);
///       }
///     }
///     const auto solution = run.finish(learner);
///
/// F costs a pass over the samples, nearly as much as an epoch. So a run looks at F after some
/// epochs only: after the first five, until one has come below the start, after every tenth and the
/// last, and after ten in a row where F seems to have settled. An observer is told of F after all,
/// but nothing follows from it: whoever looks on does not change a run. A target needs all looks.
///
/// Options and extras must outlive the run, which keeps the best iterate and, where a distance is
/// asked for, the last. F at zero matters only to a run that starts elsewhere.
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
    if (has_ended() || epoch_ >= options_.epochs || remaining_updates(learner) <= 0) return false;
    ++epoch_;
    now_ = {};
    if (options_.iterate == Iterate::average && epoch_ == average_from_ && epoch_ > 1)
      learner.restart_average(true);
    return true;
  }

  /// Takes note of an epoch `moved` of whose visits moved the weights. Answers with the iterate
  /// that it ended at where the run is to be told F there, to be set before `judge`; else nullptr.
  template <class L>
  Solution<T>* end_epoch(const L& learner, Index moved) {
    moved_ = moved;
    record_.mistakes += moved;
    ++since_restart_;
    const bool is_last = epoch_ >= options_.epochs || remaining_updates(learner) <= 0;
    if (keeps_last_) change_ = change_to(last_, now_ = learner.solution());
    // An epoch that max_updates has cut short moves little: its change says nothing.
    is_still_ = options_.change_tolerance > 0 && remaining_updates(learner) > 0 &&
                change_ <= options_.change_tolerance;
    looks_ = is_last || is_still_ || (!descends_ && since_restart_ <= RunOptions::patience / 2) ||
             settling_.is_watching() || !learner.is_finite() ||
             since_restart_ % RunOptions::patience == 0 ||
             (options_.until_no_mistakes && moved == 0) ||
             options_.target_objective > -std::numeric_limits<double>::infinity();
    if (looks_ && !keeps_last_) now_ = learner.solution();
    last_ = {std::move(last_.weights), now_.offset, now_.objective};
    return looks_ || extras_.observer ? &now_ : nullptr;
  }

  /// Draws the conclusions from F at the iterate of `end_epoch`, and tells the observer.
  template <class L>
  void judge(L& learner) {
    last_is_ = now_.iterate;
    last_.objective = now_.objective;
    const double step_size = learner.step_size();
    const Outcome outcome = looks_ ? outcome_of(learner) : Outcome::goes_on;
    const bool goes_on = outcome == Outcome::goes_on;
    if (goes_on) lowest_seen_ = std::min(lowest_seen_, last_.objective);

    if (extras_.observer) {
      const Progress progress{.epoch = epoch_,
                              .updates = learner.updates(),
                              .objective = last_.objective,
                              .best_objective = std::min(best_.objective, lowest_seen_),
                              .change = change_,
                              .step_size = step_size,
                              .restarts = record_.restarts,
                              .mistakes = moved_,
                              .iterate = [this] { return point_as<double>(last_); }};
      is_stopped_ = extras_.observer(progress) == Control::stop;
      stopped_unseen_ = is_stopped_ && goes_on && !looks_;
    }
    if (outcome == Outcome::lost) return end(Status::diverged);
    if (goes_on && last_.objective <= options_.target_objective)
      end(Status::converged);
    else if ((goes_on && is_still_) ||
             (goes_on && looks_ && options_.tolerance > 0 && has_settled()))
      end(Status::settled);
  }

  /// Ends the run, though it may have epochs left.
  void end(Status status) {
    status_ = status;
    ended_ = true;
  }
  bool has_ended() const { return ended_ || is_stopped_; }

  /// The iterate that the options ask for, or the best one known when the run diverged; `iterate`
  /// says which it is.
  template <class L>
  Solution<T> finish(const L& learner) {
    if (stopped_unseen_) keep_if_best();
    if (is_stopped_) status_ = Status::stopped;
    if (!std::isfinite(last_.objective) || (ceiling_ > 0 && last_.objective > ceiling_))
      status_ = Status::diverged;
    const bool keep_best = options_.iterate == Iterate::best || status_ == Status::diverged;
    if (start_.objective > 0 && start_.objective < best_.objective) best_ = start_;
    now_ = {};
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
  RunRecord<T>& record() { return record_; }  ///< complete, and to be moved from, after `finish`

 private:
  /// How an epoch ended: as it should, in a rollback, or diverged with no retry left.
  enum class Outcome { goes_on, rolled_back, lost };

  /// Rolls the learner back to the best iterate when the run diverges or, in half the patience, has
  /// not come below its start.
  template <class L>
  Outcome outcome_of(L& learner) {
    const bool finite = now_.status != Status::diverged && std::isfinite(last_.objective);
    // Growth from F = 0 cannot be measured: then the end of the first epoch stands for the start.
    if (finite && ceiling_ == 0) ceiling_ = 10 * last_.objective;
    const bool stuck = since_restart_ == RunOptions::patience / 2 && start_.objective > 0 &&
                       std::min(best_.objective, last_.objective) > start_.objective;
    const bool too_high = last_.objective > ceiling_ && ceiling_ > 0;
    if (finite && !(options_.retries > 0 && (stuck || too_high))) {
      descends_ = descends_ || !(last_.objective >= start_.objective && start_.objective > 0);
      settling_.note(last_.objective);
      keep_if_best();
      return Outcome::goes_on;
    }
    if (record_.restarts == options_.retries) return Outcome::lost;
    ++record_.restarts;
    if (stuck) {
      best_ = start_;
      settling_.restart(start_.objective);
    }
    learner.rewind(best_weights(learner), best_.offset, 0.25);
    last_ = {keeps_last_ ? best_.weights : Vector<T>{}, best_.offset, best_.objective};
    since_restart_ = 0;
    descends_ = stuck;
    settling_.stop_watching();
    return Outcome::rolled_back;
  }

  /// Makes the iterate of this epoch the best one where it is, or where it is the first.
  void keep_if_best() {
    if (found_ && !(last_.objective < best_.objective)) return;
    best_ = {std::move(now_.weights), now_.offset, now_.objective};
    found_ = true;
  }

  /// A cold run that has not come below its start has not settled, nor an average of one epoch.
  bool has_settled() {
    const bool has = settling_.has_settled(since_restart_, options_.tolerance);
    const bool moved_on = warm_ || start_.objective == 0 || settling_.lowest() < start_.objective;
    return has && moved_on && (options_.iterate != Iterate::average || epoch_ > average_from_);
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
  bool ended_{false}, is_stopped_{false};
  bool stopped_unseen_{false};  // after an epoch whose F was for the observer alone
  bool found_{false};           // has an epoch ended at a finite objective?
  bool looks_{true};            // does the run look at F after this epoch?
  bool descends_{false};        // has the run come below its start, or is it back there for good?
  bool is_still_{false};        // has this epoch hardly moved the weights?
  Index moved_{0};
  double change_{0};
  Solution<T> now_{};  // the iterate of this epoch
  Index epoch_{0}, since_restart_{0};
  double ceiling_{0};  // an objective above it has diverged; 0 while not known
  double lowest_seen_{std::numeric_limits<double>::infinity()};  // by an observer too
  Settling<> settling_{RunOptions::patience};
  RunRecord<T> record_;
};

}  // namespace linea::descent
