// SPDX-License-Identifier: MIT
#include "programs/common/training.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <limits>
#include <linea/core/require.hpp>
#include <linea/data/folds.hpp>
#include <linea/data/split.hpp>
#include <linea/losses/squared.hpp>
#include <linea/metrics/classification.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/models/cross_validation.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <linea/models/softmax_regression.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l2.hpp>
#include <memory>

#include "programs/common/program.hpp"
#include "programs/common/targets.hpp"

namespace program {
namespace {

using linea::Index;
using Vector = linea::Vector<double>;
using Matrix = linea::Matrix<double>;
using Extras = linea::Extras<double>;

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
    auto split = linea::split_indices(
        y, {.test_fraction = *share, .seed = options.fit.seed, .stratify = classes});
    std::sort(split.train.begin(), split.train.end());
    std::sort(split.test.begin(), split.test.end());
    return {table.take(split.train), table.take(split.test)};
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
HeldOut held_out_of(const Model& model, const Table& all, Column& targets) {
  const auto weights = model.input.weights_in(all);
  const auto counted = rows_with_weight(all, weights);
  const Table& table = counted ? *counted : all;
  const auto at =
      model.input.has_entries ? 0 : model.input.encoder.find(table, linea::ColumnRole::target);
  linea::require(at.has_value(), table.source, ": there is no target");
  targets = target_column(table, *at);
  HeldOut held_out{model.input.apply(table).x, targets_for(model, table, targets),
                   table.weights_in(weights)};
  for (std::size_t i = 0; i < static_cast<std::size_t>(table.rows()); ++i) {
    linea::require(!targets.is_missing(i), table.place(i), ": the target is missing");
    linea::require(!std::isnan(held_out.y[static_cast<Index>(i)]), table.place(i),
                   ": the training samples have no such label");
  }
  return held_out;
}

/// Returns the number of missing cells of features.
Index missing_cells(const Table& table) {
  Index count = 0;
  for (std::size_t j = 0; j < table.columns.size(); ++j)
    if (j != table.target && !table.columns[j].is_left_out)
      for (std::size_t i = 0; i < static_cast<std::size_t>(table.rows()); ++i)
        count += table.columns[j].is_missing(i);
  return count;
}

/// Returns the targets −1 and +1 of class indices 0 and 1 (n), or numbers unchanged.
Vector signs_of(const Model& model, Vector y) {
  if (model.has_classes()) y = 2 * y.array() - 1;
  return y;
}

bool same(const Matrix& one, const Matrix& other) {
  return one.rows() == other.rows() && one == other;
}

/// Rows of a table as features, and the rows that are held out from them.
struct Encoding {
  Matrix rows{};  ///< (n × 1)
  Preprocessing input{};
  Entries x{};
  Matrix held_rows{};  ///< (m × 1)
  Entries held_x{};
};

/// A recipe whose x (n × 1) has numbers of rows of a table, and whose y (n) has class indices or
/// numbers. So each fold of a cross-validation learns its own preprocessing.
struct TableRecipe {
  double lambda{0};
  const TrainOptions* options{nullptr};
  const Table* table{nullptr};
  const Table* held_out{nullptr};  ///< for fits of the whole table
  Model model{};                   ///< with loss and labels
  linea::ClassWeights factors{};
  std::shared_ptr<Encoding> last{std::make_shared<Encoding>()};  ///< of the fold

  bool is_whole(const Matrix& rows) const { return rows.rows() == table->rows(); }

  Table take(const Matrix& rows) const {
    std::vector<Index> taken;
    for (Index i = 0; i < rows.rows(); ++i) taken.push_back(static_cast<Index>(rows(i, 0)));
    return table->take(taken);
  }

  const Encoding& encoded(const Matrix& rows) const {
    if (same(last->rows, rows)) return *last;
    const std::optional<Table> part = is_whole(rows) ? std::nullopt : std::optional(take(rows));
    const Table& of = part ? *part : *table;
    *last = {rows, Preprocessing::learn(of, options->input.zero_based, options->preprocessing)};
    last->x = last->input.apply(of).x;
    return *last;
  }

  /// Fits the rows. A fit of the whole table uses --start and --validation, and Ctrl-C ends it.
  Trained fit(const Matrix& rows, const Vector& y, const Extras& given) const {
    const Encoding& samples = encoded(rows);
    Trained trained{.model = model, .x = samples.x, .y = y};
    trained.model.input = samples.input;
    Extras extras = given;
    LinearRecipe one{.options = options->fit};
    if (options->patience > 0) one.patience = options->patience;
    one.options.lambda = lambda;
    if (!is_whole(rows)) {
      fit_functions(one, extras, trained);
      return trained;
    }
    if (!options->start.empty()) {
      extras = read_start(*options, trained.model);
      extras.sample_weights = given.sample_weights;
      extras.observer = given.observer;
    }
    std::optional<HeldOut> judge;
    HeldOut of_signs;
    Column targets;
    if (held_out) {
      judge = held_out_of(trained.model, *held_out, targets);
      of_signs = {judge->x, signs_of(model, judge->y), judge->sample_weights};
      one.held_out = &of_signs;
    }
    const LeftToRun left;
    fit_functions(one, extras, trained);
    if (judge)
      trained.validation = figures_of(trained.model, trained.model.scores(judge->x), judge->y,
                                      targets, judge->sample_weights);
    return trained;
  }

