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

/// Returns the centring and scaling of the features, which change nothing without standardisation.
linea::detail::samples::Frame<> frame_of(const Preprocessing& input) {
  if (!input.is_scaled()) return {};
  return {input.scaling.mean, input.scaling.scale};
}

bool has_same_scales(const Preprocessing& one, const Preprocessing& other) {
  const auto& [mean, scale] = one.scaling;
  return scale.size() == other.scaling.scale.size() && mean == other.scaling.mean &&
         scale == other.scaling.scale;
}

/// Returns the goal and the limit of the run of a task.
RunGoal goal_of(const FitTask& task) {
  const auto& name = task.optimizer;
  const bool is_proven = name != "sgd" && name != "pegasos" && name != "perceptron";
  RunGoal goal;
  if (is_proven) goal.tolerance = task.tolerance;
  if (task.epochs || !is_proven) goal.epochs = task.epochs.value_or(100);
  return goal;
}

/// Fits one function for each of `count` classes, all together.
Functions fit_one_softmax(FitTask& task, const Learnt& learnt, Index count, const HeldOut* held_out,
                          Watch& watch) {
  watch.begin("softmax", Named("log"), held_out, goal_of(task));
  Functions found = fit_softmax(task, learnt.x, learnt.y, count);
  if (const auto* best = watch.end(found.fits.front())) found.take(0, *best);
  return found;
}

Fit fit_one(FitTask& task, const EntriesView& x, const Vector& y, const HeldOut* held_out,
            Watch& watch) {
  watch.begin(task.loss.name, task.loss, held_out, goal_of(task));
  Fit one = fit(task, x, y);
  if (const auto* best = watch.end(one)) {
    one.weights = best->front().weights;
    one.offset = best->front().offset;
  }
  return one;
}

/// Returns the sum of a member over the fits.
template <class Member>
auto sum_of(const std::vector<Fit>& fits, Member member) {
  std::remove_cvref_t<decltype(fits[0].*member)> sum = 0;
  for (const auto& fit : fits) sum += fit.*member;
  return sum;
}

}  // namespace

void Functions::take(Index first, const std::vector<linea::Point<double>>& points) {
  for (const auto& point : points) {
    weights.col(first) = point.weights;
    offset[first++] = point.offset;
  }
}

linea::Status Functions::status() const {
  linea::Status worst = linea::Status::converged;
  for (const auto& fit : fits) worst = std::max(worst, fit.status);
  return worst;
}
double Functions::objective() const { return sum_of(fits, &Fit::objective); }
std::optional<double> Functions::dual() const {
  double sum = 0;
  for (const auto& fit : fits) {
    if (!fit.dual) return std::nullopt;
    sum += *fit.dual;
  }
  return sum;
}
Index Functions::epochs() const { return sum_of(fits, &Fit::epochs); }
Index Functions::updates() const { return sum_of(fits, &Fit::updates); }

Functions fit_all(const TrainOptions& options, const Model& model, double lambda,
                  const Learnt& learnt, const Functions* start, const HeldOut* held_out,
                  const Checkpoint& checkpoint, Watch& watch) {
  FitTask task = options.task;
  task.lambda = lambda;
  task.sample_weights = learnt.sample_weights;
  task.observer = [&watch](const linea::Progress& progress) { return watch.step(progress); };
  const Index count =
      options.is_softmax ? static_cast<Index>(model.labels.size()) : functions_of(model);
  Functions found;
  found.weights = start ? start->weights : linea::Matrix<double>::Zero(learnt.x.cols(), count);
  found.offset = start ? start->offset : Vector::Zero(count);
  const auto keep_from = [&](Index first) {
    if (checkpoint)
      watch.keep_iterates(options.checkpoint_every, [&, first](const auto& points) {
        found.take(first, points);
        checkpoint(found);
      });
  };
  keep_from(0);
  if (options.is_softmax) return fit_one_softmax(task, learnt, count, held_out, watch);
  for (Index k = 0; k < count; ++k) {
    keep_from(k);
    if (start) {
      task.start_weights = start->weights.col(k);
      task.start_offset = task.offset ? start->offset[k] : 0;
    }
    HeldOut of_function;
    if (held_out)
      of_function = {held_out->x, targets_of(model, held_out->y, k), held_out->sample_weights,
                     held_out->patience};
    const Fit& one = found.fits.emplace_back(fit_one(task, learnt.x, targets_of(model, learnt.y, k),
                                                     held_out ? &of_function : nullptr, watch));
    found.weights.col(k) = one.weights;
    found.offset[k] = one.offset;
  }
  return found;
}

bool takes_start(const TrainOptions& options) {
  const auto& name = options.task.optimizer;
  return name != "ridge" && name != "dual" && name != "pegasos" && !options.is_softmax;
}

Functions read_start(const TrainOptions& options, const Model& model) {
  const Model start = read_model(options.start);
  linea::require(takes_start(options), options.is_softmax ? "softmax" : options.task.optimizer,
                 " takes no --start");
  linea::require(start.weights.rows() == model.input.features(), options.start, ": a model of ",
                 start.weights.rows(), " features, but there are ", model.input.features());
  const Index count = functions_of(model);
  linea::require(start.weights.cols() == count, options.start, ": a model of ",
                 start.weights.cols(), " functions, but ", count, " are needed");
  Functions functions;
  functions.weights = start.weights;
  functions.offset = start.offset;
  if (has_same_scales(start.input, model.input)) return functions;
  // The start model may have been trained on features of another scale.
  for (Index k = 0; k < count; ++k) {
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
