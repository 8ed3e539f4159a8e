// SPDX-License-Identifier: MIT
/// \file Predicts with a model of linea_train, of the library's write_model or of LIBLINEAR. Writes
/// one prediction per line, and prints metrics if the file has targets. Can also write the model as
/// a C++ header.
#include <CLI/CLI.hpp>
#include <cmath>
#include <limits>
#include <linea/core/require.hpp>
#include <linea/io/output_file.hpp>
#include <optional>

#include "programs/common/call_files.hpp"
#include "programs/common/emit_header.hpp"
#include "programs/common/program.hpp"
#include "programs/common/scoring.hpp"
#include "programs/common/train_options.hpp"

namespace {

using linea::Index;
using program::json;
using program::Model;

constexpr const char* examples = R"(
Examples:
  linea_predict test.svm model predictions       one prediction in each line
  linea_predict --json --metrics test.csv model  accuracy, log_loss, auc; r2, mean_squared_error
  linea_predict --probabilities new.csv model -  to standard output
  linea_predict --emit-header model model.hpp    score(x), predict(x) for your program

Exit codes: 0 all predictions were written; 2 invalid input or options, predictions that are not
finite, or an output that could not be written.)";

struct Options {
  program::InputOptions input{};
  bool as_json{false};
  bool metrics{false};
  bool probabilities{false};
  std::string header_of{};  ///< the model that --emit-header writes to `file` as a C++ header
  std::string file{};
  std::string model_file{};
  std::string out_file{};
};

/// Returns a label for a line whose words are separated by blanks: one with a blank is in quotes.
std::string label_in_line(const Model& model, std::size_t k) {
  const std::string label = linea::io::escaped(model.label_text(k));
  return label.find(' ') == label.npos ? label : '"' + label + '"';
}

/// Returns the prediction for each sample as text: a label or a number, and probabilities on
/// request.
std::string prediction_text(const Model& model, const linea::Matrix<double>& scores,
                            bool probabilities) {
  std::string text;
  if (!model.has_classes()) {
    for (Index i = 0; i < scores.rows(); ++i) {
      linea::detail::append_number(text, scores(i, 0));
      text += '\n';
    }
    return text;
  }
  linea::Matrix<double> chances;
  if (probabilities) {
    chances = model.probabilities(scores);
    text = "prediction";
    for (std::size_t k = 0; k < model.labels.size(); ++k) text += ' ' + label_in_line(model, k);
    text += '\n';
  }
  const auto classes = model.classes_of(scores);
  for (Index i = 0; i < scores.rows(); ++i) {
    const std::size_t found = classes[static_cast<std::size_t>(i)];
    text +=
        probabilities ? label_in_line(model, found) : linea::io::escaped(model.label_text(found));
    for (Index k = 0; k < chances.cols(); ++k) {
      text += ' ';
      linea::detail::append_number(text, chances(i, k));
    }
    text += '\n';
  }
  return text;
}

void print(const Options& options, const json& report, const program::Figures& figures) {
  if (options.as_json) {
    std::cout << report.dump(-1, ' ', false, json::error_handler_t::replace) << '\n';
    return;
  }
  for (const auto& [key, value] : report.items())
    std::cout << key << ": " << (value.is_string() ? value.get<std::string>() : value.dump())
              << '\n';
  if (options.metrics) std::cout << figures.text();
}

void write_predictions(const Options& options, const std::string& text) {
  if (options.out_file == "-") {
    std::cout << text;
  } else if (!options.out_file.empty()) {
    linea::io::write_file("write_predictions", program::path_of(options.out_file),
                          [&](std::ostream& out) { out << text; });
  }
}

int emit(const Options& options, std::string& task) {
  const std::string path = options.file.empty() ? "-" : program::output_path(options.file);
  linea::require(options.model_file.empty(),
                 "--emit-header MODEL_FILE takes one more file at most, the header");
  task = "writing '" + path + "'";
  program::require_apart({{{"--emit-header", options.header_of}}, {{"FILE", path}}});
  program::emit_header(program::read_model(options.header_of), path);
  program::flush_report();
  return 0;
}

/// Throws for missing or inconsistent options, before the program reads a file.
void check(const Options& options) {
  linea::require(!options.file.empty() && !options.model_file.empty(),
                 options.file.empty() ? "FILE" : "MODEL_FILE", " is required: see --help");
  const program::CallFiles files{{{"FILE", options.file}, {"MODEL_FILE", options.model_file}},
                                 {{"OUT_FILE", options.out_file}}};
  program::require_apart(files);
  program::require_writable(files);
}

/// Takes each reading option that the caller has not given from the model.
void read_alike(linea::TableFormat& reading, const linea::TableFormat& model) {
  if (!reading.separator) reading.separator = model.separator;
  if (!reading.decimal) reading.decimal = model.decimal;
  if (!reading.thousands) reading.thousands = model.thousands;
  if (reading.missing_values.empty()) reading.missing_values = model.missing_values;
  reading.validate();
}