  void fit_functions(LinearRecipe& one, Extras& extras, Trained& trained) const {
    const EntriesView& x = trained.x;
    const Vector& y = trained.y;
    const FitOptions& fit = one.options;
    if (!factors.are_equal()) {
      const linea::ClassLabels labels(y);
      extras.sample_weights = factors.among(labels).times(
          "--class-weights", labels, labels.indices_of(y), Vector(extras.sample_weights));
    }
    if (model.multiclass == "softmax") {
      const auto found = linea::SoftmaxRegression{.lambda = lambda,
                                                  .tolerance = fit.tolerance,
                                                  .offset = fit.offset,
                                                  .threads = fit.threads}
                             .fit(x, y, extras);
      for (Index k = 0; k < found.labels.size(); ++k)
        set(found.labels, k, found.weights.col(k), found.offset[k], trained);
      trained.add(found);
      trained.add_note("all classes in one model, by SoftmaxNewton");
      return;
    }
    if (model.labels.size() <= 2) {
      const auto found = one.fit(x, signs_of(model, y), extras);
      trained.model.weights = found.weights;
      trained.model.offset = Vector::Constant(1, found.offset);
      trained.add(found);
      trained.add_note(found.reason);
      return;
    }
    one.held_out = nullptr;  // several functions have no common best epoch
    const auto found = linea::OneVsRest{one}.fit(x, y, extras);
    for (Index k = 0; k < found.labels.size(); ++k) {
      const auto& function = found.models[static_cast<std::size_t>(k)];
      set(found.labels, k, function.weights, function.offset, trained);
      trained.add(function);
      trained.add_note(function.reason);
    }
  }

  /// Sets the function of class labels[k]. A class without samples, as in a fold, never has the
  /// highest score.
  template <class W>
  void set(const linea::ClassLabels& labels, Index k, const W& weights, double offset,
           Trained& trained) const {
    const auto count = static_cast<Index>(model.labels.size());
    if (k == 0) {
      trained.model.weights.setZero(weights.size(), count);
      trained.model.offset.setConstant(count, -1e300);
    }
    trained.model.weights.col(static_cast<Index>(labels[k])) = weights;
    trained.model.offset[static_cast<Index>(labels[k])] = offset;
  }

  /// Returns the score of held-out rows: the error rate for classes, else the mean loss.
  double score(const Trained& fitted, const Matrix& rows, const Vector& y,
               const Vector& weights) const {
    if (!same(last->held_rows, rows)) {
      last->held_rows = rows;
      last->held_x = fitted.model.input.apply(take(rows)).x;
    }
    const Matrix scores = fitted.model.scores(last->held_x);
    if (!scores.allFinite()) return std::numeric_limits<double>::quiet_NaN();
    if (!model.has_classes())
      return with_loss(options->fit.loss, [&](const auto& loss) {
        return linea::empirical_risk(loss, Vector(scores.col(0)), y, weights);
      });
    const auto classes = fitted.model.classes_of(scores);
    return linea::error_rate(std::vector<double>(classes.begin(), classes.end()), y, weights);
  }

