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

}  // namespace

void require_for_ranks(const TrainOptions& options) {
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
  refuse_if(options.one_pass, "--one-pass");
  refuse_if(options.train_file == "-", "standard input");
}

Trained train_divided(TrainOptions& options, const Table& table, const KeepModel& keep,
                      Watch& watch, const Processes& processes) {
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
    trained.curve =
        choose_lambda({options, table, 0, trained.y, none, processes}, model, trained.x, watch);
    options.task.lambda = trained.curve->lambdas[static_cast<std::size_t>(trained.curve->best)];
  }
  std::optional<Functions> start;
  if (!options.start.empty()) start = read_start(options, model);
  const Learnt learnt{trained.x, trained.y, {}, processes};
  trained.functions =
      fit_all(options, model, options.task.lambda, learnt, start ? &*start : nullptr, nullptr,
              checkpoint_of(model, keep), watch);
  trained.is_interrupted = Watch::is_interrupted(processes);
  trained.run = watch.curve();
  trained.train_seconds = seconds_since(before);
  trained.targets = target_column(table, 0);
  model.weights = trained.functions.weights;
  model.offset = trained.functions.offset;
  describe(options, rows, trained);
  trained.training = figures_of_all(trained, rows, processes);
  return trained;
}

}  // namespace program
