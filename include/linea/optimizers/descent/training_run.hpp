// SPDX-License-Identifier: MIT
#pragma once
/// \file The decisions of a training run: when to stop, when to roll back, which iterate to return.
#include <algorithm>  // max, min
#include <cmath>      // abs, isfinite, sqrt
#include <cstdint>
#include <limits>
#include <linea/core/extras.hpp>
#include <linea/core/objective.hpp>
#include <linea/core/observer.hpp>
#include <linea/core/solution.hpp>
#include <linea/core/workers.hpp>
#include <linea/samples/risk.hpp>
#include <linea/samples/training_set.hpp>
#include <string_view>
#include <utility>  // move

namespace linea {

/// A batch of this size is the whole set, however large: one step in each epoch, along the full
/// gradient.
inline constexpr Index all_samples = std::numeric_limits<Index>::max();

/// The default of max_updates and target_objective: no limit.
inline constexpr Index no_limit = std::numeric_limits<Index>::max();
inline constexpr double no_target = -std::numeric_limits<double>::infinity();

/// A solution of a descent optimizer, with details of its steps.
template <class T>
struct [[nodiscard]] DescentSolution : Solution<T> {
  Point<T> current{};    ///< the last iterate; `weights` may be those of another iterate
  double first_step{0};  ///< η at t = 1, as chosen or given, before any restart
  double last_step{0};   ///< η of the last step
  Index restarts{0};     ///< number of roll-backs, each of which divides η by 4
};

}  // namespace linea

namespace linea::detail::descent {

/// The options of an optimizer for its learners and runs. BasicSgd documents them.
struct Options {
  std::string_view function{};  ///< the public function, for messages
  Index epochs{100};
  double tolerance{0};
  Iterate iterate{Iterate::best};
  Index average_from{2};
  Index retries{0};
  Index max_updates{no_limit};
  double target_objective{no_target};
  double change_tolerance{0};
  /// For a perceptron: the run has converged when F = 0 after an epoch that does not change the
  /// weights. The run does not diverge while the weights are finite.
  bool until_no_mistakes{false};
  bool offset{true};
  Index batch{all_samples};
  double batch_growth{1};
  double average_power{1};
  std::uint64_t seed{0};
  Index threads{1};
};

/// F = mean loss + penalty on a training set, with targets y.
template <class Rows, class Loss, class P>
struct ObjectiveOn {
  using T = typename Rows::Scalar;

  const Objective<Loss, P>& objective;
  const samples::TrainingSet<Rows>& set;
  const Vector<T>& y;
  Workers* workers{nullptr};

  double operator()(const Vector<T>& w, T b) const {
    return samples::risk_of_rows(objective.loss, set.rows, y, set.weights, w, b, workers) +
           static_cast<double>(objective.penalty.value(w));
  }
  /// Returns F at w = 0, where the penalty must be 0, without reading x.
  double at_zero(T b) const {
    return samples::risk_of_rows(objective.loss, samples::RowsAtZero<Rows>{set.rows}, y,
                                 set.weights, Vector<T>{}, b);
  }
};

/// The decisions of a run, epoch by epoch. The caller owns the learner, runs its epochs and
/// evaluates F:
///
///     TrainingRun<T, L, F> run(learner, options, extras, F);
///     while (run.begin_epoch()) {
///       learner.run_epoch(set, run.remaining_updates());
///       if (auto* iterate = run.end_epoch())
///         iterate->objective = F(iterate->weights, iterate->offset);
///       run.judge();
///     }
///     const auto solution = run.finish();
///
/// F, an ObjectiveOn, costs a pass over the samples, nearly as much as an epoch. So a run evaluates
/// F only after these epochs, counted from the start or the last roll-back: the first five, until F
/// is below F at the start; every tenth; the last; up to ten in a row when F seems to have settled;
/// and epochs that hardly change the weights (see change_tolerance), in which a perceptron makes no
/// mistake, or after which the weights are not finite. With a target_objective the run evaluates F
/// after every epoch. An observer may ask for F after any epoch, without effect on the run.
///
/// Learner, options and extras must outlive the run. The run keeps the best iterate. For
/// change_tolerance or an observer it also keeps the last iterate.
template <class T, class L, class F>
class TrainingRun final : public ObservedRun {
 public:
  TrainingRun(L& learner, const Options& options, const Extras<T>& extras, const F& evaluate)
      : learner_(learner),
        options_(options),
        extras_(extras),
        evaluate_(evaluate),
        warm_(extras.start_weights.size() > 0),
        keeps_last_(extras.observer || options.change_tolerance > 0),
        average_from_(std::min(options.average_from, options.epochs)),
        first_step_(learner.step_size_at(1)),
        last_{learner.current_weights(), learner.current_offset()} {
    start_ = warm_ || !last_.weights.isZero(0) ? evaluate(last_.weights, last_.offset)
                                               : evaluate.at_zero(last_.offset);
    last_.objective = start_;
    best_ = last_;
    start_counts_ = warm_ || start_ > 0 || last_.offset != T(0);
    if (!start_counts_ || std::isnan(start_)) best_.objective = infinity;
    const double reference = warm_ ? std::max(start_, evaluate.at_zero(T(0))) : start_;
    ceiling_ = options.until_no_mistakes ? infinity : reference > 0 ? 10 * reference : 0;
    if (options.iterate == Iterate::average) learner.restart_average(average_from_ <= 1);
    if (start_ <= options.target_objective && start_counts_) end(Status::converged);
  }

