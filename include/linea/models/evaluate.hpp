// SPDX-License-Identifier: MIT
#pragma once
/// \file evaluate(model, x, y): the usual metrics of a fitted model on samples. The kind of the
/// model selects the metrics.
///
/// | a model with                                   | is evaluated as    | such as             |
/// |------------------------------------------------|--------------------|---------------------|
/// | `labels`, `predict(x)`, `scores(x)` (m)        | TwoClassEvaluation | Classifier          |
/// | `labels`, `predict(x)`, `scores(x)` (m × k)    | ClassesEvaluation  | OneVsRestClassifier |
/// | `predict(x)` (m), and no labels                | NumbersEvaluation  | Regressor           |
///
/// `predict` and `scores` take a number of threads after x, as do `probabilities` and
/// `log_probabilities`. If the model has `probabilities(x)`, in the shape of the scores, the first
/// two evaluations include log loss and Brier score. If the model has `log_probabilities(x)`, the
/// log loss of several labels is finite even if a probability underflows.
///
/// Undefined metrics are NaN: the precision of a label that is never predicted, the recall of a
/// label that is not in y, the F1 of a label that is neither predicted nor in y, the ROC AUC if not
/// all labels are in y, and the standard error of a single sample.
#include <algorithm>  // max, min
#include <cmath>      // floor, isnan, pow, sqrt
#include <concepts>   // same_as
#include <linea/activations/sigmoid.hpp>
#include <linea/core/require.hpp>
#include <linea/core/text_stream.hpp>
#include <linea/losses/log.hpp>
#include <linea/metrics/classification.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/metrics/probabilities.hpp>
#include <linea/metrics/ranking.hpp>
#include <linea/metrics/regression.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <type_traits>  // remove_cvref
#include <utility>      // declval, pair
#include <vector>

