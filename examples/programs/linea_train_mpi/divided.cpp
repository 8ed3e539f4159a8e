// SPDX-License-Identifier: MIT
#include "programs/linea_train_mpi/divided.hpp"

#include <algorithm>
#include <chrono>
#include <concepts>
#include <linea/core/require.hpp>
#include <linea/features/standardise.hpp>
#include <linea/mpi/divided.hpp>
#include <linea/mpi/ridge.hpp>
#include <linea/optimizers/any_optimizer.hpp>
#include <linea/optimizers/certify.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/penalties/l2.hpp>
#include <optional>
#include <string>
#include <vector>

#include "programs/common/descent_parts.hpp"
#include "programs/common/program.hpp"
#include "programs/common/targets.hpp"

namespace program {
namespace {

using linea::Index;
using linea::Processes;
using Vector = linea::Vector<double>;

Fit fit_smooth(const FitTask& task, const linea::AnySmoothLoss& loss, const EntriesView& part,
               const linea::Vector<double>& y, const linea::Processes& processes) {
  const linea::Objective objective{loss, linea::L2{task.lambda}};
  const auto x = linea::mpi::divided(part, processes);
  const auto& name = task.optimizer;
  Fit fit;
  linea::Solution<double>& solution = fit;
  if (name == "sgd") {
    const linea::BasicGradientDescent<Step> descent{
        .epochs = task.epochs.value_or(100),
        .tolerance = task.tolerance,
        .offset = task.offset,
        .step = step_from(task.step, Step::Kind::automatic),
        .iterate = task.average ? linea::Iterate::average : linea::Iterate::best};
    solution = descent.minimize(objective, x, y, extras_of(task));
  } else {
    const linea::AnyOptimizer<linea::Lbfgs, linea::Newton, linea::Ridge> optimizer{
        .choice = name == "lbfgs"    ? "Lbfgs"
                  : name == "newton" ? "Newton"
                                     : "Ridge",
        .epochs = task.epochs,
        .tolerance = task.tolerance,
        .offset = task.offset,
        .threads = task.threads};
    solution = optimizer.minimize(objective, x, y, extras_of(task));
  }
  fit.note = name == "ridge"
                 ? "closed form"
                 : std::to_string(solution.updates) + (solution.updates == 1 ? " step" : " steps");
  fit.dual = no_bound;
  const bool proves = name != "sgd" || task.certify;
  if (solution.gap)
    fit.dual = solution.objective - *solution.gap;
  else if (proves && solution.status != linea::Status::diverged && task.lambda > 0)
    fit.dual = certify(objective, solution, x, y, {.offset = task.offset}).dual;
  return fit;
}

/// Minimises like `fit`, over the rows of all ranks. x (n × d) and y (n) are those of this rank. All
/// ranks get the same result. Throws for losses with kinks.
Fit fit_divided(const FitTask& task, const EntriesView& x, const linea::Vector<double>& y,
                const linea::Processes& processes) {
  return with_loss(task.loss, [&]<class L>(const L& loss) -> Fit {
    if constexpr (std::same_as<L, linea::AnySmoothLoss>)
      return fit_smooth(task, loss, x, y, processes);
    else
      linea::refuse("ranks take smooth losses, such as squared-hinge, log and huber; for ",
                    task.loss.name, ", which has a kink, use linea_train");
  });
}

/// Returns the metrics over the rows of all ranks: the error rate, or the mean squared and absolute
/// errors.
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
    figures.deviation = standard_error_of(mean, fourths, n);
    figures.mean_squared_error = mean;
    figures.mean_absolute_error = processes.sum(errors.lpNorm<1>()) / n;
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

/// Returns the distinct targets of all ranks.
AllTargets all_of(const Column& targets, Index rows, const Processes& processes) {
  const auto own = program::all_of(targets).numbers;
  const Vector all = processes.joined(Vector::Map(own.data(), static_cast<Index>(own.size())));
  return {distinct(std::vector<double>(all.begin(), all.end())), rows};
}

/// Sets means and deviations over the rows of all ranks, as `Preprocessing::learn` does for the
/// rows of one process.
void learn_scales(const EntriesView& x, Index rows, const Processes& processes, bool may_centre,
                  Preprocessing& input) {
  const auto take = [&](const auto& own) {
    input.scaling = linea::standardise(linea::mpi::divided(own, processes));
  };
  const bool is_full = 2 * processes.sum(x.nonZeros()) >= rows * x.cols();
  if (is_full && input.encoder.hash_bits == 0 && may_centre)
    take(linea::Matrix<double>(x));
  else
    take(x);
}

}  // namespace

void require_for_ranks(const TrainOptions& options) {
  const auto refuse_if = [](bool is_given, const std::string& option) {
    linea::require(!is_given, "ranks take no ", option, "; linea_train does");
  };
  const FitTask& task = options.task;
  const auto& name = task.optimizer;
  linea::require(name == "auto" || name == "newton" || name == "lbfgs" || name == "ridge" ||
                     (name == "sgd" && task.batch == "all"),
                 "ranks have the optimizers newton, lbfgs, ridge, and sgd with --batch "
                 "all; for ",
                 name, " use linea_train");
  refuse_if(options.lambda == "auto" || options.lambdas.size() > 1, "--lambda " + options.lambda);
  refuse_if(task.l1 > 0, "--l1");
  refuse_if(options.multiclass == "softmax", "--multiclass softmax");
  refuse_if(task.seed != 0, "--seed");
  refuse_if(!options.class_weights.empty(), "--class-weights");
  refuse_if(!options.input.target.empty(), "--target");
  refuse_if(!options.input.drop.empty(), "--drop");
  refuse_if(!options.input.weights.empty(), "--weights");
  refuse_if(!options.input.text_columns.empty(), "--text");
  refuse_if(options.input.header != linea::CsvHeader::detect, "--header");
  const linea::TableFormat& reading = options.input.format;
  refuse_if(reading.separator != 0, "--separator");
  refuse_if(reading.decimal != 0, "--decimal");
  refuse_if(reading.thousands != 0, "--thousands");
  refuse_if(!reading.missing_values.empty(), "--missing-values");
  refuse_if(options.preprocessing.missing != "refuse", "--missing");
  refuse_if(task.threads != 1 && name == "sgd", "--threads with --batch all");
  refuse_if(task.use_float, "--float");
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
  FitTask& task = options.task;
  const bool is_auto = task.optimizer == "auto";
  // With auto, settle_targets could select softmax, which ranks do not support.
  if (is_auto) task.optimizer = "newton";
  const Index rows = processes.sum(table.rows());
  trained.targets = target_column(table, 0);
  require_targets(table, trained.targets);
  settle_targets(options, table, trained.targets, all_of(trained.targets, rows, processes), model,
                 trained.note);
  trained.y = targets_for(model, table, trained.targets);
  trained.targets = {};  // frees the memory, which the fit needs
  PreprocessingOptions unscaled = options.preprocessing;
  unscaled.standardise = false;
  model.input = Preprocessing::learn(table, options.input.zero_based, unscaled);
  trained.x = model.input.apply(table).x;
  if (options.preprocessing.standardise) {
    learn_scales(trained.x, rows, processes, options.preprocessing.centre, model.input);
    trained.x = model.input.apply(table).x;
  }
  if (is_auto && task.loss.name == "squared" && options.start.empty() &&
      trained.x.cols() <= linea::mpi::most_condensed_columns)
    task.optimizer = "ridge";

  const auto before = std::chrono::steady_clock::now();
  std::optional<Functions> start;
  if (!options.start.empty()) start = read_start(options, model);
  task.by = [&processes](const FitTask& one, const EntriesView& x, const Vector& y) {
    return fit_divided(one, x, y, processes);
  };
  trained.functions =
      fit_all(options, model, task.lambda, {trained.x, trained.y}, start ? &*start : nullptr,
              nullptr, checkpoint_of(model, keep), watch);
  trained.is_interrupted = processes.any(Watch::is_interrupted());
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