  Index remaining_updates() const { return options_.max_updates - learner_.updates(); }

  /// Begins another epoch, or returns false at the end of the run.
  bool begin_epoch() {
    if (has_ended_ || is_last_epoch()) return false;
    ++epoch_;
    if (options_.iterate == Iterate::average && epoch_ == average_from_ && epoch_ > 1)
      learner_.restart_average(true);
    return true;
  }

  /// Records an epoch. If the run needs F at the last iterate, returns this iterate, else nullptr.
  /// The caller must set its objective before `judge`.
  Solution<T>* end_epoch() {
    moved_ = learner_.mistakes() - mistakes_;
    mistakes_ += moved_;
    ++since_restart_;
    now_ = learner_.solution();
    if (keeps_last_) measure_change();
    // The change of an epoch truncated by max_updates is not meaningful.
    is_still_ = options_.change_tolerance > 0 && remaining_updates() > 0 &&
                change_ <= options_.change_tolerance;
    is_judged_ = is_last_epoch() || is_still_ || is_tenth() || watched_from_ > 0 ||
                 (!descends_ && since_restart_ <= patience / 2) ||
                 (options_.until_no_mistakes && moved_ == 0) ||
                 options_.target_objective > no_target || now_.status == Status::diverged;
    return is_judged_ ? &now_ : nullptr;
  }

  /// Decides how the run continues, from F at the iterate of `end_epoch`, and calls the observer.
  void judge() {
    if (!is_judged_ && !extras_.observer) return;
    last_.offset = now_.offset;
    if (is_judged_) last_.objective = now_.objective;
    const double step_size = learner_.step_size();
    const bool goes_on = !is_judged_ || is_sound();
    const bool is_lost = !goes_on && restarts_ == options_.retries;
    if (goes_on && is_judged_) {
      descends_ = descends_ || last_.objective < start_ || !start_counts_;
      lowest_ = std::min(lowest_, last_.objective);
      keep_if_best();
    }
    if (!goes_on && !is_lost) roll_back();
    if (extras_.observer && is_stopped(step_size)) {
      last_.objective = objective();
      if (goes_on) keep_if_best();
      end(Status::stopped);
    }
    if (is_lost)
      end(Status::diverged);
    else if (goes_on && last_.objective <= options_.target_objective)
      end(Status::converged);
    else if (goes_on && is_judged_ && (is_still_ || has_settled()))
      end(Status::settled);
    // An order with replacement may have missed misclassified samples: check all samples.
    if (options_.until_no_mistakes && moved_ == 0 && !has_ended_ &&
        evaluate_(learner_.current_weights(), learner_.current_offset()) == 0)
      end(Status::converged);
  }

