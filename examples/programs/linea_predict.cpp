// SPDX-License-Identifier: MIT
/// \file Predicts with a model of linea_train: one prediction a line, and how well they fit the
/// file.
#include <CLI/CLI.hpp>
#include <charconv>
#include <limits>
#include <linea/files/libsvm.hpp>
#include <linea/files/output_file.hpp>
#include <linea/metrics.hpp>
#include <optional>

#include "program.hpp"

namespace {

using linea::Index;
using program::json;

struct Options {
  bool as_json{false};
  bool zero_based{false};
  std::string file{};
  std::string model_file{};
  std::string out_file{};
};

int predict(const Options& options, std::string& task) {
  task = "reading '" + options.model_file + "' and '" + options.file + "'";
  if (!options.out_file.empty()) {
    program::require_apart(options.out_file, options.file);
    program::require_apart(options.out_file, options.model_file);
  }
  const auto model = program::read(options.model_file);
  // Columns cost no memory here, so there may be any number of them.
  const auto data = linea::read_libsvm<double>(
      options.file,
      {.most_features = std::numeric_limits<Index>::max(), .zero_based = options.zero_based});
  std::optional<linea::files::OutputFile> out;
  if (!options.out_file.empty()) out.emplace("write_predictions", options.out_file);
  task = std::to_string(data.x.rows()) + " predictions";

  // Features the model never saw have no weight: they are left out, and counted.
  const auto d = static_cast<Index>(model.weights.size());
  Index unknown = 0;
  Eigen::VectorXd predicted = Eigen::VectorXd::Constant(data.x.rows(), model.offset);
  for (Index i = 0; i < data.x.rows(); ++i)
    for (linea::SparseMatrix<double>::InnerIterator entry(data.x, i); entry; ++entry) {
      if (entry.col() < d)
        predicted[i] += entry.value() * model.weights[static_cast<std::size_t>(entry.col())];
      else
        ++unknown;
    }
  const bool classes = !model.labels.empty();
  if (classes)
    for (double& prediction : predicted) prediction = model.labels[prediction >= 0 ? 1 : 0];

  json report{{"loss", model.loss}, {"n", data.x.rows()}, {"d", d}, {"unknown_entries", unknown}};
  if (classes) {
    report["accuracy"] = linea::accuracy(predicted, data.y);
    report["unknown_labels"] =
        (data.y.array() != model.labels[0] && data.y.array() != model.labels[1]).count();
  } else {
    report["mean_squared_error"] = linea::mean_squared_error(predicted, data.y);
    report["mean_absolute_error"] = linea::mean_absolute_error(predicted, data.y);
    report["r2"] = linea::r2(predicted, data.y);
  }
  if (out) {
    for (const double prediction : predicted) {
      char digits[40];
      const auto end = std::to_chars(digits, digits + sizeof digits, prediction).ptr;
      out->stream().write(digits, end - digits).put('\n');
    }
    out->keep();
  }
  if (options.as_json)
    std::cout << report.dump() << '\n';
  else
    for (const auto& [key, value] : report.items())
      std::cout << key << ": " << (value.is_string() ? value.get<std::string>() : value.dump())
                << '\n';
  program::flush_report();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Predicts with a model of linea_train."};
  app.add_flag("--json", options.as_json, "report as one line of JSON");
  app.add_flag("--zero-based", options.zero_based, "the first feature is 0 rather than 1");
  app.add_option("FILE", options.file, "LIBSVM text; its targets are compared with the predictions")
      ->required();
  app.add_option("MODEL_FILE", options.model_file, "written by linea_train")->required();
  app.add_option("OUT_FILE", options.out_file, "where to write the predictions, one a line");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return program::refused("linea_predict", app, error);
  }
  return program::guarded("linea_predict",
                          [&](std::string& task) { return predict(options, task); });
}
