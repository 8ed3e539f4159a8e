// SPDX-License-Identifier: MIT
#include "programs/common/functions.hpp"

#include <algorithm>
#include <linea/core/require.hpp>
#include <linea/samples/frame.hpp>

namespace program {

using linea::Index;
using Vector = linea::Vector<double>;

Index functions_of(const Model& model) {
  return model.labels.size() > 2 ? static_cast<Index>(model.labels.size()) : 1;
}

Vector targets_of(const Model& model, const Vector& y, Index k) {
  if (!model.has_classes()) return y;
  const Index positive = model.labels.size() == 2 ? 1 : k;
  return (y.array() == static_cast<double>(positive)).select(1.0, Vector::Constant(y.size(), -1.0));
}

namespace {

/// The frame in which a model sees its features: scaled, or as they are.
linea::samples::Frame<> frame_of(const Preprocessing& input) {
  if (input.scale.size() == 0) return {};
  return {input.mean, input.scale};
}

bool has_same_scales(const Preprocessing& one, const Preprocessing& other) {
  return one.mean.size() == other.mean.size() && one.mean == other.mean && one.scale == other.scale;
}

bool takes_start(const std::string& optimizer) {
  return optimizer != "ridge" && optimizer != "dual" && optimizer != "pegasos";
}

/// Where the run of a task ends at the latest, and what it aims at.
RunGoal goal_of(const FitTask& task) {
  const auto& name = task.optimizer;
  const bool is_proven = name != "sgd" && name != "pegasos" && name != "perceptron";
  RunGoal goal;
  if (is_proven) goal.tolerance = task.tolerance;
  if (task.epochs || !is_proven) goal.epochs = task.epochs.value_or(100);
  return goal;
}

/// Between a fit that has just begun, as `watch` knows, and the saved run that has begun it before or
/// is to keep it; there may be none.
class KeptFit {
 public:
  /// Gives the task a state, which is that of the saved run where it has begun this fit.
  KeptFit(FitTask& task, SavedRun* saved, Watch& watch) : task_(task), watch_(watch) {
    // What an interruption has left is of the fit before.
    saved_ = Watch::is_interrupted(task.processes) ? nullptr : saved;
    if (saved_ && !saved_->current.empty()) {
      state_ = std::move(saved_->current);
      watch.state() = std::move(saved_->watch);
      saved_->current = {};
    }
    task.state = saved ? &state_ : nullptr;
    watch.may_pause(saved_ && saved_->write);
  }
  KeptFit(const KeptFit&) = delete;
  KeptFit& operator=(const KeptFit&) = delete;
  ~KeptFit() {
    task_.state = nullptr;
    watch_.may_pause(false);
  }

  /// Was the fit stopped for its state to be kept while it goes on? Keeps it.
  bool goes_on(const Fit& fit) {
    const bool is_pause = task_.processes.any(watch_.takes_pause());
    is_due_ = is_pause && saved_;
    if (!saved_ || !is_pause || fit.status != linea::Status::stopped ||
        watch_.has_stopped_early() || Watch::is_interrupted(task_.processes))
      return false;
    if (state_.empty()) {  // it keeps none, and would never come to its end
      watch_.may_pause(false);
      return true;
    }
    saved_->watch = watch_.state();
    saved_->current = state_;
    saved_->write(*saved_);
    saved_->current = {};
    watch_.begin_seconds();
    return true;
  }

  /// Leaves the state to the saved run if the fit was interrupted. Is it done, and to be kept?
  bool is_done(const Fit& fit) {
    const bool is_cut = fit.status == linea::Status::stopped && !watch_.has_stopped_early();
    if (is_cut && saved_) {
      saved_->watch = state_.empty() ? WatchState{} : watch_.state();
      if (state_.empty()) saved_->without_state = fit.optimizer;
      saved_->current = std::move(state_);
    }
    return saved_ && !is_cut;
  }
  /// Writes what is done if it was time for that when the fit came to its end.
  void write_if_due() {
    if (is_due_) saved_->write(*saved_);
  }