namespace linea {

/// The metrics of a model of two labels. Counts are sums of sample weights.
struct [[nodiscard]] TwoClassEvaluation {
  Index samples{0};          ///< number of samples of weight above 0
  double smaller{0};         ///< the smaller label
  double larger{0};          ///< the larger label; precision, recall and F1 refer to it
  double accuracy{0};        ///< fraction of correct predictions
  double accuracy_error{0};  ///< standard error of the accuracy, if samples are independent
  double precision{0};       ///< see metrics/classification.hpp for these metrics
  double recall{0};
  double f1{0};
  double roc_auc{0};                    ///< of the scores
  std::optional<double> log_loss{};     ///< if the model has probabilities
  std::optional<double> brier_score{};  ///< if the model has probabilities; in [0, 1]
  ConfusionMatrix confusion{};          ///< of both labels (2 × 2)
};

/// The metrics of a model with a score for each label.
struct [[nodiscard]] ClassesEvaluation {
  Index samples{0};             ///< number of samples of weight above 0
  double accuracy{0};           ///< fraction of correct predictions
  double accuracy_error{0};     ///< standard error of the accuracy, if samples are independent
  double balanced_accuracy{0};  ///< the mean recall of the labels in y
  double macro_f1{0};           ///< the mean F1 of all labels that are predicted or in y
  double roc_auc{0};            ///< mean over labels, from probabilities if any, else from scores
  std::optional<double> log_loss{};     ///< if the model has probabilities
  std::optional<double> brier_score{};  ///< if the model has probabilities; in [0, 2]
  ClassMetrics classes{};               ///< of each label that is predicted or in y
  ConfusionMatrix confusion{};          ///< of all labels of the model (k × k)
};

/// The metrics of a model that predicts numbers.
struct [[nodiscard]] NumbersEvaluation {
  Index samples{0};  ///< number of samples of weight above 0
  double r2{0};
  double mean_squared_error{0};       ///< in the square of y's unit
  double root_mean_squared_error{0};  ///< in y's unit
  double mean_absolute_error{0};      ///< in y's unit
};

namespace detail {

template <class M, class X>
concept LabellingModel = requires(const M& model, const X& x) {
  { model.labels.values() } -> Numbers;
  { model.predict(x, Index{1}) } -> Numbers;
  model.scores(x, Index{1});
};

template <class M, class X>
using scores_t = decltype(std::declval<const M&>().scores(std::declval<const X&>(), Index{1}));

template <class M, class X>
concept TwoClassModel = LabellingModel<M, X> && VectorLike<std::remove_cvref_t<scores_t<M, X>>>;

template <class M, class X>
concept SeveralClassModel =
    LabellingModel<M, X> && TargetMatrix<std::remove_cvref_t<scores_t<M, X>>>;

template <class M, class X>
concept NumberModel = !requires(const M& model) {
  model.labels;
}
&&!requires(const M& model) { model.labels(); }
&&requires(const M& model, const X& x) {
  { model.predict(x, Index{1}) } -> VectorLike;
};

template <class M, class X>
concept HasProbabilities = requires(const M& model, const X& x) {
  model.probabilities(x, 1);
};

/// Returns the targets (n). Throws if x has another number of samples.
template <class X>
Vector<double> targets_of(const X& x, Vector<double> targets) {
  require_targets("evaluate", x.rows(), x.cols(), targets.size());
  return targets;
}

/// Returns the log loss of the probabilities q (n) of the label `positive`. If q is the sigmoid of
/// the scores (n), computes it from the scores, because a probability near 1 has lost digits.
template <class V>
double log_loss_of(const V& scores, const V& q, const Vector<double>& y, double positive,
                   const SampleWeights& sample_weights) {
  bool is_sigmoid = true;
  Vector<double> targets(y.size());
  for (Index i = 0; i < y.size(); ++i) {
    if (sample_weights.of(i) > 0) is_sigmoid = is_sigmoid && q[i] == Sigmoid{}.value(scores[i]);
    targets[i] = y[i] == positive ? 1 : -1;
  }
  if (!is_sigmoid) return log_loss(q, y, positive, sample_weights);
  return empirical_risk(Log{}, scores, targets, sample_weights);
}

/// Returns whether there are at least two labels, and samples of each label.
inline bool has_all_labels(const ConfusionMatrix& confusion) {
  const Index size = confusion.labels.size();
  for (Index k = 0; k < size; ++k) {
    double sum = 0;
    for (Index j = 0; j < size; ++j) sum += confusion.counts(k, j);
    if (!(sum > 0)) return false;
  }
  return size > 1;
}

/// Sets the number of samples, the confusion matrix, the accuracy a and its standard error, and a
/// ROC AUC of NaN. Returns the predicted labels. The standard error is √(Σ sᵢ²(cᵢ − a)²)/Σ sᵢ,
/// where cᵢ = 1 for a correct prediction, else 0. Without weights this is √(a(1 − a)/n).
template <class Evaluation, class M, class X>
Vector<double> evaluate_labels(Evaluation& result, const M& model, const X& x,
                               const Vector<double>& y, const SampleWeights& sample_weights,
                               Index threads) {
  Vector<double> predicted = doubles_of(model.predict(x, threads));
  const Vector<double> labels = labels_of("evaluate", model.labels);
  const auto samples = counted("evaluate", predicted, y, sample_weights);
  result.samples = samples.size();
  result.confusion = confusion_of("evaluate", labels, samples, sample_weights);
  result.accuracy = accuracy(predicted, y, sample_weights);
  double squares = 0;
  for (Index i = 0; i < samples.size(); ++i) {
    const double is_right = samples.predicted[i] == samples.y[i] ? 1 : 0;
    squares += std::pow(samples.weights[i] * (is_right - result.accuracy), 2);
  }
  result.accuracy_error =
      samples.size() > 1 ? std::sqrt(squares) / samples.total : undefined_figure;
  result.roc_auc = undefined_figure;
  return predicted;
}

/// Text output omits larger confusion matrices, and the metrics of further labels.
inline constexpr Index most_labels_shown = 20;

template <class Text>
using Cells = std::vector<std::vector<Text>>;

/// Returns rows of cells as text, in columns that are aligned to the right, or `to_left`, where
/// only the first column is padded.
template <class Text>
Text grid_text(const Cells<Text>& rows, bool to_left = false) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  }
  Text text;
  for (const auto& row : rows) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      const Text space(widths[k] - row[k].size(), ' ');
      if (k > 0) text += "  ";
      text += to_left ? row[k] + (k == 0 ? space : "") : space + row[k];
    }
    text += '\n';
  }
  return text;
}

/// Returns the number with four significant digits, or "undefined" for NaN.
inline std::string figure_text(double figure) {
  if (std::isnan(figure)) return "undefined";
  TextStream text;
  text.precision(4);
  text << figure;
  return text.str();
}

/// Returns a sum of sample weights with all digits if it is a whole number, else with four.
inline std::string count_text(double count) {
  return count < 1e15 && count == std::floor(count) ? number_text(count) : figure_text(count);
}

