// SPDX-License-Identifier: MIT
/// \file Trains linear functions on a file of samples, from the command line.
#include <CLI/CLI.hpp>
#include <linea/io/output_file.hpp>
#include <nlohmann/json.hpp>
#include <optional>

#include "programs/common/call_files.hpp"
#include "programs/common/one_pass.hpp"
#include "programs/common/plot.hpp"
#include "programs/common/program.hpp"
#include "programs/common/report.hpp"

namespace {

using program::Trained;
using program::TrainOptions;

constexpr const char* examples = R"(
Examples:
  linea_train train.svm model                                two classes or more, by their labels
  linea_train --target price --standardise houses.csv model  numbers, from a table with a header
  linea_train --loss log --lambda auto --folds 5 --plot run.svg train.csv model
  linea_train --optimizer sgd --epochs 5 - model < big.svm   a few passes, from standard input
  zcat big.svm.gz | linea_train --one-pass - model           one pass, one block in memory
  linea_train --optimizer sgd --checkpoint so_far big.svm model     writes the current model
  linea_train --optimizer sgd --start so_far big.svm model          continues from it
Then: linea_predict new.csv model predictions

Exit codes: 0 the model was written; 1 the run diverged (no model is written), or Ctrl-C or SIGTERM
ended it (the best model so far is written); 2 invalid input or options, or an output that could not
be written.)";

/// Prints the report, on standard error if the model is on standard output.
void print_report(const TrainOptions& options, const Trained& trained, double read_seconds) {
  if (options.as_json)
    std::cout << program::json_report(options, trained, read_seconds) << '\n';
  else if (!options.is_quiet)
    (options.model_file == "-" ? std::cerr : std::cout) << program::plain_report(options, trained);
}

using File = std::optional<linea::io::OutputFile>;

/// Opens the model file before training, to detect errors early.
void open(File& file, const std::string& path) {
  if (!path.empty())
    file.emplace("write_model", program::path_of(path == "-" ? "/dev/stdout" : path));
}

/// Trains on a stream, prints the report and writes the model.
int run_one_pass(TrainOptions& options) {
  File file;
  open(file, options.model_file);
  const auto before = std::chrono::steady_clock::now();
  program::ByteSource source(options.train_file);
  const auto found = program::train_in_one_pass(options, source);
  const std::string report = program::report_of(options, found, program::seconds_since(before));
  if (options.as_json || !options.is_quiet)
    (options.model_file == "-" ? std::cerr : std::cout) << report;
  if (found.diverged)
    std::cerr << "linea_train: the run diverged" << (file ? "; no model is written\n" : "\n");
  if (file && !found.diverged) {
    program::write_model(file->stream(), found.model);
    file->keep();
  }
  program::flush_report();
  return found.diverged ? 1 : 0;
}

int run(TrainOptions& options, std::string& task) {
  task = "reading '" + options.train_file + "'";
  program::settle_train_options(options);
  program::require_apart(options.files());
  program::require_writable(options.files());
  if (options.one_pass) return run_one_pass(options);
  const auto before = std::chrono::steady_clock::now();
  const auto table = program::read_table(options.train_file, options.input);
  const double read_seconds = program::seconds_since(before);
  File file;
  open(file, options.model_file);
  program::CheckpointFile checkpoint("linea_train", options.checkpoint);
  const program::KeepModel keep = checkpoint.writer();
  task =
      options.task.optimizer + " on " + std::to_string(table.rows()) + " samples of " +
      std::to_string(table.has_entries ? table.x.cols() : linea::Index(table.columns.size()) - 1) +
      " features";
  if (!options.is_quiet) program::print_remarks("linea_train", table.remarks);
  program::Watch watch(!options.as_json && !options.is_quiet);
  if (!options.plot.empty()) watch.keep_curve();
  const Trained trained = program::train(options, table, keep, watch);
  const bool diverged = trained.functions.status() == linea::Status::diverged;
  if (keep && !diverged) keep(trained.model);
  print_report(options, trained, read_seconds);
  program::finish("linea_train", options, trained, file, program::interruption());
  if (!options.plot.empty() && !diverged) program::plot_training(options.plot, trained);
  if (!diverged) checkpoint.require_written();
  return diverged || trained.is_interrupted ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  TrainOptions options;
  CLI::App app{"Trains a linear function on a file of samples."};
  app.set_version_flag("--version", "linea_train " + program::version());
  app.footer(examples);
  program::add_train_options(app, options);
  return program::run_program("linea_train", app, argc, argv, [&](std::string& task) {
    try {
      return run(options, task);
    } catch (const program::Interrupted& interrupted) {
      std::cerr << "linea_train: " << program::interruption() << ": " << interrupted.what() << '\n';
      return 1;
    }
  });
}
