// SPDX-License-Identifier: MIT
#include "programs/common/training.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <linea/core/certificate.hpp>
#include <linea/core/number_text.hpp>
#include <linea/core/require.hpp>
#include <linea/data/folds.hpp>
#include <linea/data/split.hpp>
#include <set>

#include "programs/common/any_loss.hpp"
#include "programs/common/program.hpp"

namespace program {
namespace {

using linea::Index;
using Sparse = linea::SparseMatrix<double>;
using Vector = linea::Vector<double>;

/// Do numbers look like classes: few of them, each more than once, and whole?
bool look_like_classes(const std::vector<double>& numbers) {
  std::set<double> values;
  bool are_whole = true;
  for (const double number : numbers) {
    values.insert(number);
    are_whole = are_whole && number == std::round(number);
    if (values.size() > 20) return false;
  }
  return values.size() <= 2 || (are_whole && 3 * values.size() <= numbers.size());
}

/// Refuses rows without a target, and numbers that are not finite.
void require_targets(const Table& table, const Column& targets) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(table.rows()); ++i) {
    linea::require(!targets.is_missing(i), table.place(i), ": the target is missing");
    linea::require(targets.is_text() || std::isfinite(targets.numbers[i]), table.place(i),
                   ": the target is not finite");
  }
}

template <class T>
std::vector<T> distinct(std::vector<T> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// The factor of each class, or none.
Vector class_factors(const TrainOptions& options, const Model& model, const Vector& y) {
  const auto k = static_cast<Index>(model.labels.size());
  if (options.class_weights.empty()) return {};
  linea::require(k > 0, "--class-weights is for classes, but the loss ", model.loss,
                 " is for numbers");
  Vector factors = Vector::Ones(k);
  if (options.class_weights == "balanced") {
    Vector counts = Vector::Zero(k);
    for (const double label : y) ++counts[static_cast<Index>(label)];
    for (Index j = 0; j < k; ++j)
      factors[j] = static_cast<double>(y.size()) / (static_cast<double>(k) * counts[j]);
    return factors;
  }
  const std::string& text = options.class_weights;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string one = text.substr(at, end - at);
    const auto colon = one.rfind(':');
    linea::require(colon != one.npos, "--class-weights ", text, ": '", one,
                   "' is not LABEL:WEIGHT, nor is all of it 'balanced'");
    const double factor = numbers_from("--class-weights", one.substr(colon + 1)).front();
    linea::require(std::isfinite(factor) && factor >= 0, "--class-weights ", text, ": ", factor,
                   " is not >= 0");
    bool is_found = false;
    for (Index j = 0; j < k; ++j)
      if (model.label_text(static_cast<std::size_t>(j)) == one.substr(0, colon)) {
        factors[j] = factor;
        is_found = true;
      }
    linea::require(is_found, "--class-weights ", text, ": there is no label '",
                   one.substr(0, colon), "'");
    at = end + 1;
  }
  return factors;
}

Vector sample_weights_of(const Vector& factors, const Vector& y) {
  if (factors.size() == 0) return {};
  Vector weights(y.size());
  for (Index i = 0; i < y.size(); ++i) weights[i] = factors[static_cast<Index>(y[i])];
  return weights;
}

