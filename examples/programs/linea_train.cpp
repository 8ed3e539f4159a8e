// SPDX-License-Identifier: MIT
/// \file Trains linear functions on a file of samples, from the command line.
#include <CLI/CLI.hpp>

#include "programs/common/one_pass.hpp"
#include "programs/common/program.hpp"
#include "programs/common/report.hpp"

namespace {

using program::Trained;
using program::TrainOptions;

constexpr const char* examples = R"(
Examples:
  linea_train train.svm model                                two classes or more, by their labels
  linea_train --target price --standardise houses.csv model  numbers, from a table with a header
  linea_train --loss log --lambda auto --folds 5 train.csv model
  linea_train --optimizer sgd --epochs 5 - model < big.svm   a few passes, from standard input
  linea_train --optimizer sgd --start model big.svm longer   continues from a model
  zcat big.svm.gz | linea_train --one-pass - model           one pass, one block in memory
Then: linea_predict new.csv model predictions

Exit codes: 0 the model was written; 1 the run diverged (no model is written), or Ctrl-C or SIGTERM
ended it (the best model so far is written); 2 invalid input or options, or an output that could not
be written.)";

Trained train_table(TrainOptions& options, std::string& task) {
  const auto before = std::chrono::steady_clock::now();
  const auto table = program::read_table(options.train_file, options.input);
  const double read_seconds = program::seconds_since(before);
  task =
      options.fit.optimizer + " on " + std::to_string(table.rows()) + " samples of " +
      std::to_string(table.has_entries ? table.x.cols() : linea::Index(table.columns.size()) - 1) +
      " features";
  if (!options.is_quiet) program::print_remarks("linea_train", table.remarks);
  Trained trained = program::train(options, table);
  trained.read_seconds = read_seconds;
  return trained;
}

int run(TrainOptions& options, std::string& task) {
  task = "reading '" + options.train_file + "'";
  program::settle_train_options(options);
  program::require_apart(options.files());
  program::require_writable(options.files());
  program::ModelFile file;
  program::open_model_file(options, file);
  Trained trained;
  if (options.one_pass) {
    program::ByteSource source(options.train_file);
    trained = program::train_in_one_pass(options, source);
  } else {
    trained = train_table(options, task);
  }
  return program::finish("linea_train", options, trained, program::json_report(options, trained),
                         program::plain_report(options, trained), file);
}

}  // namespace

int main(int argc, char** argv) {
  TrainOptions options;
  CLI::App app{"Trains a linear function on a file of samples."};
  app.set_version_flag("--version", "linea_train " + program::version());
  app.footer(examples);
  program::add_train_options(app, options);
  return program::run_program("linea_train", app, argc, argv,
                              [&](std::string& task) { return run(options, task); });
}