  friend std::vector<double> automatic_lambdas(const TableRecipe& recipe, const Matrix& rows,
                                               const Vector& y, const Extras& extras) {
    return linea::automatic_lambdas(linea::Objective{linea::Squared{}, linea::L2{}},
                                    recipe.encoded(rows).x.view(), y, extras);
  }
};

/// Fits all rows with the λ of the options, or with the one that cross-validation selects.
Trained fit_selected(TrainOptions& options, TableRecipe& recipe, const Vector& y,
                     const Extras& extras) {
  Matrix rows(y.size(), 1);
  rows.col(0).setLinSpaced(0, static_cast<double>(y.size() - 1));
  recipe.lambda = options.fit.lambda;
  if (!options.selects_lambda()) return recipe.fit(rows, y, extras);
  const Index folds = options.folds > 0 ? options.folds : 5;
  linea::require(folds <= y.size(), "--folds ", folds, " of ", y.size(), " samples");
  const linea::CrossValidation validation{
      .own_folds = linea::fold_indices(
          y, {.folds = folds, .seed = options.fit.seed, .stratify = recipe.model.has_classes()})};
  std::sort(options.lambdas.rbegin(), options.lambdas.rend());
  auto chosen = validation.choose(
      recipe, options.lambdas, rows, y, extras,
      [&](const Trained& fitted, const Matrix& held_rows, const Vector& held_y,
          const Vector& weights) { return recipe.score(fitted, held_rows, held_y, weights); });
  options.fit.lambda = chosen.recipe.lambda;
  chosen.model.curve = std::move(chosen);
  return std::move(chosen.model);
}

}  // namespace

void Trained::add_note(const std::string& text) {
  if (note.find(text) == std::string::npos) note += (note.empty() ? "" : "; ") + text;
}

linea::ObserverFunction observer_of(bool shows) {
  return [shows = shows && shows_errors_on_terminal(),
          shown = std::chrono::steady_clock::now()](const linea::Progress& progress) mutable {
    if (shows && seconds_since(shown) > 2) {
      shown = std::chrono::steady_clock::now();
      std::cerr << "epoch " << progress.epoch << ", objective " << digits(progress.objective(), 5)
                << '\n';
    }
    return interrupted_by != 0 ? linea::Control::stop : linea::Control::proceed;
  };
}

linea::Extras<double> read_start(const TrainOptions& options, const Model& model) {
  const Model start = read_model(options.start);
  const std::string& optimizer = options.fit.optimizer;
  linea::require(optimizer != "ridge" && optimizer != "dual", optimizer, " takes no --start");
  linea::require(start.weights.rows() == model.input.features(), options.start, ": a model of ",
                 start.weights.rows(), " features, but there are ", model.input.features());
  linea::require(start.weights.cols() == 1, options.start, ": a model of ", start.weights.cols(),
                 " functions, but 1 is needed");
  Extras extras;
  Vector weights = start.weights.col(0);
  double offset = start.offset[0];
  if (model.input.is_scaled()) {  // the start is for features that are not scaled
    offset += weights.dot(model.input.scaling.mean);
    weights = weights.cwiseProduct(model.input.scaling.scale);
  }
  extras.start_weights = weights;
  extras.start_offset = options.fit.offset ? offset : 0;
  return extras;
}

void describe(const TrainOptions& options, Trained& trained) {
  const FitOptions& fit = options.fit;
  Model& model = trained.model;
  if (model.fits.empty())
    model.fits.push_back({.optimizer = library_name(fit.optimizer),
                          .status = trained.status,
                          .updates = trained.updates});
  const linea::ElasticNet penalty{.l1 = fit.l1, .l2 = fit.lambda};
  for (auto& one : model.fits)
    one.penalty = fit.l1 > 0 ? "elastic-net (" + penalty.parameters() + ")"
                             : "l2 (" + linea::L2{fit.lambda}.parameters() + ")";
  model.notes = {{"written by", "linea " + version()},
                 {"samples", std::to_string(trained.rows)},
                 {"seed", std::to_string(fit.seed)}};
}

Trained train(TrainOptions& options, const Table& given) {
  const auto counted = rows_with_weight(given, given.weights);
  const Table& whole = counted ? *counted : given;
  std::string note;
  TableRecipe recipe{.options = &options};
  Column targets = target_column(whole, whole.target);
  require_targets(whole, targets);
  settle_targets(options, whole, targets, all_of(targets), recipe.model, note);
  const bool has_classes = recipe.model.has_classes();
  const Division division =
      divide(options, whole, targets_for(recipe.model, whole, targets), has_classes);
  const Table& table = division.learn ? *division.learn : whole;
  targets = target_column(table, table.target);
  const Vector y = targets_for(recipe.model, table, targets);
  require_all_classes(options, recipe.model, y);
  recipe.table = &table;
  if (division.held_out) recipe.held_out = &*division.held_out;
  recipe.factors = class_weights_of(options, recipe.model);
  const Extras extras{.sample_weights = table.weights_in(table.weights),
                      .observer = observer_of(!options.as_json && !options.is_quiet)};
  const auto before = std::chrono::steady_clock::now();
  Trained trained = fit_selected(options, recipe, y, extras);
  trained.train_seconds = seconds_since(before);
  trained.is_interrupted = interrupted_by != 0;
  trained.rows = trained.x.rows();
  trained.entries = trained.x.nonZeros();
  trained.missing_cells = missing_cells(table);
  if (counted)
    trained.note = std::to_string(given.rows() - counted->rows()) +
                   " samples of weight 0 are ignored; " + note + trained.note;
  else
    trained.note = note + trained.note;
  trained.training = figures_of(trained.model, trained.model.scores(trained.x), trained.y, targets,
                                extras.sample_weights);
  describe(options, trained);
  return trained;
}

}  // namespace program
