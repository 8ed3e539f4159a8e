// SPDX-License-Identifier: MIT
/// \file Trains linear functions on samples divided among processes, started by mpirun.
#include <CLI/CLI.hpp>
#include <concepts>
#include <linea/core/require.hpp>
#include <linea/core/workers.hpp>
#include <linea/features/standardise.hpp>
#include <linea/mpi.hpp>
#include <linea/optimizers/any_optimizer.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/penalties/l2.hpp>
#include <string>
#include <vector>

#include "programs/common/program.hpp"
#include "programs/common/report.hpp"
#include "programs/common/targets.hpp"

namespace {

using linea::Index;
using linea::Processes;
using program::Table;
using program::Trained;
using program::TrainOptions;
using Vector = linea::Vector<double>;

constexpr const char* examples = R"(
Examples:
  mpirun -np 4 linea_train_mpi --loss log train.linea model    every rank takes its share of the rows
  mpirun -np 4 linea_train_mpi --loss log part-%r.svm model    or its own file: part-0.svm to part-3.svm
  mpirun -np 4 linea_train_mpi --loss log --start model train.linea better      continues from a model
The loss must be smooth: hinge, the default for classes, is refused. Several classes are fitted one
against the rest. Then: linea_predict new.svm model predictions

Exit codes: 0 the model was written; 1 the run diverged (no model is written), or Ctrl-C or SIGTERM
ended it (the best model so far is written); 2 invalid input or options, or an output that could not
be written.)";

/// Silences this rank. Only rank 0 prints; it also reports the errors of the other ranks.
void be_silent() {
  std::cout.rdbuf(nullptr);
  std::cerr.rdbuf(nullptr);
}

/// Returns `path` with "%r" replaced by the number of the rank.
std::string path_of_rank(const std::string& path, Index rank) {
  const auto at = path.find("%r");
  return at == path.npos ? path : path.substr(0, at) + std::to_string(rank) + path.substr(at + 2);
}

/// Returns the files of all ranks.
program::CallFiles files_of_all(const TrainOptions& options, Index ranks) {
  program::CallFiles all = options.files();
  for (Index rank = 0; rank < ranks; ++rank)
    all.inputs.push_back({"TRAIN_FILE", path_of_rank(options.train_file, rank)});
  return all;
}

/// Returns the samples of this rank: those of its own file, or its share of the rows of one file.
/// x has the number of columns of all ranks together.
Table read_part(const TrainOptions& options, const Processes& processes) {
  const std::string path = path_of_rank(options.train_file, processes.rank());
  Table table = program::read_table(path, options.input);
  linea::require(table.has_entries, table.source,
                 ": a table; ranks learn from lists of entries, such as LIBSVM text");
  const auto width = static_cast<Index>(processes.largest(static_cast<double>(table.x.cols())));
  const bool is_own = path != options.train_file;
  const auto [begin, end] = is_own
                                ? std::pair(Index{0}, table.rows())
                                : linea::share_of(table.rows(), processes.rank(), processes.size());
  table.x = table.x.part(begin, end - begin, width);
  table.y = Vector(table.y.segment(begin, end - begin));
  return table;
}

/// Learns the preprocessing of the rows of all ranks, as `Preprocessing::learn` does for those of
/// one process, and applies it.
void encode(const TrainOptions& options, const Table& table, const Processes& processes,
            Trained& trained) {
  program::Preprocessing& input = trained.model.input;
  auto unscaled = options.preprocessing;
  unscaled.standardise = false;
  input = program::Preprocessing::learn(table, options.input.zero_based, unscaled);
  trained.x = input.apply(table).x;
  if (!options.preprocessing.standardise) return;
  const program::EntriesView& x = trained.x;
  const bool is_full = 2 * processes.sum(x.nonZeros()) >= trained.rows * x.cols();
  const auto take = [&](const auto& own) {
    input.scaling = linea::standardise(linea::mpi::divided(own, processes));
  };
  if (is_full && input.encoder.hash_bits == 0 && options.preprocessing.centre)
    take(linea::Matrix<double>(x));
  else
    take(x);
  trained.x = input.apply(table).x;
}

/// Minimises over the rows of all ranks. x (n × d) and y (n) are those of this rank. All ranks get
/// the same result. Throws for losses with kinks.
linea::AutoSolution<double> minimised(const program::FitOptions& fit,
                                      const program::EntriesView& part, const Vector& y,
                                      const linea::Extras<double>& extras,
                                      const Processes& processes) {
  return program::with_loss(fit.loss, [&]<class L>(const L& loss) -> linea::AutoSolution<double> {
    if constexpr (std::same_as<L, linea::AnySmoothLoss>) {
      const linea::AnyOptimizer<linea::Lbfgs, linea::Newton, linea::Ridge, linea::GradientDescent>
          optimizer{.choice = program::library_name(fit.optimizer),
                    .epochs = fit.epochs,
                    .tolerance = fit.tolerance,
                    .offset = fit.offset,
                    .threads = fit.threads};
      return optimizer.minimize(linea::Objective{loss, linea::L2{fit.lambda}},
                                linea::mpi::divided(part, processes), y, extras);
    } else {
      linea::refuse("ranks take smooth losses, such as squared-hinge, log and huber; for ",
                    fit.loss.name, ", which has a kink, use linea_train");
    }
  });
}

