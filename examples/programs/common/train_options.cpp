// SPDX-License-Identifier: MIT
#include "programs/common/train_options.hpp"

#include "programs/common/one_pass.hpp"

#include <cctype>
#include <cmath>
#include <linea/core/require.hpp>
#include <set>

#include "programs/common/descent_parts.hpp"
#include "programs/common/program.hpp"

namespace program {
namespace {

/// Ends the group of options: later options are in the default group.
void end_group(CLI::App& app) { app.option_defaults()->group(CLI::OptionDefaults().get_group()); }

void add_objective(CLI::App& app, TrainOptions& options) {
  app.option_defaults()->group("Objective: mean loss + lambda/2 |w|^2 + l1 |w|_1");
  app.add_option("--loss", options.loss,
                 "classes: hinge, squared-hinge, smooth-hinge[:width], log, perceptron; numbers: "
                 "squared, absolute, huber[:delta], epsilon-insensitive[:epsilon], "
                 "quantile[:level]. Default: hinge for classes, squared for numbers");
  app.add_option("--lambda", options.lambda,
                 "strength of the squared penalty; from several, with commas, or auto, "
                 "cross-validation selects one. Default: 1e-4");
  app.add_option("--l1", options.task.l1, "strength of the penalty |w|_1. Default: 0");
  app.add_option("--multiclass", options.multiclass,
                 "one-vs-rest or softmax, for three classes or more. Default: softmax for the log "
                 "loss, otherwise one-vs-rest")
      ->check(CLI::IsMember({"one-vs-rest", "softmax"}));
  app.add_option("--class-weights", options.class_weights,
                 "balanced, or LABEL:WEIGHT,...: factors of the weights of the classes");
  app.add_flag("--no-offset", options.no_offset, "fit no offset");
}

void add_features(CLI::App& app, TrainOptions& options) {
  app.option_defaults()->group("Features (stored with the model)");
  app.add_option("--target", options.input.target,
                 "column of the target: its name, or its number from 1, or from -1 at the right. "
                 "Default: the last");
  app.add_option("--weights", options.input.weights,
                 "column of the sample weights, for training and metrics: numbers >= 0");
  app.add_option("--missing", options.preprocessing.missing,
                 "missing numbers: refuse (default), mean of the column, or zero")
      ->check(CLI::IsMember({"refuse", "mean", "zero"}));
  app.add_flag("--standardise", options.preprocessing.standardise,
               "scale columns to mean 0 and deviation 1, sparse ones to root mean square 1");
  add_whole(app, "--polynomial", options.preprocessing.degree,
            "add the products of up to DEGREE features")
      ->check(CLI::Range(1, 64));
  add_whole(app, "--hash", options.preprocessing.hash_bits,
            "2^BITS features by a signed hash of names and words")
      ->check(CLI::Range(1, 30));
}

void add_choice(CLI::App& app, TrainOptions& options) {
  app.option_defaults()->group("Held-out samples");
  add_whole(app, "--folds", options.folds,
            "folds of the cross-validation that selects lambda. Default: 5")
      ->check(CLI::Range(2, 1000000));
  app.add_option("--validation", options.validation,
                 "held-out samples: a file, or a share such as 0.2. The run ends when their "
                 "predictions no longer improve");
  add_whole(app, "--patience", options.patience,
            "epochs without an improvement before the run ends. Default: 5")
      ->check(CLI::Range(1, 1000000));
}

void add_run(CLI::App& app, TrainOptions& options) {
  app.option_defaults()->group("Optimizer");
  FitTask& task = options.task;
  app.add_option("--optimizer", options.optimizer,
                 "dual, newton, lbfgs: with a proof of how close the minimum is; ridge: exact; "
                 "sgd, pegasos, perceptron. Default: auto, or sgd if one of its options is given")
      ->check(CLI::IsMember(
          {"sgd", "pegasos", "perceptron", "ridge", "dual", "newton", "lbfgs", "auto"}));
  app.add_option(
      "--tolerance", task.tolerance,
      "end when the objective is proven to be within this fraction of its minimum; sgd and "
      "pegasos: when 10 epochs lower it by less. Default: 1e-4");
  add_whole(app, "--epochs", task.epochs, "largest number of passes over the samples");
  add_whole(app, "--threads", task.threads,
            "the same seed and number of threads give the same model. Default: 1");
  add_whole(app, "--seed", task.seed,
            "for the order of visits, folds and held-out samples. Default: 0");
  app.add_option("--start", options.start, "a model of the same features to start from");
  app.add_flag("--certify", task.certify,
               "compute a lower bound on the objective, whatever the optimizer");
  app.add_flag("--float", task.use_float,
               "compute in float instead of double, for sgd and pegasos");
}

void add_descent(CLI::App& app, FitTask& task) {
  app.option_defaults()->group("Options of sgd and pegasos");
  app.add_option("--step", task.step,
                 "automatic[:first] (default), constant[:size], inverse-time[:size], "
                 "inverse-scaling[:size], inverse-lambda[:shift]");
  app.add_option("--batch", task.batch, "samples in a step; all: gradient descent. Default: 1");
  app.add_flag("--average", task.average, "return the average of the iterates instead of the best");
}

void add_stream(CLI::App& app, TrainOptions& options) {
  app.option_defaults()->group("One pass over a stream");
  app.add_flag(
      "--one-pass", options.one_pass,
      "learn from LIBSVM text block by block, by sgd or pegasos, and store only one block");
  add_list(app, "--labels", options.labels,
           "the two labels, with a comma. Default: those of the first block");
  add_whole(app, "--features", options.features,
            "number of weights; larger indices are refused. Default: 4194304");
  add_whole(app, "--block", options.block_bytes, "bytes of text in a block. Default: 1048576");
}

void add_output(CLI::App& app, TrainOptions& options) {
  app.option_defaults()->group("Output");
  app.add_flag("--json", options.as_json, "print the report as one line of JSON");
  app.add_flag("--quiet", options.is_quiet, "print no progress and no report");
  app.add_option("--plot", options.plot,
                 "draw the run and the model by gnuplot, to FILE.svg or FILE.png");
  app.add_option("--checkpoint", options.checkpoint,
                 "write the current model to this file during the run, and when it ends or "
                 "is interrupted; --start continues from it");
  app.add_option("--checkpoint-every", options.checkpoint_every,
                 "seconds between two checkpoints. Default: 60");
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
  FitTask& task = options.task;
  task.lambda = task.optimizer == "perceptron" ? 0 : 1e-4;
  if (options.lambda.empty() || options.lambda == "auto") return;
  options.lambdas = numbers_from("--lambda", options.lambda);
  std::set<double> seen;
  for (const double lambda : options.lambdas) {
    linea::require(std::isfinite(lambda) && lambda >= 0, "--lambda ", lambda, " is not >= 0");
    linea::require(seen.insert(lambda).second, "--lambda ", options.lambda, ": ", lambda,
                   " is given twice");
  }
  task.lambda = options.lambdas.front();
}

}  // namespace

std::optional<double> TrainOptions::validation_share() const {
  return linea::io::number_of(validation);
}

CallFiles TrainOptions::files() const {
  CallFiles files;
  files.inputs = {{"TRAIN_FILE", train_file},
                  {"--start", start, "--checkpoint"},
                  {"--validation", validation_share() ? "" : validation}};
  files.outputs = {{"MODEL_FILE", model_file}, {"--plot", plot}, {"--checkpoint", checkpoint}};
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
  app.option_defaults()->group("Reading files");
  app.add_option("--format", options.file_format,
                 "auto (default), libsvm, csv, npy, mtx (Matrix Market) or binary (linea's)")
      ->check(CLI::IsMember({"auto", "libsvm", "csv", "npy", "mtx", "binary"}));
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
  app.add_flag("--zero-based", options.zero_based, "LIBSVM: the first feature is 0, not 1");
  end_group(app);
}

void add_column_options(CLI::App& app, InputOptions& options) {
  app.option_defaults()->group("Reading files");
  add_list(app, "--text", options.text_columns, "columns of numbers to treat as text, with commas");
  add_list(app, "--drop", options.drop, "columns to omit, by their names or numbers, with commas");
  add_whole(app, "--most-features", options.most_features,
            "LIBSVM: refuse larger indices. Default: 16 for each entry, at least 4194304");
  end_group(app);
}

void add_train_options(CLI::App& app, TrainOptions& options) {
  app.add_option(
         "TRAIN_FILE", options.train_file,
         "LIBSVM, CSV, .npy, Matrix Market or linea's binary format; .gz too; - for standard "
         "input")
      ->required();
  app.add_option("MODEL_FILE", options.model_file,
                 "the output; - for standard output, and then the report goes to standard error");
  add_objective(app, options);
  add_features(app, options);
  add_choice(app, options);
  add_run(app, options);
  add_descent(app, options.task);
  add_input_options(app, options.input);
  add_column_options(app, options.input);
  add_stream(app, options);
  add_output(app, options);
}

void settle_train_options(TrainOptions& options) {
  options.input.format.validate();
  options.input.hashes_words = options.preprocessing.hash_bits > 0;
  FitTask& task = options.task;
  options.model_file = output_path(options.model_file);
  linea::require(options.model_file != "-" || !options.as_json,
                 "the model and --json would both be written to standard output");
  task.optimizer = !options.optimizer.empty()                   ? options.optimizer
                   : options.one_pass || asks_for_descent(task) ? "sgd"
                                                                : "auto";
  task.offset = !options.no_offset;
  settle_lambda(options);
  const auto& name = task.optimizer;
  if (options.loss.empty() && (name == "ridge" || name == "perceptron"))
    options.loss = name == "ridge" ? "squared" : "perceptron";
  task.loss = Named(options.loss.empty() ? "hinge" : options.loss);
  check_task(task);
  step_from(task.step, Step::Kind::automatic);
  batch_from(task.batch);
  options.preprocessing.centre = task.offset;
  linea::require(name != "perceptron" || (options.lambda != "auto" && options.lambdas.size() < 2),
                 "the perceptron takes no penalty: there is no --lambda to choose");
  linea::require(options.checkpoint != "-", "--checkpoint -: a checkpoint is a file");
  linea::require(options.checkpoint_every >= 0 && std::isfinite(options.checkpoint_every),
                 "--checkpoint-every ", options.checkpoint_every, " is not >= 0");
  linea::require(options.folds == 0 || options.lambda == "auto" || options.lambdas.size() > 1,
                 "--folds is for choosing --lambda: give several, or auto");
  linea::require(options.multiclass != "softmax" || options.loss.empty() || options.loss == "log",
                 "--multiclass softmax is the log loss of several classes, not ", options.loss);
  linea::require(options.one_pass || (options.labels.empty() && options.features == 0 &&
                                      options.block_bytes == TrainOptions{}.block_bytes),
                 "--labels, --features and --block are for --one-pass");
  if (options.one_pass) require_for_one_pass(options);
  require_picture(options.plot);
}

void require_picture(const std::string& plot) {
  linea::require(plot.empty() || plot.ends_with(".svg") || plot.ends_with(".png"), "--plot ", plot,
                 " ends neither in .svg nor in .png");
}

}  // namespace program
