// SPDX-License-Identifier: MIT
#include "programs/linea_train_mpi/divided.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <linea/core/require.hpp>
#include <linea/data/shared_labels.hpp>

#include "programs/common/any_loss.hpp"
#include "programs/common/program.hpp"

namespace program {
namespace {

using linea::Index;
using linea::Processes;
using Vector = linea::Vector<double>;

/// Do numbers look like classes: few of them, each more than once, and whole? As linea_train asks.
bool look_like_classes(const std::vector<double>& distinct, Index rows) {
  if (distinct.size() > 20) return false;
  const bool are_whole = std::all_of(distinct.begin(), distinct.end(),
                                     [](double number) { return number == std::round(number); });
  return distinct.size() <= 2 || (are_whole && 3 * static_cast<Index>(distinct.size()) <= rows);
}

/// Sets the loss where none is named, the classes, and y.
void settle_targets(TrainOptions& options, const Table& table, Index rows,
                    const Processes& processes, Trained& trained) {
  Model& model = trained.model;
  const auto values = linea::data::shared_labels(table.y, processes).values();
  if (options.loss.empty() && !look_like_classes(values, rows)) {
    options.task.loss = Named("squared");
    trained.note = "the targets look like numbers: the loss is squared; ";
    check_task(options.task);
  }
  model.loss = options.task.loss.name;
  model.parameter = options.task.loss.value;
  if (!is_for_labels(options.task.loss)) {
    linea::require(options.multiclass.empty(), "--multiclass is for classes, but the loss ",
                   model.loss, " is for numbers");
    trained.y = table.y;
    return;
  }
  model.labels = values;
  const std::size_t k = values.size();
  linea::require(k >= 2, "the loss ", model.loss, " tells labels apart, but there is only ", k);
  linea::require(k <= 1000, "the loss ", model.loss, " tells labels apart, but there are ", k,
                 "; for numbers take a loss like squared");
  model.multiclass = k == 2 ? "none" : "one-vs-rest";
  trained.y = targets_for(model, table, trained.targets);
}

/// Targets of function k for classes (n); numbers as they are.
Vector targets_of(const Model& model, const Vector& y, Index k) {
  if (!model.has_classes()) return y;
  const Index positive = model.labels.size() == 2 ? 1 : k;
  return (y.array() == static_cast<double>(positive)).select(1.0, Vector::Constant(y.size(), -1.0));
}

/// Of all rows the share of mistakes, or the mean squared error.
Figures figures_of_all(const Trained& trained, Index rows, const Processes& processes) {
  const Model& model = trained.model;
  Figures figures;
  figures.samples = rows;
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
  figures.accuracy = 1 - static_cast<double>(figures.mistakes) / n;
  return figures;
}

void describe(const TrainOptions& options, Index rows, Trained& trained) {
  const auto& functions = trained.functions;
  auto& training = trained.model.training;
  training = json{{"optimizer", options.task.optimizer},
                  {"lambda", options.task.lambda},
                  {"l1", options.task.l1},
                  {"n", rows},
                  {"status", linea::name_of(functions.status())},
                  {"objective", functions.objective()},
                  {"seed", options.task.seed}};
  const auto dual = functions.dual();
  if (dual && std::isfinite(*dual)) training["gap"] = functions.objective() - *dual;
  for (const auto& fit : functions.fits)
    if (trained.note.find(fit.note) == std::string::npos)
      trained.note += (trained.note.empty() || trained.note.ends_with("; ") ? "" : "; ") + fit.note;
}

}  // namespace

void require_for_ranks(const TrainOptions& options) {
  const auto refuse_if = [](bool is_given, const std::string& option) {
    linea::require(!is_given, "linea_train_mpi takes no ", option, " yet; linea_train does");
  };
  const auto& name = options.task.optimizer;
  refuse_if(name == "sgd" || name == "pegasos" || name == "perceptron", "--optimizer " + name);
  refuse_if(options.lambda == "auto" || options.lambdas.size() > 1, "--lambda to choose from");
  refuse_if(options.multiclass == "softmax", "--multiclass softmax");
  refuse_if(!options.class_weights.empty(), "--class-weights");
  refuse_if(!options.target.empty(), "--target");
  refuse_if(!options.input.text_columns.empty(), "--text");
  refuse_if(options.input.header != "auto", "--header");
  refuse_if(options.preprocessing.missing != "refuse", "--missing");
  refuse_if(options.task.use_float, "--float");
  refuse_if(options.patience != TrainOptions{}.patience, "--patience");
  refuse_if(options.preprocessing.standardise, "--standardise");
  refuse_if(!options.validation.empty(), "--validation");
  refuse_if(!options.start.empty(), "--start");
  refuse_if(!options.plot.empty(), "--plot");
  refuse_if(!options.save_state.empty(), "--save-state");
  refuse_if(!options.resume.empty(), "--resume");
  refuse_if(options.train_file == "-", "standard input");
}

Trained train_divided(TrainOptions& options, const Table& table, const Processes& processes) {
  Trained trained;
  Model& model = trained.model;
  const Index rows = processes.sum(table.rows());
  for (Index i = 0; i < table.y.size(); ++i)
    linea::require(std::isfinite(table.y[i]), table.place(static_cast<std::size_t>(i)),
                   ": the target is missing or not finite");
  trained.targets = target_column(table, 0);
  settle_targets(options, table, rows, processes, trained);
  model.input = Preprocessing::learn(table, 0, options.input.zero_based, options.preprocessing);
  trained.x = model.input.apply(table).x;

  const auto before = std::chrono::steady_clock::now();
  const Index count = model.labels.size() > 2 ? static_cast<Index>(model.labels.size()) : Index{1};
  Functions& found = trained.functions;
  found.weights.resize(trained.x.cols(), count);
  found.offset.resize(count);
  FitTask task = options.task;
  task.processes = processes;
  for (Index k = 0; k < count; ++k) {
    const Fit& one = found.fits.emplace_back(fit(task, trained.x, targets_of(model, trained.y, k)));
    found.weights.col(k) = one.weights;
    found.offset[k] = one.offset;
  }
  trained.train_seconds = seconds_since(before);
  model.weights = found.weights;
  model.offset = found.offset;
  describe(options, rows, trained);
  trained.training = figures_of_all(trained, rows, processes);
  return trained;
}

}  // namespace program