  /// Returns F at the last iterate, for an observer.
  double objective() const override {
    if (std::isnan(shown_)) shown_ = evaluate_(last_.weights, last_.offset);
    return shown_;
  }
  Point<double> iterate(Index) const override {
    Point<double> point = point_as<double>(last_);
    point.objective = objective();
    return point;
  }

  /// Returns the iterate that the options select, or the best known iterate if the run diverged.
  DescentSolution<T> finish() {
    if (!std::isfinite(last_.objective) || (ceiling_ > 0 && last_.objective > ceiling_))
      status_ = Status::diverged;
    const bool keep_best = options_.iterate == Iterate::best || status_ == Status::diverged;
    last_.weights = learner_.solution().weights;
    Point<T> chosen = keep_best ? best() : last_;
    DescentSolution<T> solution;
    solution.weights = std::move(chosen.weights);
    solution.offset = chosen.offset;
    solution.objective = chosen.objective;
    solution.status = status_;
    solution.iterate = keep_best ? Iterate::best : now_.iterate;
    solution.epochs = learner_.epochs();
    solution.updates = learner_.updates();
    solution.current = std::move(last_);
    solution.first_step = first_step_;
    solution.last_step = learner_.step_size();
    solution.restarts = restarts_;
    return solution;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  static constexpr Index patience = 10;

  /// Ends the run. If `end` is called more than once, the first status counts.
  void end(Status status) {
    if (!has_ended_) status_ = status;
    has_ended_ = true;
  }

  bool is_tenth() const { return since_restart_ % patience == 0; }
  bool is_last_epoch() const { return epoch_ >= options_.epochs || remaining_updates() <= 0; }

  /// Sets change_ to ‖(w, b) − (w′, b′)‖/‖(w, b)‖, where (w, b) is now_ and (w′, b′) is last_, or
  /// to 0 if they are equal. Then sets last_ to (w, b).
  void measure_change() {
    const Index d = now_.weights.size();
    const auto now = [&](Index j) {
      return static_cast<double>(j < d ? now_.weights[j] : now_.offset);
    };
    const auto last = [&](Index j) {
      return static_cast<double>(j < d ? last_.weights[j] : last_.offset);
    };
    double scale = 0;  // avoids overflow of squares
    for (Index j = 0; j <= d; ++j)
      scale = std::max(scale, std::max(std::abs(now(j)), std::abs(last(j))));
    double moved = 0;
    double length = 0;
    for (Index j = 0; j <= d; ++j) {
      const double to = now(j) / scale;
      const double by = to - last(j) / scale;
      moved += by * by;
      length += to * to;
    }
    change_ = moved > 0 ? std::sqrt(moved / length) : 0;
    last_.weights = now_.weights;
    last_.offset = now_.offset;
  }

  /// May the run continue from this iterate? Returns false if the weights or F are not finite. If
  /// the options allow roll-backs, also returns false if F is above `ceiling_`, or if F has stayed
  /// above F at the start for half of the patience.
  bool is_sound() {
    is_stuck_ = false;
    if (now_.status == Status::diverged || !std::isfinite(last_.objective)) return false;
    // The growth of F from 0 is undefined: measure it from F after the first epoch instead.
    if (ceiling_ == 0) ceiling_ = 10 * last_.objective;
    is_stuck_ = since_restart_ == patience / 2 && start_counts_ &&
                std::min(lowest_, last_.objective) > start_;
    const bool too_high = ceiling_ > 0 && last_.objective > ceiling_;
    return options_.retries == 0 || !(is_stuck_ || too_high);
  }

  /// Sets the learner to the best iterate, with steps a quarter as long.
  void roll_back() {
    ++restarts_;
    if (is_stuck_) lowest_ = start_;
    last_ = best();
    learner_.rewind(last_.weights, last_.offset, 0.25);
    since_restart_ = 0;
    descends_ = is_stuck_;
    watched_from_ = 0;
  }

  /// Replaces the best iterate by the iterate of this epoch if F is lower.
  void keep_if_best() {
    if (!(last_.objective < best_.objective)) return;
    best_.weights = std::move(now_.weights);
    best_.offset = now_.offset;
    best_.objective = last_.objective;
  }

  /// Returns the best iterate.
  Point<T> best() const {
    Point<T> best = best_;
    if (best.objective == infinity) best.objective = start_;
    return best;
  }

  /// Calls the observer and returns whether it stops the run.
  bool is_stopped(double step_size) {
    shown_ = is_judged_ ? last_.objective : unknown;
    Progress progress;
    progress.epoch = epoch_;
    progress.updates = learner_.updates();
    progress.run = this;
    progress.change = change_;
    progress.step_size = step_size;
    progress.restarts = restarts_;
    progress.mistakes = moved_;
    return extras_.observer(progress) == Control::stop;
  }

  /// Has the lowest F fallen by at most tolerance·|F| over `patience` judged epochs in a row? These
  /// epochs begin when the lowest F has fallen by at most tolerance·|F| between two tenth epochs,
  /// which alone may be chance. A run without start weights does not settle before F is below F > 0
  /// at the start, and a run does not settle at an average over one epoch.
  bool has_settled() {
    if (!(options_.tolerance > 0)) return false;
    const bool fell = mark_ - lowest_ > options_.tolerance * std::abs(lowest_);
    if (watched_from_ > 0 && !fell)
      return since_restart_ - watched_from_ >= patience &&
             (warm_ || !start_counts_ || start_ == 0 || lowest_ < start_) &&
             (options_.iterate != Iterate::average || epoch_ > average_from_);
    watched_from_ = is_tenth() && !fell ? since_restart_ : 0;
    if (is_tenth() || mark_ == infinity) mark_ = lowest_;
    return false;
  }

  L& learner_;
  const Options& options_;
  const Extras<T>& extras_;
  F evaluate_;
  bool warm_;        // are start weights given?
  bool keeps_last_;  // keep the last iterate in last_, to measure its change or for an observer?
  Index average_from_;
  double start_{0};  // F at the start
  // False if F is 0 at w = 0 and b = 0, as for some losses before training. Then the run compares
  // no iterate with the start, and prefers any iterate of finite F to the start.
  bool start_counts_{true};
  double first_step_;
  Point<T> best_{};  // F is ∞ if this is the start, which does not count or has an F of NaN
  Point<T> last_{};
  Solution<T> now_{};              // the iterate of this epoch
  mutable double shown_{unknown};  // F at last_, once an observer has asked for it
  Status status_{Status::epoch_limit};
  bool has_ended_{false};
  bool is_judged_{true};  // does a decision depend on F after this epoch?
  bool is_stuck_{false};  // has F been above its start for so long that the run is rolled back?
  // False while the run compares F with F at the start. True once F has fallen below that since the
  // last roll-back, if the start does not count, and after the roll-back of a stuck run.
  bool descends_{false};
  bool is_still_{false};  // has this epoch hardly changed the weights?
  double change_{0};
  Index moved_{0}, mistakes_{0}, restarts_{0}, epoch_{0}, since_restart_{0};
  double ceiling_{0};        // divergence threshold of F; 0: not known
  double lowest_{infinity};  // least F of the judged epochs
  double mark_{infinity};    // lowest_ at an earlier epoch, see has_settled
  Index watched_from_{0};    // value of since_restart_ after which all epochs are judged; 0: none
};

/// Trains a learner from start to end.
template <class T, class L, class Rows, class Loss, class P>
DescentSolution<T> train(L& learner, const samples::TrainingSet<Rows>& set, const Options& options,
                         const Extras<T>& extras, const Objective<Loss, P>& objective,
                         Workers* workers = nullptr) {
  const ObjectiveOn<Rows, Loss, P> evaluate{objective, set, set.y, workers};
  TrainingRun<T, L, ObjectiveOn<Rows, Loss, P>> run(learner, options, extras, evaluate);
  while (run.begin_epoch()) {
    learner.run_epoch(set, run.remaining_updates());
    if (auto* now = run.end_epoch()) now->objective = evaluate(now->weights, now->offset);
    run.judge();
  }
  return run.finish();
}

}  // namespace linea::detail::descent