/// Returns the text of an evaluation with these figures, the text `classes`, and the confusion
/// matrix, unless it has more than most_labels_shown labels.
template <class Evaluation, class Text = std::string>
Text labels_text(const Evaluation& evaluation, const std::string& of,
                 const std::vector<std::pair<std::string, double>>& figures,
                 const std::string& classes = {}) {
  Cells<Text> rows{{"accuracy", figure_text(evaluation.accuracy) + " (standard error " +
                                    figure_text(evaluation.accuracy_error) + ')'}};
  for (const auto& [name, figure] : figures) rows.push_back({name, figure_text(figure)});
  if (evaluation.log_loss) rows.push_back({"log loss", figure_text(*evaluation.log_loss)});
  if (evaluation.brier_score) rows.push_back({"Brier score", figure_text(*evaluation.brier_score)});
  const ConfusionMatrix& confusion = evaluation.confusion;
  require_square(confusion);
  Cells<Text> table;
  if (confusion.labels.size() <= most_labels_shown) table.push_back({"true \\ predicted"});
  for (Index k = 0; !table.empty() && k < confusion.labels.size(); ++k) {
    table[0].push_back(number_text(confusion.labels[k]));
    table.push_back({table[0].back()});
    for (Index j = 0; j < confusion.labels.size(); ++j)
      table.back().push_back(count_text(confusion.counts(k, j)));
  }
  return std::to_string(evaluation.samples) + " samples of " + of + " labels\n" +
         grid_text(rows, true) + classes + grid_text(table);
}

template <class Text = std::string>
Text classes_text(const ClassMetrics& classes) {
  Cells<Text> rows{{"label", "precision", "recall", "F1", "support"}};
  const Index shown = std::min(classes.labels.size(), most_labels_shown);
  for (Index k = 0; k < shown; ++k) {
    rows.push_back({number_text(classes.labels[k])});
    for (const auto* figures :
         {&classes.precision, &classes.recall, &classes.f1, &classes.support}) {
      require(figures->size() == classes.labels.size(), "ClassMetrics: ", classes.labels.size(),
              " labels, but ", figures->size(), " figures of them");
      const double figure = (*figures)[k];
      rows.back().push_back(figures == &classes.support ? count_text(figure) : figure_text(figure));
    }
  }
  const Index left = classes.labels.size() - shown;
  return grid_text(rows) + (left > 0 ? "and " + std::to_string(left) + " more labels\n" : "");
}

}  // namespace detail

template <std::same_as<TwoClassEvaluation> E>
std::ostream& operator<<(std::ostream& out, const E& evaluation) {
  const std::string of = " of " + detail::number_text(evaluation.larger);
  return out << detail::labels_text(evaluation, "two",
                                    {{"precision" + of, evaluation.precision},
                                     {"recall" + of, evaluation.recall},
                                     {"F1" + of, evaluation.f1},
                                     {"ROC AUC", evaluation.roc_auc}});
}

template <std::same_as<ClassesEvaluation> E>
std::ostream& operator<<(std::ostream& out, const E& evaluation) {
  return out << detail::labels_text(evaluation, std::to_string(evaluation.confusion.labels.size()),
                                    {{"balanced accuracy", evaluation.balanced_accuracy},
                                     {"F1, mean of labels", evaluation.macro_f1},
                                     {"ROC AUC, mean of labels", evaluation.roc_auc}},
                                    detail::classes_text(evaluation.classes));
}

template <std::same_as<NumbersEvaluation> E>
std::ostream& operator<<(std::ostream& out, const E& evaluation) {
  using detail::figure_text;
  return out << std::to_string(evaluation.samples) + " samples\n" +
                    detail::grid_text<std::string>(
                        {{"R2", figure_text(evaluation.r2)},
                         {"mean squared error", figure_text(evaluation.mean_squared_error)},
                         {"root mean squared error",
                          figure_text(evaluation.root_mean_squared_error)},
                         {"mean absolute error", figure_text(evaluation.mean_absolute_error)}},
                        true);
}

/// Returns the metrics of a model of two labels on x (n × d), dense or sparse, and y (n) of these
/// labels, with sample_weights (n) or none. Samples of weight 0 are ignored. Cost: O(n·log n) and
/// the calls of `predict`, `scores` and `probabilities`, each a pass over x on `threads` threads.
/// Throws std::invalid_argument if sizes differ, n = 0, weights are invalid, or y has a label that
/// the model does not have, and whatever the model throws.
template <class M, Samples X, Numbers Y>
  requires(detail::TwoClassModel<M, X>)