/// Warns of values that are not in the training data.
void warn_of_unknown(const program::Encoded& encoded, const program::Table& table) {
  if (encoded.unknown.count == 0) return;
  const bool is_table = !encoded.unknown.first.empty();
  program::print_remarks("linea_predict",
                         {table.source + ": " + (is_table ? "values" : "entries of features") +
                          " that are not in the training data, and are ignored: " +
                          std::to_string(encoded.unknown.count) +
                          (is_table ? "; the first: " + encoded.unknown.first : "")});
}

/// Reads the file in the same way as the training file, with the options that the model stores.
program::Table read_samples(Options& options, Model& model) {
  // This program needs no memory for columns, so it accepts any number of them.
  options.input.most_features = std::numeric_limits<Index>::max();
  options.input.zero_based = options.input.zero_based || model.input.zero_based;
  read_alike(options.input.format, model.input.encoder.format);
  if (!model.input.has_entries) options.input.like = model.input.encoder.columns;
  options.input.known_features = model.input.has_entries ? model.input.width : 0;
  auto table = program::read_table(options.file, options.input);
  program::print_remarks("linea_predict", table.remarks);
  if (model.input.has_entries && model.input.encoder.hash_bits == 0 && !table.has_entries)
    model.input.take_columns(table);
  return table;
}

/// Returns the scores, and throws if they are not finite.
linea::Matrix<double> scores_of(const Model& model, const program::Table& table,
                                const program::Encoded& encoded) {
  auto scores = model.scores(encoded.x);
  for (Index i = 0; i < scores.rows(); ++i)
    linea::require(scores.row(i).allFinite(), table.place(static_cast<std::size_t>(i)),
                   ": the prediction is not finite: its numbers are too large for the model");
  return scores;
}

/// Returns the targets of the file, all NaN if there are none.
program::Column targets_of(const Model& model, const program::Table& table) {
  const auto target = table.has_entries
                          ? std::optional<std::size_t>(0)
                          : model.input.encoder.find(table, linea::ColumnRole::target);
  if (target) return program::target_column(table, *target);
  program::Column targets;
  targets.numbers.assign(static_cast<std::size_t>(table.rows()),
                         std::numeric_limits<double>::quiet_NaN());
  return targets;
}

/// Returns the sample weights, which only the metrics need: none without targets.
linea::Vector<double> weights_of(const Model& model, const program::Table& table,
                                 const program::Column& targets) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(table.rows()); ++i)
    if (!targets.is_missing(i))
      return table.weights_in(table.weights ? table.weights : model.input.weights_in(table));
  return {};
}

int predict(Options& options, std::string& task) {
  if (!options.header_of.empty()) return emit(options, task);
  options.out_file = program::output_path(options.out_file);
  check(options);
  task = "reading '" + options.model_file + "' and '" + options.file + "'";
  Model model = program::read_model(options.model_file);
  linea::require(!options.probabilities || model.has_probabilities(), "--probabilities: the loss ",
                 model.loss, " gives none; train with --loss log for them");
  const auto table = read_samples(options, model);
  task = std::to_string(table.rows()) + " predictions";
  const auto encoded = model.input.apply(table);
  const auto scores = scores_of(model, table, encoded);
  const auto targets = targets_of(model, table);
  const auto y = program::targets_for(model, table, targets);
  const auto figures =
      program::figures_of(model, scores, y, targets, weights_of(model, table, targets));
  json report{{"loss", model.loss},
              {"n", table.rows()},
              {"d", model.weights.rows()},
              {"unknown_entries", encoded.unknown.count}};
  figures.add_to(report);
  if (options.as_json && options.metrics) figures.add_intervals_to(report);
  write_predictions(options, prediction_text(model, scores, options.probabilities));
  // If predictions go to standard output, print nothing else unless it is requested.
  if (options.out_file != "-" || options.as_json || options.metrics)
    print(options, report, figures);
  program::flush_report();
  if (!options.as_json) warn_of_unknown(encoded, table);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Predicts with a model of linea_train."};
  app.set_version_flag("--version", "linea_predict " + program::version());
  app.footer(examples);
  const auto reports = {
      app.add_flag("--json", options.as_json, "print the report as one line of JSON"),
      app.add_flag("--metrics", options.metrics,
                   "compare the predictions with the targets of the file, with 95 % intervals"),
      app.add_flag("--probabilities", options.probabilities,
                   "write the probability of each class after the prediction")};
  auto* const header = app.add_option(
      "--emit-header", options.header_of,
      "write this model as a C++ header that needs no library, to FILE or to standard output, and "
      "predict nothing");
  for (auto* const report : reports) header->excludes(report);
  program::add_input_options(app, options.input);
  app.add_option("--weights", options.input.weights,
                 "column of the sample weights for the metrics. Default: that of "
                 "the training, if the file has it");
  app.add_option("FILE", options.file, "samples, as for linea_train, with or without targets");
  app.add_option("MODEL_FILE", options.model_file,
                 "written by linea_train, by linea's write_model or by LIBLINEAR");
  app.add_option("OUT_FILE", options.out_file,
                 "the predictions, one in each line; - for standard output");
  return program::run_program("linea_predict", app, argc, argv,
                              [&](std::string& task) { return predict(options, task); });
}
