// SPDX-License-Identifier: MIT
#include "programs/common/training.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <linea/core/require.hpp>
#include <linea/core/solution.hpp>
#include <linea/data/split.hpp>
#include <linea/io/output_file.hpp>

#include "programs/common/program.hpp"
#include "programs/common/targets.hpp"

namespace program {
namespace {

using linea::Index;
using Vector = linea::Vector<double>;

/// The division of the samples into training and held-out ones: a fraction of a table, or a second
/// file.
struct Division {
  std::optional<Table> learn{};  ///< none: train on the whole table
  std::optional<Table> held_out{};
};

Division divide(const TrainOptions& options, const Table& table, const Vector& y, bool classes) {
  if (options.validation.empty()) return {};
  if (const auto share = options.validation_share()) {
    linea::require(*share > 0 && *share < 1, "--validation ", options.validation,
                   " is a share that is not between 0 and 1");
    const auto split = linea::split_indices(
        y, {.test_fraction = *share, .seed = options.task.seed, .stratify = classes});
    auto train = split.train;
    auto test = split.test;
    std::sort(train.begin(), train.end());
    std::sort(test.begin(), test.end());
    return {table.take(train), table.take(test)};
  }
  // Read the second file with the text columns and the header of the first.
  InputOptions input = options.input;
  input.drop.clear();
  input.weights.clear();
  for (const auto& column : table.columns)
    input.like.push_back({.name = column.name, .is_text = column.is_text()});
  return {std::nullopt, read_table(options.validation, input)};
}

/// Returns the held-out samples of a table whose weight is above 0. Stores their original targets
/// in `targets`.
HeldOut held_out_of(const TrainOptions& options, const Model& model, const Table& all,
                    Column& targets) {
  const auto weights = model.input.weights_in(all);
  const auto counted = rows_with_weight(all, weights);
  const Table& table = counted ? *counted : all;
  const auto at =
      model.input.has_entries ? 0 : model.input.encoder.find(table, linea::ColumnRole::target);
  linea::require(at.has_value(), table.source, ": there is no target");
  targets = target_column(table, *at);
  HeldOut held_out{model.input.apply(table).x, targets_for(model, table, targets),
                   table.weights_in(weights), options.patience};
  for (Index i = 0; i < held_out.y.size(); ++i)
    linea::require(!std::isnan(held_out.y[i]), table.place(static_cast<std::size_t>(i)),
                   ": the training samples have no such label");
  return held_out;
}

/// Stores the functions in the model, and their metrics in `trained`.
void take(Functions functions, const Vector& weights, const std::optional<HeldOut>& held_out,
          const Column& held_targets, Trained& trained) {
  Model& model = trained.model;
  trained.functions = std::move(functions);
  model.weights = trained.functions.weights;
  model.offset = trained.functions.offset;
  trained.training =
      figures_of(model, model.scores(trained.x), trained.y, trained.targets, weights);
  if (!held_out) return;
  trained.validation_scores = model.scores(held_out->x);
  trained.validation_y = held_out->y;
  trained.validation = figures_of(model, trained.validation_scores, trained.validation_y,
                                  held_targets, held_out->sample_weights);
}

/// Returns the number of missing cells of features.
Index missing_cells(const Table& table, std::size_t target) {
  Index count = 0;
  for (std::size_t j = 0; j < table.columns.size(); ++j)
    for (std::size_t i = 0;
         j != target && !table.columns[j].is_left_out && i < static_cast<std::size_t>(table.rows());
         ++i)
      count += table.columns[j].is_missing(i);
  return count;
}

}  // namespace

KeepModel CheckpointFile::writer() {
  if (path_.empty()) return {};
  return [this](const Model& model) {
    try {
      linea::io::write_file("--checkpoint", path_of(path_),
                            [&](std::ostream& out) { write_model(out, model); });
      failure_.clear();
    } catch (const std::invalid_argument& error) {
      if (failure_.empty())
        print_remarks(program_, {std::string(error.what()) + "; the run goes on"});
      failure_ = error.what();
    }
  };
}

void CheckpointFile::require_written() const { linea::require(failure_.empty(), failure_); }

Checkpoint checkpoint_of(const Model& model, const KeepModel& keep) {
  if (!keep) return {};
  return [now = model, &keep](const Functions& functions) mutable {
    now.weights = functions.weights;
    now.offset = functions.offset;
    keep(now);
  };
}

void describe(const TrainOptions& options, Index rows, Trained& trained) {
  const auto& functions = trained.functions;
  auto& training = trained.model.training;
  training = json{{"optimizer", options.task.optimizer},
                  {"lambda", options.task.lambda},
                  {"l1", options.task.l1},
                  {"n", rows},
                  {"status", linea::name_of(functions.status())},
                  {"objective", functions.objective()},
                  {"seed", options.task.seed}};
  const auto dual = functions.dual();
  if (dual && std::isfinite(*dual)) training["gap"] = functions.objective() - *dual;
  for (const auto& fit : functions.fits)
    if (trained.note.find(fit.note) == std::string::npos)
      trained.note += (trained.note.empty() || trained.note.ends_with("; ") ? "" : "; ") + fit.note;
}

Trained train(TrainOptions& options, const Table& given, const KeepModel& keep, Watch& watch) {
  Trained trained;
  Model& model = trained.model;
  const auto counted = rows_with_weight(given, given.weights);
  if (counted)
    trained.note =
        std::to_string(given.rows() - counted->rows()) + " samples of weight 0 are ignored; ";
  const Table& whole = counted ? *counted : given;
  const std::size_t target = whole.target;
  trained.targets = target_column(whole, target);
  require_targets(whole, trained.targets);
  settle_targets(options, whole, trained.targets, all_of(trained.targets), model, trained.note);
  const Division division =
      divide(options, whole, targets_for(model, whole, trained.targets), model.has_classes());
  const Table& table = division.learn ? *division.learn : whole;
  trained.targets = target_column(table, target);
  trained.y = targets_for(model, table, trained.targets);
  require_all_classes(options, model, trained.y);
  model.input = Preprocessing::learn(table, options.input.zero_based, options.preprocessing);
  trained.x = model.input.apply(table).x;
  trained.missing_cells = missing_cells(table, target);
  const Vector weights = table.weights_in(table.weights);
  const Vector factors = class_factors(options, model, trained.y, weights);
  std::optional<Functions> start;
  if (!options.start.empty()) start = read_start(options, model);
  std::optional<HeldOut> held_out;
  Column held_targets;
  if (division.held_out) held_out = held_out_of(options, model, *division.held_out, held_targets);
  const Functions* const from = start ? &*start : nullptr;
  const HeldOut* const judge = held_out ? &*held_out : nullptr;
  const auto before = std::chrono::steady_clock::now();
  if (options.lambda == "auto" || options.lambdas.size() > 1) {
    trained.curve =
        choose_lambda({options, table, trained.y, factors, weights}, model, trained.x, watch);
    options.task.lambda = trained.curve->lambdas[static_cast<std::size_t>(trained.curve->best)];
  }
  trained.targets = {};  // frees the memory, which the fit needs
  const Learnt learnt{trained.x, trained.y, sample_weights_of(factors, trained.y, weights)};
  auto functions = fit_all(options, model, options.task.lambda, learnt, from, judge,
                           checkpoint_of(model, keep), watch);
  trained.is_interrupted = Watch::is_interrupted();
  trained.train_seconds = seconds_since(before);
  trained.run = watch.curve();
  trained.targets = target_column(table, target);
  take(std::move(functions), weights, held_out, held_targets, trained);
  describe(options, trained.x.rows(), trained);
  return trained;
}

}  // namespace program
