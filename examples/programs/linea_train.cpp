// SPDX-License-Identifier: MIT
/// \file Trains a linear function on a file: any loss, any optimizer, from the command line.
#include <CLI/CLI.hpp>
#include <linea/files/output_file.hpp>
#include <nlohmann/json.hpp>
#include <optional>

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
  linea_train --optimizer sgd --epochs 5 - model < big.svm   a few passes, from a pipe
Then: linea_predict new.csv model predictions

Exit codes: 0 a model was found; 1 the run diverged (no model is written) or was interrupted (the
best model so far is written); 2 wrong input or options, or an output that could not be written.)";

void require_outputs_apart(const TrainOptions& options) {
  for (const auto& output : {options.model_file, options.plot})
    for (const auto& input : {options.train_file, options.start, options.validation})
      if (!output.empty() && !input.empty()) program::require_apart(output, input);
  linea::require(options.plot.empty() || options.plot != options.model_file,
                 "--plot and the model are the same file, '", options.plot, "'");
}

void print_report(const TrainOptions& options, const Trained& trained, double read_seconds) {
  if (options.as_json)
    std::cout << program::json_report(options, trained, read_seconds) << '\n';
  else if (!options.is_quiet)
    std::cout << program::plain_report(options, trained);
}

int run(TrainOptions& options, std::string& task) {
  task = "reading '" + options.train_file + "'";
  program::settle_train_options(options);
  require_outputs_apart(options);
  const auto before = std::chrono::steady_clock::now();
  const auto table = program::read_table(options.train_file, options.input);
  const double read_seconds = program::seconds_since(before);
  std::optional<linea::files::OutputFile> file;
  if (!options.model_file.empty()) file.emplace("write_model", options.model_file);
  task =
      options.task.optimizer + " on " + std::to_string(table.rows()) + " samples of " +
      std::to_string(table.has_entries ? table.x.cols() : linea::Index(table.columns.size()) - 1) +
      " features";
  for (const auto& remark : table.remarks) std::cerr << "linea_train: warning: " << remark << '\n';
  Trained trained;
  {
    program::Watch watch(!options.as_json && !options.is_quiet);
    trained = program::train(options, table, watch);
  }
  const bool diverged = trained.functions.status() == linea::Status::diverged;
  print_report(options, trained, read_seconds);
  const std::string warning = program::warning(options, trained);
  if (!warning.empty()) std::cerr << "linea_train: warning: " << warning << '\n';
  if (diverged)
    std::cerr << "linea_train: the run diverged" << (file ? "; no model is written\n" : "\n");
  if (trained.is_interrupted)
    std::cerr << "linea_train: interrupted"
              << (file && !diverged ? "; the best model so far is written\n" : "\n");
  if (file && !diverged) {
    program::write_model(file->stream(), trained.model);
    file->keep();
  }
  program::flush_report();
  if (!options.plot.empty() && !diverged) program::plot_training(options.plot, trained);
  return diverged || trained.is_interrupted ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  TrainOptions options;
  CLI::App app{"Trains a linear function on a file of samples."};
  app.set_version_flag("--version", "linea_train " + program::version());
  app.footer(examples);
  program::add_train_options(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return program::refused("linea_train", app, error);
  }
  return program::guarded("linea_train", [&](std::string& task) {
    try {
      return run(options, task);
    } catch (const program::Interrupted& interrupted) {
      std::cerr << "linea_train: " << interrupted.what() << '\n';
      return 1;
    }
  });
}