Vector rows_of(const Vector& y, std::span<const Index> rows) {
  Vector taken(static_cast<Index>(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) taken[static_cast<Index>(k)] = y[rows[k]];
  return taken;
}

/// Targets of function k for classes (n); numbers as they are.
Vector targets_of(const Model& model, const Vector& y, Index k) {
  if (!model.has_classes()) return y;
  const Index positive = model.labels.size() == 2 ? 1 : k;
  return (y.array() == static_cast<double>(positive)).select(1.0, Vector::Constant(y.size(), -1.0));
}

bool takes_start(const std::string& optimizer) {
  return optimizer != "ridge" && optimizer != "dual" && optimizer != "pegasos";
}

/// Fits as many functions as the classes need. `start`: weights and offset of each, or none.
Functions fit_all(const TrainOptions& options, const Model& model, double lambda, const Sparse& x,
                  const Vector& y, const Vector& sample_weights, const Functions* start,
                  const HeldOut* held_out, Watch& watch) {
  FitTask task = options.task;
  task.lambda = lambda;
  task.sample_weights = sample_weights;
  task.observer = [&watch](const linea::Progress& progress) { return watch.step(progress); };
  if (options.is_softmax) {
    watch.begin(Named("log"), nullptr);
    return fit_softmax(task, x, y);
  }
  const Index count = model.labels.size() > 2 ? static_cast<Index>(model.labels.size()) : Index{1};
  Functions found;
  found.weights.resize(x.cols(), count);
  found.offset.resize(count);
  for (Index k = 0; k < count; ++k) {
    if (start) {
      task.start_weights = start->weights.col(k);
      task.start_offset = task.offset ? start->offset[k] : 0;
    }
    HeldOut of_function;
    if (held_out)
      of_function = {held_out->x, targets_of(model, held_out->y, k), held_out->patience};
    watch.begin(task.loss, held_out ? &of_function : nullptr);
    Fit& one = found.fits.emplace_back(fit(task, x, targets_of(model, y, k)));
    watch.end(one);
    found.weights.col(k) = one.weights;
    found.offset[k] = one.offset;
  }
  return found;
}

/// 1eN, 3e(N − 1), 1e(N − 1), …: `count` of them from number `from` on, each the nearest double.
void add_lambdas(std::vector<double>& lambdas, int top, int from, int count) {
  for (int k = from; k < from + count; ++k) {
    const std::string text = (k % 2 ? "3e" : "1e") + std::to_string(top - (k + 1) / 2);
    lambdas.push_back(std::strtod(text.c_str(), nullptr));
  }
}

/// The power of ten where about all weights are near 0.
int top_of(const Sparse& x) {
  const double size = x.squaredNorm() / static_cast<double>(x.rows());
  return static_cast<int>(std::round(std::log10(std::clamp(size, 1e-200, 1e200))));
}

/// Everything of a table that does not depend on lambda.
struct Samples {
  const TrainOptions& options;
  const Table& table;
  std::size_t target;
  const Vector& y;
  const Vector& factors;
};

/// Scores of the folds (k × m), and how many samples each has.
struct FoldScores {
  linea::Matrix<double> scores{};
  Vector sizes{};
};

FoldScores cross_validate(const Samples& samples, const Model& model,
                          const std::vector<double>& lambdas, Watch& watch) {
  const auto& options = samples.options;
  const Index folds = options.folds > 0 ? options.folds : 5;
  linea::require(folds <= samples.y.size(), "--folds ", folds, " of ", samples.y.size(),
                 " samples");
  const auto dealt = linea::fold_indices(
      samples.y, {.folds = folds, .seed = options.task.seed, .stratify = model.has_classes()});
  linea::Matrix<double> scores(folds, static_cast<Index>(lambdas.size()));
  Vector sizes(folds);
  for (Index f = 0; f < folds; ++f) {
    const auto held_out = dealt.held_out(f);
    const auto rest = dealt.rest(f);
    const Table learn = samples.table.take({rest.begin(), rest.end()});
    const Table judge = samples.table.take({held_out.begin(), held_out.end()});
    const auto input = Preprocessing::learn(learn, samples.target, options.input.zero_based,
                                            options.preprocessing);
    const Sparse x = input.apply(learn).x;
    const Sparse x_judge = input.apply(judge).x;
    const Vector y = rows_of(samples.y, rest);
    const Vector y_judge = rows_of(samples.y, held_out);
    sizes[f] = static_cast<double>(held_out.size());
    std::optional<Functions> before;
    for (std::size_t k = 0; k < lambdas.size(); ++k) {
      watch.name("fold " + std::to_string(f + 1) + " of " + std::to_string(folds) + ", lambda " +
                 linea::core::number_text(lambdas[k]));
      const auto& name = options.task.optimizer;
      const bool warm = before && (name == "auto" || name == "newton" || name == "lbfgs");
      before = fit_all(options, model, lambdas[k], x, y, sample_weights_of(samples.factors, y),
                       warm ? &*before : nullptr, nullptr, watch);
      if (Watch::is_interrupted()) throw Interrupted();
      Model judged = model;
      judged.weights = before->weights;
      judged.offset = before->offset;
      const auto of_judge = judged.scores(x_judge);
      Column known;
      known.numbers.assign(y_judge.begin(), y_judge.end());
      scores(f, static_cast<Index>(k)) =
          model.has_classes() ? figures_of(judged, of_judge, y_judge, known).error()
                              : mean_loss(options.task.loss, of_judge.col(0), y_judge, {});
    }
  }
  watch.name("");
  return {scores, sizes};
}

/// The curve of the lambdas asked for. Those of `auto` go on below as long as the least is the
/// best, three times at most.
linea::ValidationCurve choose_lambda(const Samples& samples, const Model& model, const Sparse& x,
                                     Watch& watch) {
  const bool is_auto = samples.options.lambda == "auto";
  std::vector<double> lambdas = samples.options.lambdas;
  if (is_auto) add_lambdas(lambdas, top_of(x), 0, 13);
  std::sort(lambdas.rbegin(), lambdas.rend());
  FoldScores all = cross_validate(samples, model, lambdas, watch);
  for (int round = 0;; ++round) {
    auto curve = linea::validation_curve(lambdas, all.scores, all.sizes);
    const bool is_least = curve.best + 1 == static_cast<Index>(lambdas.size());
    if (!is_auto || !is_least || !curve.is_at_edge || round == 3) return curve;
    std::vector<double> more;
    add_lambdas(more, top_of(x), static_cast<int>(lambdas.size()), 4);
    const auto next = cross_validate(samples, model, more, watch).scores;
    lambdas.insert(lambdas.end(), more.begin(), more.end());
    linea::Matrix<double> joined(all.scores.rows(), all.scores.cols() + next.cols());
    joined << all.scores, next;
    all.scores = joined;
  }
}

/// Sets the loss where none is named, the classes, and y.
void settle_targets(TrainOptions& options, const Table& table, Trained& trained) {
  Model& model = trained.model;
  const Column& targets = trained.targets;
  require_targets(table, targets);
  if (options.loss.empty()) {
    const bool classes = targets.is_text() || look_like_classes(targets.numbers);
    if (!classes)
      options.task.loss = Named("squared");
    else if (options.multiclass == "softmax")
      options.task.loss = Named("log");
    if (!classes) trained.note = "the targets look like numbers: the loss is squared; ";
    check_task(options.task);
  }
  model.loss = options.task.loss.name;
  model.parameter = options.task.loss.value;
  if (!is_for_labels(options.task.loss) && options.task.optimizer != "perceptron") {
    linea::require(!targets.is_text(), table.source, ": the loss ", model.loss,
                   " is for numbers, but the target is text");
    linea::require(options.multiclass.empty(), "--multiclass is for classes, but the loss ",
                   model.loss, " is for numbers");
    trained.y = Vector::Map(targets.numbers.data(), table.rows());
    return;
  }
  if (targets.is_text()) {
    model.label_names = distinct(targets.texts);
    for (std::size_t k = 0; k < model.label_names.size(); ++k)
      model.labels.push_back(static_cast<double>(k));
  } else {
    model.labels = distinct(targets.numbers);
    for (double& label : model.labels) label += 0.0;  // -0 is 0
  }
  const std::size_t k = model.labels.size();
  linea::require(k >= 2, table.source, ": the loss ", model.loss,
                 " tells labels apart, but the file has ", k);
  linea::require(k <= 1000 || k <= static_cast<std::size_t>(table.rows()) / 10, table.source,
                 ": the loss ", model.loss, " tells labels apart, but the file has ", k,
                 "; for numbers take a loss like squared");
  trained.y = targets_for(model, table, targets);
  options.is_softmax =
      k > 2 && (options.multiclass == "softmax" ||
                (options.multiclass.empty() && model.loss == "log" && options.task.l1 == 0 &&
                 options.task.optimizer == "auto" && options.start.empty()));
  model.multiclass = k == 2 ? "none" : options.is_softmax ? "softmax" : "one-vs-rest";
  if (options.is_softmax) model.loss = "softmax";
}

/// A model to start from, with as many weights and functions as are to be fitted.
Functions read_start(const TrainOptions& options, const Model& model) {
  const Model start = read_model(options.start);
  linea::require(takes_start(options.task.optimizer) && !options.is_softmax,
                 options.is_softmax ? "softmax" : options.task.optimizer, " takes no --start");
  linea::require(start.weights.rows() == model.input.features(), options.start, ": a model of ",
                 start.weights.rows(), " features, but there are ", model.input.features());
  const Index count = model.labels.size() > 2 ? static_cast<Index>(model.labels.size()) : 1;
  linea::require(start.weights.cols() == count, options.start, ": a model of ",
                 start.weights.cols(), " functions, but ", count, " are to be fitted");
  Functions functions;
  functions.weights = start.weights;
  functions.offset = start.offset;
  return functions;
}

/// A share of the samples, or a file of others.
struct Parts {
  Table learn{};
  std::optional<Table> held_out{};
};

Parts parts_of(const TrainOptions& options, const Table& table, const Vector& y, bool classes) {
  if (options.validation.empty()) return {table, std::nullopt};
  char* end = nullptr;
  const double share = std::strtod(options.validation.c_str(), &end);
  if (*end == '\0') {
    linea::require(share > 0 && share < 1, "--validation ", options.validation,
                   " is a share that is not between 0 and 1");
    const auto split = linea::split_indices(
        y, {.test_fraction = share, .seed = options.task.seed, .stratify = classes});
    auto train = split.train;
    auto test = split.test;
    std::sort(train.begin(), train.end());
    std::sort(test.begin(), test.end());
    return {table.take(train), table.take(test)};
  }
  // A column that is text in one file is text in the other, and so is a header.
  InputOptions input = options.input;
  std::vector<std::string> names;
  for (const auto& column : table.columns)
    if (!column.name.empty()) names.push_back(column.name);
  if (!table.has_entries) input.known_names = std::move(names);
  input.known_text = [&](Index, bool has_names) {
    std::vector<std::string> wanted;
    for (std::size_t j = 0; j < table.columns.size(); ++j)
      if (table.columns[j].is_text())
        wanted.push_back(has_names ? table.columns[j].name : std::to_string(j + 1));
    return wanted;
  };
  return {table, read_table(options.validation, input)};
}

void describe(const TrainOptions& options, Trained& trained) {
  const auto& functions = trained.functions;
  auto& training = trained.model.training;
  training = json{{"optimizer", options.task.optimizer},
                  {"lambda", options.task.lambda},
                  {"l1", options.task.l1},
                  {"n", trained.x.rows()},
                  {"status", linea::name_of(functions.status())},
                  {"objective", functions.objective()},
                  {"seed", options.task.seed}};
  const auto dual = functions.dual();
  if (dual && std::isfinite(*dual)) training["gap"] = functions.objective() - *dual;
  for (const auto& fit : functions.fits)
    if (trained.note.find(fit.note) == std::string::npos)
      trained.note += (trained.note.empty() || trained.note.ends_with("; ") ? "" : "; ") + fit.note;
}

}  // namespace

