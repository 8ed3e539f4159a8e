// SPDX-License-Identifier: MIT
/// \file Trains a linear function on samples that are divided among processes, started by mpirun.
#include <CLI/CLI.hpp>
#include <linea/files/output_file.hpp>
#include <linea/mpi.hpp>
#include <nlohmann/json.hpp>
#include <optional>

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
  mpirun -np 4 linea_train_mpi train.svm model         every rank reads its part of one file
  mpirun -np 4 linea_train_mpi part-%r.svm model       a file for each: part-0.svm to part-3.svm
Options that ranks do not take yet are refused. Then: linea_predict new.svm model predictions

Exit codes: 0 a model was found; 1 the run diverged (no model is written); 2 wrong input or options,
or an output that could not be written.)";

/// Only rank 0 speaks: what goes wrong on another, it is told.
void be_silent() {
  std::cout.rdbuf(nullptr);
  std::cerr.rdbuf(nullptr);
}

/// What the ranks have together, and what they have exchanged.
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
    std::cout << all.rows << " samples on " << all.ranks << " ranks, " << trained.x.cols()
              << " features" << text.substr(text.find('\n')) << "exchanged: " << all.rounds
              << " sums, " << all.bytes_sent << " bytes sent by a rank\n";
  }
}

/// By rank 0.
int finish(const TrainOptions& options, const Trained& trained,
           std::optional<linea::files::OutputFile>& file) {
  const bool diverged = trained.functions.status() == linea::Status::diverged;
  const std::string warning = program::warning(options, trained);
  if (!warning.empty()) std::cerr << "linea_train_mpi: warning: " << warning << '\n';
  if (diverged)
    std::cerr << "linea_train_mpi: the run diverged" << (file ? "; no model is written\n" : "\n");
  if (file && !diverged) {
    program::write_model(file->stream(), trained.model);
    file->keep();
  }
  program::flush_report();
  return diverged ? 1 : 0;
}

int run(TrainOptions& options, linea::MpiCommunicator& world, std::string& task) {
  const linea::Processes processes(world);
  const bool is_first = world.rank() == 0;
  task = "reading '" + options.train_file + "'";
  program::settle_train_options(options);
  program::require_for_ranks(options);
  const auto before = std::chrono::steady_clock::now();
  std::optional<linea::files::OutputFile> file;
  const Table table = processes.in_step([&] {
    const std::string own = program::path_of_rank(options.train_file, world.rank());
    if (!options.model_file.empty()) program::require_apart(options.model_file, own);
    if (is_first && !options.model_file.empty()) file.emplace("write_model", options.model_file);
    return program::read_part(options.train_file, options.input, processes);
  });
  const double read_seconds = program::seconds_since(before);
  task = options.task.optimizer + " on " + std::to_string(table.rows()) + " samples of rank " +
         std::to_string(world.rank());
  return processes.in_step([&] {
    const linea::Index rounds = world.rounds();
    const linea::Index bytes = world.bytes_sent();
    const Trained trained = program::train_divided(options, table, processes);
    Together all{0, 0, world.size(), world.rounds() - rounds, world.bytes_sent() - bytes};
    all.rows = processes.sum(trained.x.rows());
    all.entries = processes.sum(trained.x.nonZeros());
    if (!is_first) return trained.functions.status() == linea::Status::diverged ? 1 : 0;
    print_report(options, trained, read_seconds, all);
    return finish(options, trained, file);
  });
}

}  // namespace

int main(int argc, char** argv) {
  const linea::MpiSession session(argc, argv);
  linea::MpiCommunicator world;
  if (world.rank() != 0) be_silent();
  TrainOptions options;
  CLI::App app{"Trains a linear function on samples that are divided among processes."};
  app.set_version_flag("--version", "linea_train_mpi " + program::version());
  app.footer(examples);
  program::add_train_options(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (world.rank() == 0) return program::refused("linea_train_mpi", app, error);
    return error.get_exit_code() == 0 ? 0 : 2;
  }
  return program::guarded("linea_train_mpi",
                          [&](std::string& task) { return run(options, world, task); });
}
