// SPDX-License-Identifier: MIT
#include "programs/linea_train_mpi/divided.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <linea/core/require.hpp>
#include <linea/data/shared_labels.hpp>
#include <optional>
#include <string>
#include <vector>

#include "programs/common/any_loss.hpp"
#include "programs/common/program.hpp"
#include "programs/common/targets.hpp"

namespace program {
namespace {

using linea::Index;
using linea::Processes;
using Vector = linea::Vector<double>;

/// Of all rows the share of mistakes, or the mean squared error.
Figures figures_of_all(const Trained& trained, Index rows, const Processes& processes) {
  const Model& model = trained.model;
  Figures figures;
  figures.samples = rows;
  figures.effective_samples = static_cast<double>(rows);
  figures.of_classes = model.has_classes();
  const auto scores = model.scores(trained.x);
  const auto n = static_cast<double>(rows);
  if (!figures.of_classes) {
    const Vector errors = scores.col(0) - trained.y;
    const double mean = processes.sum(errors.squaredNorm()) / n;
    const double fourths = processes.sum(errors.array().square().square().sum()) / n;
    figures.mean_squared_error = mean;
    figures.mean_absolute_error = processes.sum(errors.lpNorm<1>()) / n;
    figures.squared_error_deviation = std::sqrt(std::max(0.0, fourths - mean * mean) / n);
    return figures;
  }
  const auto found = model.classes_of(scores);
  Index mistakes = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    mistakes += static_cast<double>(found[i]) != trained.y[static_cast<Index>(i)];
  figures.mistakes = processes.sum(mistakes);
  figures.wrong_share = static_cast<double>(figures.mistakes) / n;
  figures.accuracy = 1 - figures.wrong_share;
  return figures;
}

/// A linear function, or one for each class. Where there is one its targets take the place of
/// trained.y, which is left empty. `start`: weights and offset of each, or none.
Functions fit_each(FitTask& task, const Model& model, const Functions* start, Trained& trained,
                   SavedRun* saved, Watch& watch) {
  const Index count = functions_of(model);
  Functions found;
  found.weights.resize(trained.x.cols(), count);
  found.offset.resize(count);
  for (Index k = 0; k < count; ++k) {
    if (start) task.start_weights = start->weights.col(k);
    if (start) task.start_offset = task.offset ? start->offset[k] : 0;
    const bool is_done = saved && static_cast<std::size_t>(k) < saved->fits.size();
    const Vector y = targets_of(model, trained.y, k);
    if (count == 1) trained.y.resize(0);
    const Fit& one =
        found.fits.emplace_back(is_done ? saved->fits[static_cast<std::size_t>(k)]
                                        : fit_one(task, trained.x, y, nullptr, saved, watch));
    found.weights.col(k) = one.weights;
    found.offset[k] = one.offset;
  }
  return found;
}

/// Takes note of what this rank learns from, or refuses states that are of other samples or that
/// the ranks have not kept together.
void require_same_run(const TrainOptions& options, const Trained& trained, const Functions* start,
                      const Processes& processes, SavedRun& saved) {
  DataChecksum sum;
  if (start) sum.add(start->weights);
  if (start) sum.add(start->offset);
  sum.add(trained.x);
  sum.add(trained.y);
  const auto ranks = static_cast<double>(processes.size());
  const auto rank = static_cast<double>(processes.rank());
  sum.add(Vector{{ranks, rank, static_cast<double>(processes.sum(trained.x.rows()))}});
  require_same_data(options.resume, options.train_file, trained.x.rows(), trained.x.cols(), sum,
                    saved);
  std::vector<double> done{saved.current.empty() ? 0.0 : 1.0};
  for (const Fit& fit : saved.fits) done.insert(done.end(), {fit.objective, fit.offset});
  linea::require(processes.are_same(done), options.resume,
                 ": the states of the ranks are not of one moment");
}

}  // namespace

void require_for_ranks(const TrainOptions& options, Index ranks) {
  const auto refuse_if = [](bool is_given, const std::string& option) {
    linea::require(!is_given, "linea_train_mpi takes no ", option, " yet; linea_train does");
  };
  const auto& name = options.task.optimizer;
  refuse_if(name == "perceptron", "--optimizer " + name);
  refuse_if(!options.class_weights.empty(), "--class-weights");
  refuse_if(!options.input.target.empty(), "--target");
  refuse_if(!options.input.drop.empty(), "--drop");
  refuse_if(!options.input.weights.empty(), "--weights");
  refuse_if(!options.input.text_columns.empty(), "--text");
  refuse_if(options.input.header != "auto", "--header");
  refuse_if(options.preprocessing.missing != "refuse", "--missing");
  refuse_if(options.task.use_float, "--float");
  refuse_if(options.patience != TrainOptions{}.patience, "--patience");
  refuse_if(!options.validation.empty(), "--validation");
  refuse_if(!options.plot.empty(), "--plot");
  const bool chooses = options.lambda == "auto" || options.lambdas.size() > 1;
  const bool saves = !options.save_state.empty() || !options.resume.empty();
  refuse_if(chooses && saves, "--save-state or --resume where it chooses --lambda");
  for (const auto& state : {options.save_state, options.resume})
    linea::require(state.empty() || ranks == 1 || state.find("%r") != std::string::npos, "'", state,
                   "': each rank keeps a state of its own; name them like run-%r.state");
  refuse_if(options.one_pass, "--one-pass");
  refuse_if(options.train_file == "-", "standard input");
}

Trained train_divided(TrainOptions& options, const Table& table, SavedRun* saved, Watch& watch,
                      const Processes& processes) {
  Trained trained;
  Model& model = trained.model;
  const Index rows = processes.sum(table.rows());
  trained.targets = target_column(table, 0);
  require_targets(table, trained.targets);
  const auto labels = linea::data::shared_labels(table.y, processes);
  settle_targets(options, table, trained.targets, {labels.values(), rows}, model, trained.note);
  trained.y = targets_for(model, table, trained.targets);
  trained.targets = {};  // from here on the fit needs the memory
  model.input =
      Preprocessing::learn(table, 0, options.input.zero_based, options.preprocessing, processes);
  trained.x = model.input.apply(table).x;

  const auto before = std::chrono::steady_clock::now();
  if (options.lambda == "auto" || options.lambdas.size() > 1) {
    const Vector none;
    trained.curve = choose_lambda({options, table, 0, trained.y, none, processes}, model, trained.x,
                                  nullptr, watch);
    options.task.lambda = trained.curve->lambdas[static_cast<std::size_t>(trained.curve->best)];
  }
  std::optional<Functions> start;
  if (!options.start.empty()) start = read_start(options, model);
  const Functions* const from = start ? &*start : nullptr;
  if (saved) require_same_run(options, trained, from, processes, *saved);
  Functions& found = trained.functions;
  if (options.is_softmax) {
    const Learnt learnt{trained.x, trained.y, {}, processes};
    found = fit_all(options, model, options.task.lambda, learnt, nullptr, nullptr, saved, watch);
  } else {
    FitTask task = options.task;
    task.processes = processes;
    task.observer = [&watch](const linea::Progress& progress) { return watch.step(progress); };
    found = fit_each(task, model, from, trained, saved, watch);
  }
  trained.is_interrupted = Watch::is_interrupted(processes);
  trained.run = watch.curve();
  trained.train_seconds = seconds_since(before);
  trained.targets = target_column(table, 0);
  if (trained.y.size() == 0) trained.y = targets_for(model, table, trained.targets);
  model.weights = found.weights;
  model.offset = found.offset;
  describe(options, rows, trained);
  trained.training = figures_of_all(trained, rows, processes);
  return trained;
}

}  // namespace program