linea::Status Functions::status() const {
  linea::Status worst = linea::Status::converged;
  for (const auto& fit : fits) worst = std::max(worst, fit.status);
  return worst;
}
double Functions::objective() const {
  double sum = 0;
  for (const auto& fit : fits) sum += fit.objective;
  return sum;
}
std::optional<double> Functions::dual() const {
  double sum = 0;
  for (const auto& fit : fits) {
    if (!fit.dual) return std::nullopt;
    sum += *fit.dual;
  }
  return sum;
}
Index Functions::epochs() const {
  Index sum = 0;
  for (const auto& fit : fits) sum += fit.epochs;
  return sum;
}
Index Functions::updates() const {
  Index sum = 0;
  for (const auto& fit : fits) sum += fit.updates;
  return sum;
}

Trained train(TrainOptions& options, const Table& whole, Watch& watch) {
  linea::require(options.task.optimizer != "perceptron" ||
                     (options.lambda != "auto" && options.lambdas.size() < 2),
                 "the perceptron takes no penalty: there is no --lambda to choose");
  Trained trained;
  Model& model = trained.model;
  const std::size_t target =
      whole.has_entries ? 0 : whole.column_of(options.target.empty() ? "-1" : options.target);
  linea::require(!whole.has_entries || options.target.empty(), whole.source,
                 ": --target is for tables: a list of entries has its label in front");
  trained.targets = target_column(whole, target);
  settle_targets(options, whole, trained);
  const Parts parts = parts_of(options, whole, trained.y, model.has_classes());
  const Table& table = parts.learn;
  trained.targets = target_column(table, target);
  trained.y = targets_for(model, table, trained.targets);
  model.input =
      Preprocessing::learn(table, target, options.input.zero_based, options.preprocessing);
  trained.x = model.input.apply(table).x;
  const Vector factors = class_factors(options, model, trained.y);
  std::optional<Functions> start;
  if (!options.start.empty()) start = read_start(options, model);
  const auto before = std::chrono::steady_clock::now();
  if (options.lambda == "auto" || options.lambdas.size() > 1) {
    trained.curve =
        choose_lambda({options, table, target, trained.y, factors}, model, trained.x, watch);
    options.task.lambda = trained.curve->lambdas[static_cast<std::size_t>(trained.curve->best)];
  }
  std::optional<HeldOut> held_out;
  Column held_targets;
  if (parts.held_out) {
    const auto at = model.input.has_entries ? 0 : model.input.target_in(*parts.held_out);
    linea::require(at.has_value(), parts.held_out->source, ": there is no target");
    held_targets = target_column(*parts.held_out, *at);
    held_out = HeldOut{model.input.apply(*parts.held_out).x,
                       targets_for(model, *parts.held_out, held_targets), options.patience};
    for (Index i = 0; i < held_out->y.size(); ++i)
      linea::require(!std::isnan(held_out->y[i]),
                     parts.held_out->place(static_cast<std::size_t>(i)),
                     ": the target is none that training knows");
  }
  trained.functions = fit_all(options, model, options.task.lambda, trained.x, trained.y,
                              sample_weights_of(factors, trained.y), start ? &*start : nullptr,
                              held_out ? &*held_out : nullptr, watch);
  trained.is_interrupted = Watch::is_interrupted();
  trained.train_seconds = seconds_since(before);
  model.weights = trained.functions.weights;
  model.offset = trained.functions.offset;
  trained.run = watch.curve();
  describe(options, trained);
  trained.training = figures_of(model, model.scores(trained.x), trained.y, trained.targets);
  if (held_out) {
    trained.validation_scores = model.scores(held_out->x);
    trained.validation_y = held_out->y;
    trained.validation =
        figures_of(model, trained.validation_scores, trained.validation_y, held_targets);
  }
  return trained;
}

}  // namespace program
