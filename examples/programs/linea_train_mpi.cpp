// SPDX-License-Identifier: MIT
/// \file Trains linear functions on samples divided among processes, started by mpirun.
#include <CLI/CLI.hpp>
#include <linea/io/output_file.hpp>
#include <linea/mpi.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "programs/common/call_files.hpp"
#include "programs/common/program.hpp"
#include "programs/common/report.hpp"
#include "programs/linea_train_mpi/divided.hpp"
#include "programs/linea_train_mpi/part.hpp"

namespace {

using program::Table;
using program::Trained;
using program::TrainOptions;

constexpr const char* examples = R"(
Examples:
  mpirun -np 4 linea_train_mpi --loss log train.svm model      every rank reads its part of a file
  mpirun -np 4 linea_train_mpi --loss log part-%r.svm model    or its own file: part-0.svm to part-3.svm
  mpirun -np 4 linea_train_mpi --loss log --checkpoint so_far train.svm model   writes the model
  mpirun -np 4 linea_train_mpi --loss log --start so_far train.svm model        continues from it
The loss must be smooth: hinge, the default for classes, is refused. Optimizers are newton, lbfgs,
ridge and sgd --batch all; auto selects ridge for the squared loss and up to 4096 features without
--start, otherwise newton. The manual page lists the options that are refused. Then: linea_predict new.svm model predictions

Exit codes: 0 the model was written; 1 the run diverged (no model is written), or Ctrl-C or SIGTERM
ended it (the best model so far is written); 2 invalid input or options, or an output that could not
be written.)";

/// Silences this rank. Only rank 0 prints; it also reports the errors of the other ranks.
void be_silent() {
  std::cout.rdbuf(nullptr);
  std::cerr.rdbuf(nullptr);
}

/// Totals over all ranks, and the data that this rank has exchanged.
struct Together {
  linea::Index rows;
  linea::Index entries;
  linea::Index ranks;
  linea::Index rounds;
  linea::Index bytes_sent;
};

void print_report(const TrainOptions& options, const Trained& trained, double read_seconds,
                  const Together& all) {
  if (options.as_json) {
    auto report = program::json::parse(program::json_report(options, trained, read_seconds));
    report["n"] = all.rows;
    report["nnz"] = all.entries;
    report["ranks"] = all.ranks;
    report["rounds"] = all.rounds;
    report["bytes_sent"] = all.bytes_sent;
    std::cout << report.dump(-1, ' ', false, program::json::error_handler_t::replace) << '\n';
  } else if (!options.is_quiet) {
    const std::string text = program::plain_report(options, trained);
    (options.model_file == "-" ? std::cerr : std::cout)
        << all.rows << " samples on " << all.ranks << " ranks, " << trained.x.cols() << " features"
        << text.substr(text.find('\n')) << "exchanged: " << all.rounds << " sums, "
        << all.bytes_sent << " bytes sent by a rank\n";
  }
}

using File = std::optional<linea::io::OutputFile>;

/// Returns the files of all ranks.
program::CallFiles files_of_all(const TrainOptions& options, linea::Index ranks) {
  program::CallFiles all = options.files();
  for (linea::Index rank = 0; rank < ranks; ++rank) {
    TrainOptions own = options;
    own.train_file = program::path_of_rank(options.train_file, rank);
    const auto inputs = own.files().inputs;
    all.inputs.insert(all.inputs.end(), inputs.begin(), inputs.end());
  }
  return all;
}

int run(TrainOptions& options, linea::MpiCommunicator& world, std::string& task) {
  const linea::Processes processes(world);
  const bool is_first = world.rank() == 0;
  task = "reading '" + options.train_file + "'";
  program::settle_train_options(options);
  program::require_for_ranks(options);
  const auto before = std::chrono::steady_clock::now();
  File file;
  program::CheckpointFile checkpoint("linea_train_mpi", is_first ? options.checkpoint : "");
  const program::KeepModel keep = checkpoint.writer();
  const Table table = processes.in_step([&] {
    program::require_apart(files_of_all(options, world.size()));
    if (is_first) program::require_writable(options.files());
    if (is_first && !options.model_file.empty())
      file.emplace("write_model", program::path_of(options.model_file == "-" ? "/dev/stdout"
                                                                             : options.model_file));
    return program::read_part(options.train_file, options.input, processes);
  });
  const double read_seconds = program::seconds_since(before);
  task = options.task.optimizer + " on " + std::to_string(table.rows()) + " samples of rank " +
         std::to_string(world.rank());
  return processes.in_step([&] {
    const linea::Index rounds = world.rounds();
    const linea::Index bytes = world.bytes_sent();
    program::Watch watch(is_first && !options.as_json && !options.is_quiet);
    const Trained trained = program::train_divided(options, table, keep, watch, processes);
    Together all{0, 0, world.size(), world.rounds() - rounds, world.bytes_sent() - bytes};
    all.rows = processes.sum(trained.x.rows());
    all.entries = processes.sum(trained.x.nonZeros());
    const bool diverged = trained.functions.status() == linea::Status::diverged;
    if (keep && !diverged) keep(trained.model);
    if (is_first) {
      print_report(options, trained, read_seconds, all);
      program::finish("linea_train_mpi", options, trained, file, "stopped by a signal");
      if (!diverged) checkpoint.require_written();
    }
    return diverged || trained.is_interrupted ? 1 : 0;
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
  program::add_train_options(app, options);
  try {
    program::parse(app, argc, argv);
  } catch (const CLI::ParseError& error) {
    if (world.rank() == 0) return program::refused("linea_train_mpi", app, error);
    return error.get_exit_code() == 0 ? 0 : 2;
  }
  return program::guarded("linea_train_mpi",
                          [&](std::string& task) { return run(options, world, task); });
}
