// SPDX-License-Identifier: MIT
#pragma once
/// \file evaluate(model, x, y): the usual figures of a fitted model on samples, by its kind.
///
/// | a model with                                   | is evaluated as    | such as             |
/// |------------------------------------------------|--------------------|---------------------|
/// | `labels`, `predict(x)`, `scores(x)` (m)        | TwoClassEvaluation | Classifier          |
/// | `labels`, `predict(x)`, `scores(x)` (m × k)    | ClassesEvaluation  | OneVsRestClassifier |
/// | `predict(x)` (m), and no labels                | NumbersEvaluation  | Regressor           |
///
/// All of them take a number of threads beside x. With `probabilities(x)`, of the shape of the
/// scores, the first two have log loss and Brier score too. With `log_probabilities(x)` as well,
/// the log loss of several labels is finite where a probability is too small for a number.
#include <algorithm>  // lower_bound
#include <cmath>      // sqrt
#include <linea/activations/sigmoid.hpp>
#include <linea/losses/log.hpp>
#include <linea/metrics/brier_score.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/metrics/likelihood.hpp>
#include <linea/metrics/regression.hpp>
#include <linea/metrics/roc_auc.hpp>
#include <linea/models/evaluation.hpp>

namespace linea {

namespace models {

template <class M, class X>
concept LabellingModel = requires(const M& model, const X& x) {
  { model.labels.values() } -> Numbers;
  { model.predict(x, Index{1}) } -> Numbers;
  model.scores(x, Index{1});
};

template <class M, class X>
concept TwoClassModel = LabellingModel<M, X> && requires(const M& model, const X& x) {
  { model.scores(x, Index{1}) } -> VectorLike;
};

template <class M, class X>
concept SeveralClassModel = LabellingModel<M, X> && requires(const M& model, const X& x) {
  { model.scores(x, Index{1}) } -> TargetMatrix;
};

template <class M, class X>
concept NumberModel = !requires(const M& model) {
  model.labels;
}
&&requires(const M& model, const X& x) {
  { model.predict(x, Index{1}) } -> VectorLike;
};

template <class M, class X>
concept HasProbabilities = requires(const M& model, const X& x) {
  model.probabilities(x, Index{1});
};

/// Refuses sizes that differ, no samples and wrong weights; answers with how many samples count.
template <class X>
Index require_samples(const X& x, const Vector<double>& y,
                      const metrics::SampleWeights& sample_weights) {
  require(x.rows() == y.size(), "evaluate: x has ", x.rows(), " rows but y has ", y.size());
  return metrics::weighed("evaluate", y.size(), y.size(), sample_weights).size();
}

/// The confusion matrix of all labels, in ascending order. Refuses a label that is none of these.
inline ConfusionMatrix confusion_of(const Vector<double>& labels, const Vector<double>& predicted,
                                    const Vector<double>& y,
                                    const metrics::SampleWeights& sample_weights) {
  const Index size = labels.size();
  ConfusionMatrix confusion{labels, core::ColumnMatrix<double>::Zero(size, size)};
  const double* const end = labels.data() + size;
  const auto place = [&](double label) { return std::lower_bound(labels.data(), end, label); };
  for (Index i = 0; i < y.size(); ++i) {
    if (!(sample_weights.of(i) > 0)) continue;
    const double* const truth = place(y[i]);
    require(truth != end && *truth == y[i], "evaluate: y(", i, ") = ", y[i], " is none of the ",
            size, " labels of the model");
    const double* const guess = place(predicted[i]);
    require(guess != end && *guess == predicted[i], "evaluate: prediction ", i, " = ", predicted[i],
            " is none of the ", size, " labels of the model");
    confusion.counts(truth - labels.data(), guess - labels.data()) += sample_weights.of(i);
  }
  return confusion;
}

/// √(Σ sᵢ²(cᵢ − a)²)/Σ sᵢ for the accuracy a, where cᵢ = 1 for a right prediction, else 0: without
/// weights √(a(1 − a)/n).
inline double error_of_accuracy(double accuracy, const Vector<double>& predicted,
                                const Vector<double>& y,
                                const metrics::SampleWeights& sample_weights) {
  const Vector<double> scaled = metrics::without_scale(sample_weights.values());
  double squares = 0;
  double total = 0;
  for (Index i = 0; i < y.size(); ++i) {
    const double weight = scaled.size() > 0 ? scaled[i] : 1.0;
    const double error = weight * ((predicted[i] == y[i] ? 1 : 0) - accuracy);
    squares += error * error;
    total += weight;
  }
  return std::sqrt(squares) / total;
}

/// Log loss of the chances q (n) of the label `positive`. Where they are the sigmoid of the scores
/// (n), these are asked: they hold the digits that chances near 1 do not.
template <class V>
double log_loss_of(const V& scores, const V& q, const Vector<double>& y, double positive,
                   const metrics::SampleWeights& sample_weights) {
  bool is_sigmoid = true;
  Vector<double> targets(y.size());
  for (Index i = 0; i < y.size(); ++i) {
    if (sample_weights.of(i) > 0) is_sigmoid = is_sigmoid && q[i] == Sigmoid{}.value(scores[i]);
    targets[i] = y[i] == positive ? 1 : -1;
  }
  if (!is_sigmoid) return log_loss(q, y, positive, sample_weights);
  return empirical_risk(Log{}, scores, targets, sample_weights);
}

/// Log loss of the logarithms of probabilities (n × k), which stay finite where these become 0.
template <class M>
double log_loss_of_logs(const M& logs, const Vector<double>& y, const Vector<double>& labels,
                        const metrics::SampleWeights& sample_weights) {
  const auto samples = metrics::class_scores("evaluate", logs, y, labels, sample_weights);
  return samples.mean_of([&](Index i) { return -samples.scores(i, samples.truth_of(i)); });
}

/// Is the figure of all labels defined: do samples of each of them count, of two at least?
inline bool has_all_labels(const ConfusionMatrix& confusion) {
  for (Index k = 0; k < confusion.labels.size(); ++k) {
    double count = 0;
    for (Index j = 0; j < confusion.labels.size(); ++j) count += confusion.counts(k, j);
    if (!(count > 0)) return false;
  }
  return confusion.labels.size() > 1;
}

}  // namespace models

/// The figures of a model of two labels on x (n × d), dense or sparse, and y (n) of these labels,
/// with sample_weights (n) or none; weight 0 is no sample. Cost: what `predict`, `scores` and
/// `probabilities` take, a pass over x each on `threads` threads, and O(n·log n). Throws
/// std::invalid_argument when sizes differ, n = 0, weights are wrong, for a label in y that is none
/// of the model's, and for what the model refuses.
template <class M, Samples X, Numbers Y>
  requires(models::TwoClassModel<M, X>)
TwoClassEvaluation evaluate(const M& model, const X& x, const Y& y,
                            const metrics::SampleWeights& sample_weights = {}, Index threads = 1) {
  const Vector<double> t = metrics::doubles_of(y);
  TwoClassEvaluation result;
  result.samples = models::require_samples(x, t, sample_weights);
  const Vector<double> labels = metrics::labels_of(model.labels);
  require(labels.size() == 2, "evaluate: the model has one score a sample but ", labels.size(),
          " labels");
  const Vector<double> p = metrics::doubles_of(model.predict(x, threads));
  result.smaller = labels[0];
  result.larger = labels[1];
  result.confusion = models::confusion_of(labels, p, t, sample_weights);
  result.accuracy = accuracy(p, t, sample_weights);
  result.accuracy_error = models::error_of_accuracy(result.accuracy, p, t, sample_weights);
  result.precision = result.recall = result.f1 = result.roc_auc = metrics::undefined_figure;
  const ClassMetrics classes = class_metrics(p, t, sample_weights);
  for (Index k = 0; k < classes.labels.size(); ++k)
    if (classes.labels[k] == result.larger) {
      result.precision = classes.precision[k];
      result.recall = classes.recall[k];
      result.f1 = classes.f1[k];
    }
  const auto scores = model.scores(x, threads);
  if (models::has_all_labels(result.confusion))
    result.roc_auc = roc_auc(scores, t, result.larger, sample_weights);
  if constexpr (models::HasProbabilities<M, X>) {
    const decltype(scores) q = model.probabilities(x, threads);
    result.log_loss = models::log_loss_of(scores, q, t, result.larger, sample_weights);
    result.brier_score = brier_score(q, t, result.larger, sample_weights);
  }
  return result;
}

/// The same of a model of several labels, or of two with a score for each. Cost: O(k·n·log n)
/// beside the passes.
template <class M, Samples X, Numbers Y>
  requires(models::SeveralClassModel<M, X>)
ClassesEvaluation evaluate(const M& model, const X& x, const Y& y,
                           const metrics::SampleWeights& sample_weights = {}, Index threads = 1) {
  const Vector<double> t = metrics::doubles_of(y);
  ClassesEvaluation result;
  result.samples = models::require_samples(x, t, sample_weights);
  const Vector<double> labels = metrics::labels_of(model.labels);
  const Vector<double> p = metrics::doubles_of(model.predict(x, threads));
  result.confusion = models::confusion_of(labels, p, t, sample_weights);
  result.accuracy = accuracy(p, t, sample_weights);
  result.accuracy_error = models::error_of_accuracy(result.accuracy, p, t, sample_weights);
  result.balanced_accuracy = balanced_accuracy(p, t, sample_weights);
  result.macro_f1 = f1(p, t, Average::macro, sample_weights);
  result.classes = class_metrics(p, t, sample_weights);
  result.roc_auc = metrics::undefined_figure;
  const bool is_ranked = models::has_all_labels(result.confusion);
  const auto rank = [&](const auto& marks) {
    if (is_ranked) result.roc_auc = roc_auc(marks, t, labels, Average::macro, sample_weights);
  };
  if constexpr (!models::HasProbabilities<M, X>) rank(model.scores(x, threads));
  if constexpr (models::HasProbabilities<M, X>) {
    const auto q = model.probabilities(x, threads);
    rank(q);  // scores of softmax compare the labels of a sample, not the samples of a label
    if constexpr (requires { model.log_probabilities(x, threads); })
      result.log_loss =
          models::log_loss_of_logs(model.log_probabilities(x, threads), t, labels, sample_weights);
    else
      result.log_loss = log_loss(q, t, labels, sample_weights);
    result.brier_score = brier_score(q, t, labels, sample_weights);
  }
  return result;
}

/// The same of a model of numbers. Throws std::invalid_argument also for a prediction that is not a
/// number.
template <class M, Samples X, Numbers Y>
  requires(models::NumberModel<M, X>)
NumbersEvaluation evaluate(const M& model, const X& x, const Y& y,
                           const metrics::SampleWeights& sample_weights = {}, Index threads = 1) {
  const Vector<double> t = metrics::doubles_of(y);
  NumbersEvaluation result;
  result.samples = models::require_samples(x, t, sample_weights);
  const Vector<double> p = metrics::doubles_of(model.predict(x, threads));
  metrics::errors_of("evaluate", p, t, sample_weights);  // for its checks
  result.r2 = r2(p, t, sample_weights);
  result.mean_squared_error = mean_squared_error(p, t, sample_weights);
  result.root_mean_squared_error = root_mean_squared_error(p, t, sample_weights);
  result.mean_absolute_error = mean_absolute_error(p, t, sample_weights);
  return result;
}

}  // namespace linea
