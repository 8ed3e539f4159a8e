// SPDX-License-Identifier: MIT
#include "programs/common/functions.hpp"

#include <algorithm>
#include <linea/core/require.hpp>

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

/// One function for all classes together.
Functions fit_one_softmax(const FitTask& task, const Learnt& learnt, const HeldOut* held_out,
                          Watch& watch) {
  watch.begin("softmax", Named("log"), held_out, goal_of(task));
  Functions found = fit_softmax(task, learnt.x, learnt.y);
  if (const auto* best = watch.end(found.fits.front()))
    for (std::size_t k = 0; k < best->size(); ++k) {
      found.weights.col(static_cast<Index>(k)) = (*best)[k].weights;
      found.offset[static_cast<Index>(k)] = (*best)[k].offset;
    }
  return found;
}

/// One function by itself. Goes on from `saved` where that has begun it; sets its state there if the
/// fit is interrupted.
Fit fit_one(FitTask& task, const linea::SparseMatrix<double>& x, const Vector& y,
            const HeldOut* held_out, SavedRun* saved, Watch& watch) {
  watch.begin(task.loss.name, task.loss, held_out, goal_of(task));
  // What an interruption has left is of the function before.
  const bool was_interrupted = Watch::is_interrupted();
  linea::RunState state;
  if (saved && !saved->current.empty() && !was_interrupted) {
    state = std::move(saved->current);
    watch.state() = std::move(saved->watch);
    saved->current = {};
  }
  task.state = saved ? &state : nullptr;
  Fit one = fit(task, x, y);
  task.state = nullptr;
  const bool is_cut = one.status == linea::Status::stopped && !watch.has_stopped_early();
  if (is_cut && saved && !was_interrupted) {
    saved->watch = state.empty() ? WatchState{} : watch.state();
    if (state.empty()) saved->without_state = one.optimizer;
    saved->current = std::move(state);
  }
  if (const auto* best = watch.end(one)) {
    one.weights = best->front().weights;
    one.offset = best->front().offset;
  }
  if (saved && !is_cut && !was_interrupted) saved->fits.push_back(one);
  return one;
}

}  // namespace

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
  task.observer = [&watch](const linea::Progress& progress) { return watch.step(progress); };
  if (options.is_softmax) return fit_one_softmax(task, learnt, held_out, watch);
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
  return functions;
}

}  // namespace program