 private:
  bool is_due_{false};
  FitTask& task_;
  Watch& watch_;
  SavedRun* saved_;
  linea::RunState state_{};
};

/// One function for all classes together. A saved run has it as a fit for each class, the first of
/// which tells how all were found.
Functions fit_one_softmax(FitTask& task, const Learnt& learnt, Index count, const HeldOut* held_out,
                          SavedRun* saved, Watch& watch) {
  Functions found;
  if (saved && !saved->fits.empty()) {
    found.fits = {saved->fits.front()};
    found.weights.resize(learnt.x.cols(), static_cast<Index>(saved->fits.size()));
    found.offset.resize(found.weights.cols());
    for (Index k = 0; k < found.offset.size(); ++k) {
      const Fit& one = saved->fits[static_cast<std::size_t>(k)];
      found.weights.col(k) = one.weights;
      found.offset[k] = one.offset;
    }
    return found;
  }
  watch.begin("softmax", Named("log"), held_out, goal_of(task));
  KeptFit kept(task, saved, watch);
  do found = fit_softmax(task, learnt.x, learnt.y, count);
  while (kept.goes_on(found.fits.front()));
  Fit& fit = found.fits.front();
  const bool is_done = kept.is_done(fit);
  if (const auto* best = watch.end(fit))
    for (std::size_t k = 0; k < best->size(); ++k) {
      found.weights.col(static_cast<Index>(k)) = (*best)[k].weights;
      found.offset[static_cast<Index>(k)] = (*best)[k].offset;
    }
  for (Index k = 0; is_done && k < found.offset.size(); ++k) {
    Fit& one = saved->fits.emplace_back(fit);
    one.weights = found.weights.col(k);
    one.offset = found.offset[k];
  }
  if (is_done) kept.write_if_due();
  return found;
}

}  // namespace

Fit fit_one(FitTask& task, const EntriesView& x, const Vector& y, const HeldOut* held_out,
            SavedRun* saved, Watch& watch) {
  watch.begin(task.loss.name, task.loss, held_out, goal_of(task));
  KeptFit kept(task, saved, watch);
  Fit one = fit(task, x, y);
  while (kept.goes_on(one)) one = fit(task, x, y);
  const bool is_done = kept.is_done(one);
  if (const auto* best = watch.end(one)) {
    one.weights = best->front().weights;
    one.offset = best->front().offset;
  }
  if (!is_done) return one;
  saved->fits.push_back(one);
  kept.write_if_due();
  return one;
}

linea::Status Functions::status() const {
  linea::Status worst = linea::Status::converged;
  for (const auto& fit : fits) worst = std::max(worst, fit.status);
  return worst;
}
double Functions::objective() const {
  double sum = 0;
  for (const auto& fit : fits) sum += fit.objective;
  return sum;
}
std::optional<double> Functions::dual() const {
  double sum = 0;
  for (const auto& fit : fits) {
    if (!fit.dual) return std::nullopt;
    sum += *fit.dual;
  }
  return sum;
}
Index Functions::epochs() const {
  Index sum = 0;
  for (const auto& fit : fits) sum += fit.epochs;
  return sum;
}
Index Functions::updates() const {
  Index sum = 0;
  for (const auto& fit : fits) sum += fit.updates;
  return sum;
}

Functions fit_all(const TrainOptions& options, const Model& model, double lambda,
                  const Learnt& learnt, const Functions* start, const HeldOut* held_out,
                  SavedRun* saved, Watch& watch) {
  FitTask task = options.task;
  task.lambda = lambda;
  task.sample_weights = learnt.sample_weights;
  task.processes = learnt.processes;
  task.observer = [&watch](const linea::Progress& progress) { return watch.step(progress); };
  if (options.is_softmax)
    return fit_one_softmax(task, learnt, static_cast<Index>(model.labels.size()), held_out, saved,
                           watch);
  const Index count = functions_of(model);
  Functions found;
  found.weights.resize(learnt.x.cols(), count);
  found.offset.resize(count);
  for (Index k = 0; k < count; ++k) {
    if (start) {
      task.start_weights = start->weights.col(k);
      task.start_offset = task.offset ? start->offset[k] : 0;
    }
    HeldOut of_function;
    if (held_out)
      of_function = {held_out->x, targets_of(model, held_out->y, k), held_out->patience};
    const bool is_done = saved && static_cast<std::size_t>(k) < saved->fits.size();
    const Fit& one =
        found.fits.emplace_back(is_done ? saved->fits[static_cast<std::size_t>(k)]
                                        : fit_one(task, learnt.x, targets_of(model, learnt.y, k),
                                                  held_out ? &of_function : nullptr, saved, watch));
    found.weights.col(k) = one.weights;
    found.offset[k] = one.offset;
  }
  return found;
}

Functions read_start(const TrainOptions& options, const Model& model) {
  const Model start = read_model(options.start);
  linea::require(takes_start(options.task.optimizer) && !options.is_softmax,
                 options.is_softmax ? "softmax" : options.task.optimizer, " takes no --start");
  linea::require(start.weights.rows() == model.input.features(), options.start, ": a model of ",
                 start.weights.rows(), " features, but there are ", model.input.features());
  const Index count = functions_of(model);
  linea::require(start.weights.cols() == count, options.start, ": a model of ",
                 start.weights.cols(), " functions, but ", count, " are to be fitted");
  Functions functions;
  functions.weights = start.weights;
  functions.offset = start.offset;
  if (has_same_scales(start.input, model.input)) return functions;
  for (Index k = 0; k < count; ++k) {  // the start's features are scaled in another way
    Vector theta(start.weights.rows() + 1);
    theta << start.weights.col(k), start.offset[k];
    Vector weights;
    double offset = 0;
    frame_of(start.input).leave(theta, true, weights, offset);
    frame_of(model.input).enter(weights, offset, true, theta);
    functions.weights.col(k) = theta.head(weights.size());
    functions.offset[k] = theta[weights.size()];
  }
  return functions;
}

}  // namespace program