TwoClassEvaluation evaluate(const M& model, const X& x, const Y& y,
                            const detail::SampleWeights& sample_weights = {}, Index threads = 1) {
  const Vector<double> t = detail::targets_of(x, detail::labels_of("evaluate", y));
  TwoClassEvaluation result;
  const Vector<double> labels = detail::labels_of("evaluate", model.labels);
  require(labels.size() == 2, "evaluate: the model has one score a sample but ", labels.size(),
          " labels");
  result.smaller = labels[0];
  result.larger = labels[1];
  const auto p = detail::evaluate_labels(result, model, x, t, sample_weights, threads);
  result.precision = precision(p, t, model.labels, sample_weights);
  result.recall = recall(p, t, model.labels, sample_weights);
  result.f1 = f1(p, t, model.labels, sample_weights);
  const auto scores = model.scores(x, threads);
  if (detail::has_all_labels(result.confusion))
    result.roc_auc = roc_auc(scores, t, result.larger, sample_weights);
  if constexpr (detail::HasProbabilities<M, X>) {
    const decltype(scores) q = model.probabilities(x, threads);
    result.log_loss = detail::log_loss_of(scores, q, t, result.larger, sample_weights);
    result.brier_score = brier_score(q, t, result.larger, sample_weights);
  }
  return result;
}

/// Returns the metrics of a model with a score for each of its k ≥ 2 labels. Cost: O(k·n·log n) and
/// the calls of the model's functions. Throws as `evaluate` for a model of two labels does.
template <class M, Samples X, Numbers Y>
  requires(detail::SeveralClassModel<M, X>)
ClassesEvaluation evaluate(const M& model, const X& x, const Y& y,
                           const detail::SampleWeights& sample_weights = {}, Index threads = 1) {
  const Vector<double> t = detail::targets_of(x, detail::labels_of("evaluate", y));
  ClassesEvaluation result;
  const auto p = detail::evaluate_labels(result, model, x, t, sample_weights, threads);
  result.balanced_accuracy = balanced_accuracy(p, t, sample_weights);
  result.macro_f1 = f1(p, t, Average::macro, sample_weights);
  result.classes = class_metrics(p, t, sample_weights);
  const bool is_ranked = detail::has_all_labels(result.confusion);
  const auto rank = [&](const auto& marks) {
    if (is_ranked) result.roc_auc = roc_auc(marks, t, model.labels, Average::macro, sample_weights);
  };
  if constexpr (!detail::HasProbabilities<M, X>) {
    rank(model.scores(x, threads));
  } else {
    const auto q = model.probabilities(x, threads);
    rank(q);  // not the scores: softmax scores are comparable only within a sample
    if constexpr (requires { model.log_probabilities(x, threads); }) {  // finite where q is 0
      const auto logs = detail::class_scores("evaluate", model.log_probabilities(x, threads), t,
                                             model.labels, sample_weights);
      result.log_loss = logs.mean_of([&](Index i) { return -logs.scores(i, logs.truth_of(i)); });
    } else {
      result.log_loss = log_loss(q, t, model.labels, sample_weights);
    }
    result.brier_score = brier_score(q, t, model.labels, sample_weights);
  }
  return result;
}

/// Returns the metrics of the classifier of an online model.
template <class M, Samples X, Numbers Y>
auto evaluate(const M& model, const X& x, const Y& y,
              const detail::SampleWeights& sample_weights = {}, Index threads = 1)
    -> decltype(evaluate(model.classifier(), x, y, sample_weights, threads)) {
  return evaluate(model.classifier(), x, y, sample_weights, threads);
}

/// Returns the metrics of a model that predicts numbers. Throws std::invalid_argument if sizes
/// differ, n = 0, weights are invalid, a prediction is NaN or a target is not finite, and whatever
/// the model throws.
template <class M, Samples X, Numbers Y>
  requires(detail::NumberModel<M, X>)
NumbersEvaluation evaluate(const M& model, const X& x, const Y& y,
                           const detail::SampleWeights& sample_weights = {}, Index threads = 1) {
  const Vector<double> t = detail::targets_of(x, detail::doubles_of(y));
  const Vector<double> p = detail::doubles_of(model.predict(x, threads));
  NumbersEvaluation result;
  result.samples = detail::errors_of("evaluate", p, t, sample_weights).samples.size();
  result.r2 = r2(p, t, sample_weights);
  result.mean_squared_error = mean_squared_error(p, t, sample_weights);
  result.root_mean_squared_error = root_mean_squared_error(p, t, sample_weights);
  result.mean_absolute_error = mean_absolute_error(p, t, sample_weights);
  return result;
}

}  // namespace linea