/// Trains on the rows of all ranks, of which `table` has those of this rank.
Trained train_divided(TrainOptions& options, const Table& table, const Processes& processes) {
  Trained trained;
  program::Model& model = trained.model;
  program::FitOptions& fit = options.fit;
  const bool is_auto = fit.optimizer == "auto";
  if (is_auto) fit.optimizer = "newton";  // auto could select softmax, which ranks do not have
  trained.rows = processes.sum(table.rows());
  const program::Column targets = program::target_column(table, 0);
  program::require_targets(table, targets);
  const auto own = program::all_of(targets).numbers;
  const Vector all = processes.joined(Vector::Map(own.data(), static_cast<Index>(own.size())));
  program::settle_targets(
      options, table, targets,
      {program::distinct(std::vector<double>(all.begin(), all.end())), trained.rows}, model,
      trained.note);
  const Vector y = program::targets_for(model, table, targets);
  encode(options, table, processes, trained);
  trained.entries = processes.sum(trained.x.nonZeros());
  if (is_auto && fit.loss.name == "squared" && options.start.empty() &&
      trained.x.cols() <= linea::mpi::most_condensed_columns)
    fit.optimizer = "ridge";

  const auto before = std::chrono::steady_clock::now();
  linea::Extras<double> extras;
  if (!options.start.empty()) extras = program::read_start(options, model);
  extras.observer =
      program::observer_of(processes.rank() == 0 && !options.as_json && !options.is_quiet);
  const auto classes = static_cast<Index>(model.labels.size());
  const Index functions = classes > 2 ? classes : 1;
  model.weights.setZero(trained.x.cols(), functions);
  model.offset.setZero(functions);
  const program::LeftToRun left;
  for (Index k = 0; k < functions; ++k) {
    const auto positive = static_cast<double>(classes == 2 ? 1 : k);
    const Vector signs =
        classes == 0 ? y : (y.array() == positive).select(1.0, Vector::Constant(y.size(), -1.0));
    const auto solution = minimised(fit, trained.x, signs, extras, processes);
    model.weights.col(k) = solution.weights;
    model.offset[k] = solution.offset;
    trained.add(solution);
  }
  trained.add_note(std::to_string(trained.updates) + " steps");
  trained.is_interrupted = processes.any(program::interrupted_by != 0);
  trained.train_seconds = program::seconds_since(before);
  program::describe(options, trained);
  return trained;
}

int run(TrainOptions& options, linea::MpiCommunicator& world, std::string& task) {
  const Processes processes(world);
  const bool is_first = world.rank() == 0;
  task = "reading '" + options.train_file + "'";
  program::settle_train_options(options);
  linea::require(!options.selects_lambda(), "ranks take one --lambda; linea_train selects it");
  linea::require(options.train_file != "-", "ranks take no standard input; linea_train does");
  const auto before = std::chrono::steady_clock::now();
  program::ModelFile file;
  const Table table = processes.in_step([&] {
    program::require_apart(files_of_all(options, world.size()));
    if (is_first) program::require_writable(options.files());
    if (is_first) program::open_model_file(options, file);
    return read_part(options, processes);
  });
  const double read_seconds = program::seconds_since(before);
  task = options.fit.optimizer + " on " + std::to_string(table.rows()) + " samples of rank " +
         std::to_string(world.rank());
  return processes.in_step([&] {
    const Index rounds = world.rounds();
    const Index bytes = world.bytes_sent();
    Trained trained = train_divided(options, table, processes);
    trained.read_seconds = read_seconds;
    auto report = program::json_report(options, trained);
    report["ranks"] = world.size();
    report["rounds"] = world.rounds() - rounds;
    report["bytes_sent"] = world.bytes_sent() - bytes;
    const std::string text = program::plain_report(options, trained) +
                             "exchanged: " + report["rounds"].dump() + " sums, " +
                             report["bytes_sent"].dump() + " bytes sent by a rank of " +
                             std::to_string(world.size()) + '\n';
    if (is_first) return program::finish("linea_train_mpi", options, trained, report, text, file);
    return trained.diverged() || trained.is_interrupted ? 1 : 0;
  });
}

}  // namespace

int main(int argc, char** argv) {
  program::open_standard_streams();
  const linea::MpiSession session(argc, argv);
  linea::MpiCommunicator world;
  if (world.rank() != 0) be_silent();
  TrainOptions options;
  CLI::App app{"Trains a linear function on samples that are divided among processes."};
  app.set_version_flag("--version", "linea_train_mpi " + program::version());
  app.footer(examples);
  program::add_divided_options(app, options);
  try {
    program::parse(app, argc, argv);
  } catch (const CLI::ParseError& error) {
    if (world.rank() == 0) return program::refused("linea_train_mpi", app, error);
    return error.get_exit_code() == 0 ? 0 : 2;
  }
  return program::guarded("linea_train_mpi",
                          [&](std::string& task) { return run(options, world, task); });
}
