// SPDX-License-Identifier: MIT
#include "programs/common/train_options.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <linea/core/require.hpp>
#include <set>

#include "programs/common/program.hpp"

namespace program {
namespace {

/// Ends the group of options: later options are in the default group.
void end_group(CLI::App& app) { app.option_defaults()->group(CLI::OptionDefaults().get_group()); }

using Names = std::vector<std::string>;

void add_objective(CLI::App& app, TrainOptions& options) {
  app.option_defaults()->group("Objective: mean loss + lambda/2 |w|^2 + l1 |w|_1");
  app.add_option("--loss", options.loss,
                 "classes: hinge, squared-hinge, smooth-hinge[:width], log, perceptron; numbers: "
                 "squared, absolute, huber[:delta], epsilon-insensitive[:epsilon], "
                 "quantile[:level]. Default: hinge for classes, squared for numbers");
  app.add_option("--lambda", options.lambda,
                 "strength of the squared penalty; from several, with commas, or auto, "
                 "cross-validation selects one. Default: 1e-4");
  app.add_flag("--no-offset", options.no_offset, "fit no offset");
}

void add_classes(CLI::App& app, TrainOptions& options) {
  app.add_option("--l1", options.fit.l1, "strength of the penalty |w|_1. Default: 0");
  app.add_option("--multiclass", options.multiclass,
                 "one-vs-rest or softmax, for three classes or more. Default: softmax for the log "
                 "loss, otherwise one-vs-rest")
      ->check(CLI::IsMember({"one-vs-rest", "softmax"}));
  app.add_option("--class-weights", options.class_weights,
                 "balanced, or LABEL:WEIGHT,...: factors of the weights of the classes");
}

void add_features(CLI::App& app, PreprocessingOptions& options) {
  app.option_defaults()->group("Features (stored with the model)");
  app.add_flag("--standardise", options.standardise,
               "scale columns to mean 0 and deviation 1, sparse ones to root mean square 1");
  add_whole(app, "--polynomial", options.degree, "add the products of up to DEGREE features")
      ->check(CLI::Range(1, 64));
  add_whole(app, "--hash", options.hash_bits, "2^BITS features by a signed hash of names and words")
      ->check(CLI::Range(1, 30));
}

void add_columns(CLI::App& app, TrainOptions& options) {
  app.add_option("--target", options.input.target,
                 "column of the target: its name, or its number from 1, or from -1 at the right. "
                 "Default: the last");
  app.add_option("--weights", options.input.weights,
                 "column of the sample weights, for training and metrics: numbers >= 0");
  app.add_option("--missing", options.preprocessing.missing,
                 "missing numbers: refuse (default), mean of the column, or zero")
      ->check(CLI::IsMember({"refuse", "mean", "zero"}));
}

void add_held_out(CLI::App& app, TrainOptions& options) {
  app.option_defaults()->group("Held-out samples");
  add_whole(app, "--folds", options.folds,
            "folds of the cross-validation that selects lambda. Default: 5")
      ->check(CLI::Range(2, 1000000));
  app.add_option("--validation", options.validation,
                 "held-out samples: a file, or a share such as 0.2. The run of one linear function "
                 "ends when their predictions no longer improve");
  add_whole(app, "--patience", options.patience,
            "epochs without an improvement before the run ends. Default: 5")
      ->check(CLI::Range(1, 1000000));
}

void add_optimizer(CLI::App& app, TrainOptions& options, const Names& names, const char* help) {
  app.option_defaults()->group("Optimizer");
  FitOptions& fit = options.fit;
  app.add_option("--optimizer", options.optimizer, help)->check(CLI::IsMember(names));
  app.add_option("--tolerance", fit.tolerance,
                 "end when the objective is proven to be within this fraction of its minimum; "
                 "descent: when 10 epochs lower it by less. Default: 1e-4");
  add_whole(app, "--epochs", fit.epochs, "largest number of passes over the samples");
  add_whole(app, "--threads", fit.threads,
            "the same seed and number of threads give the same model. Default: 1");
  app.add_option("--start", options.start,
                 "a model of one linear function of the same features to start from");
}

void add_descent(CLI::App& app, FitOptions& fit) {
  add_whole(app, "--seed", fit.seed,
            "for the order of visits, folds and held-out samples. Default: 0");
  app.add_option("--step", fit.step, "a constant step size of sgd. Default: automatic");
  add_whole(app, "--batch", fit.batch, "samples in a step of sgd. Default: 1");
  app.add_flag("--average", fit.average, "sgd returns the average of the iterates, not the best");
}

void add_stream(CLI::App& app, TrainOptions& options) {
  app.option_defaults()->group("One pass over a stream");
  app.add_flag("--one-pass", options.one_pass,
               "learn by AdaptiveSgd from LIBSVM text block by block, and store only one block");
  add_list(app, "--labels", options.labels,
           "the two labels, with a comma. Default: those of the first block");
  app.callback([&app, &options] {
    for (const std::string name :
         {"--multiclass", "--class-weights", "--target", "--text", "--drop", "--weights",
          "--standardise", "--polynomial", "--hash", "--validation", "--start", "--threads",
          "--epochs", "--optimizer", "--step", "--batch", "--average", "--missing", "--header"})
      if (options.one_pass && app.count(name) > 0)
        throw CLI::ValidationError("--one-pass takes no " + name +
                                   ": it reads the samples once, block by block");
  });
}

void add_output(CLI::App& app, TrainOptions& options) {
  app.option_defaults()->group("Output");
  app.add_flag("--json", options.as_json, "print the report as one line of JSON");
  app.add_flag("--quiet", options.is_quiet, "print no progress and no report");
}

void add_files(CLI::App& app, TrainOptions& options, const char* help) {
  app.add_option("TRAIN_FILE", options.train_file, help)->required();
  app.add_option("MODEL_FILE", options.model_file,
                 "the output; - for standard output, and then the report goes to standard error");
}

/// Adds the options of files that are not tables.
void add_entry_options(CLI::App& app, InputOptions& options) {
  app.option_defaults()->group("Reading files");
  app.add_option("--format", options.file_format,
                 "auto (default), libsvm, csv, npy, mtx (Matrix Market) or binary (linea's)")
      ->check(CLI::IsMember({"auto", "libsvm", "csv", "npy", "mtx", "binary"}));
  app.add_flag("--zero-based", options.zero_based, "LIBSVM: the first feature is 0, not 1");
}

void add_most_features(CLI::App& app, InputOptions& options) {
  add_whole(app, "--most-features", options.most_features,
            "LIBSVM: refuse larger indices. Default: 16 for each entry, at least 4194304");
  end_group(app);
}

/// Returns the character that `text` states: itself, or a name such as "comma" or "tab".
char character_from(const std::string& option, const std::string& text) {
  for (const auto& [name, c] :
       {std::pair{"comma", ','}, std::pair{"semicolon", ';'}, std::pair{"tab", '\t'},
        std::pair{"\\t", '\t'}, std::pair{"bar", '|'}, std::pair{"blank", ' '},
        std::pair{"space", ' '}, std::pair{"point", '.'}})
    if (text == name) return c;
  if (text.size() != 1)
    throw CLI::ValidationError(
        option,
        "'" + text + "' is neither a character nor comma, point, semicolon, tab, bar or blank");
  return text[0];
}

/// Sets lambda from the text of the option: "auto", or numbers.
void settle_lambda(TrainOptions& options) {
  if (options.lambda.empty() || options.lambda == "auto") return;
  options.lambdas = numbers_from("--lambda", options.lambda);
  std::set<double> seen;
  for (const double lambda : options.lambdas) {
    linea::require(std::isfinite(lambda) && lambda >= 0, "--lambda ", lambda, " is not >= 0");
    linea::require(seen.insert(lambda).second, "--lambda ", options.lambda, ": ", lambda,
                   " is given twice");
  }
  options.fit.lambda = options.lambdas.front();
}

}  // namespace

std::optional<double> TrainOptions::validation_share() const {
  return linea::io::number_of(validation);
}

CallFiles TrainOptions::files() const {
  CallFiles files;
  files.inputs = {{"TRAIN_FILE", train_file},
                  {"--start", start},
                  {"--validation", validation_share() ? "" : validation}};
  files.outputs = {{"MODEL_FILE", model_file}};
  return files;
}

std::vector<double> numbers_from(const std::string& option, const std::string& text) {
  std::vector<double> numbers;
  for (const std::string& part : split_at_commas(text)) {
    const auto number = whole_text<double>(part);
    linea::require(number.has_value(), option, ' ', text, ": '", part, "' is not a number");
    numbers.push_back(*number);
  }
  return numbers;
}

void add_input_options(CLI::App& app, InputOptions& options) {
  add_entry_options(app, options);
  const auto take_header = [&options](const std::string& text) {
    options.header = text == "yes"  ? linea::CsvHeader::present
                     : text == "no" ? linea::CsvHeader::absent
                                    : linea::CsvHeader::detect;
  };
  app.add_option_function<std::string>(
         "--header", take_header, "is the first line of a CSV a header? auto (default), yes or no")
      ->check(CLI::IsMember({"auto", "yes", "no"}));
  const auto character = [&](const char* name, char& value, const char* help) {
    app.add_option_function<std::string>(
        name, [name, &value](const std::string& text) { value = character_from(name, text); },
        help);
  };
  character("--separator", options.format.separator,
            "separator of the cells of a CSV: a character, or comma, semicolon, tab, bar, blank "
            "(runs of blanks and tabs). Default: the comma, semicolon or tab of the first line");
  character("--decimal", options.format.decimal, "decimal mark of a CSV: point (default) or comma");
  character("--thousands", options.format.thousands,
            "separator of thousands of a CSV: comma, point, blank or a character. Default: "
            "none");
  add_list(app, "--missing-values", options.format.missing_values,
           "more words, with commas, for missing cells of a CSV, besides those of pandas "
           "(empty, NA, N/A, NaN, null, None, ...), na, NAN and ?");
  end_group(app);
}

void add_column_options(CLI::App& app, InputOptions& options) {
  app.option_defaults()->group("Reading files");
  add_list(app, "--text", options.text_columns, "columns of numbers to treat as text, with commas");
  add_list(app, "--drop", options.drop, "columns to omit, by their names or numbers, with commas");
  add_most_features(app, options);
}

void add_train_options(CLI::App& app, TrainOptions& options) {
  add_files(app, options,
            "LIBSVM, CSV, .npy, Matrix Market or linea's binary format; .gz too; - for standard "
            "input");
  add_objective(app, options);
  add_classes(app, options);
  add_features(app, options.preprocessing);
  add_columns(app, options);
  add_held_out(app, options);
  add_optimizer(app, options,
                {"auto", "dual", "newton", "lbfgs", "gradient-descent", "ridge", "sgd"},
                "dual, newton, lbfgs: with a proof of how close the minimum is; ridge: exact; sgd. "
                "Default: auto, or sgd if one of its options is given");
  add_descent(app, options.fit);
  add_input_options(app, options.input);
  add_column_options(app, options.input);
  add_stream(app, options);
  add_output(app, options);
}

void add_divided_options(CLI::App& app, TrainOptions& options) {
  add_files(app, options,
            "LIBSVM, Matrix Market or linea's binary format; %r in the name is the rank's number");
  add_objective(app, options);
  add_features(app, options.preprocessing);
  add_optimizer(app, options, {"auto", "newton", "lbfgs", "ridge", "gradient-descent"},
                "newton, lbfgs, gradient-descent or ridge. Default: auto, which selects ridge for "
                "the squared loss and up to 4096 features without --start, else newton");
  add_entry_options(app, options.input);
  add_most_features(app, options.input);
  add_output(app, options);
}

void settle_train_options(TrainOptions& options) {
  options.input.format.validate();
  options.input.hashes_words = options.preprocessing.hash_bits > 0;
  options.model_file = output_path(options.model_file);
  linea::require(options.model_file != "-" || !options.as_json,
                 "the model and --json would both be written to standard output");
  FitOptions& fit = options.fit;
  const bool descends =
      fit.batch != 1 || fit.epochs || fit.step != 0 || fit.average;  // options of sgd alone
  fit.optimizer = options.one_pass             ? "adaptive-sgd"
                  : !options.optimizer.empty() ? options.optimizer
                  : descends                   ? "sgd"
                                               : "auto";
  fit.offset = options.preprocessing.centre = !options.no_offset;
  settle_lambda(options);
  if (options.loss.empty() && fit.optimizer == "ridge") options.loss = "squared";
  fit.loss = Named(options.loss.empty() ? "hinge" : options.loss);
  check_fit(fit);
  linea::require(options.folds == 0 || options.selects_lambda(),
                 "--folds is for choosing --lambda: give several, or auto");
  linea::require(options.multiclass != "softmax" || options.loss.empty() || options.loss == "log",
                 "--multiclass softmax is the log loss of several classes, not ", options.loss);
  linea::require(options.one_pass || options.labels.empty(), "--labels is for --one-pass");
  linea::require(!options.one_pass || !options.selects_lambda(), "--one-pass is for one --lambda");
  std::vector<double>& labels = options.labels;
  linea::require(labels.empty() || (labels.size() == 2 && std::isfinite(labels[0]) &&
                                    std::isfinite(labels[1]) && labels[0] != labels[1]),
                 "--labels takes two labels, like -1,1");
  std::sort(labels.begin(), labels.end());
  linea::require(options.patience == 0 || !options.validation.empty(),
                 "--patience is for --validation");
}

}  // namespace program
