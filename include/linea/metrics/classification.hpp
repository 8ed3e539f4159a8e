// SPDX-License-Identifier: MIT
#pragma once
/// \file How well predicted labels fit the true ones: accuracy, the confusion matrix, precision,
/// recall, F1, Matthews' correlation.
///
/// | figure    | of label c                                         | undefined            |
/// |-----------|----------------------------------------------------|----------------------|
/// | precision | of what is predicted to be c, the fraction that is | c is never predicted |
/// | recall    | of what is c, the fraction that is predicted to be | c is not in y        |
/// | F1        | their harmonic mean, 2·hits/(predicted + true)     | c is neither         |
///
/// An undefined figure is NaN unless `undefined` says otherwise; scikit-learn answers 0. A sample
/// counts as much as its weight, and one of weight 0 is not there, nor is its label.
#include <algorithm>  // clamp, fill, lower_bound
#include <cmath>      // isfinite, ldexp, sqrt
#include <concepts>   // convertible_to, same_as
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/core/text_stream.hpp>
#include <linea/core/types.hpp>
#include <linea/metrics/counted.hpp>
#include <ostream>
#include <string_view>
#include <type_traits>  // remove_cvref
#include <vector>

namespace linea {

/// How the figures of all labels become one.
enum class Average {
  macro,     ///< their mean: every label counts the same
  weighted,  ///< their mean, a label counting as often as it is true
  micro,     ///< of all predictions together: for labels that is the accuracy
};

/// Figures of each label that is true or predicted.
struct ClassMetrics {
  Vector<double> labels;     ///< ascending (k)
  Vector<double> precision;  ///< (k)
  Vector<double> recall;     ///< (k)
  Vector<double> f1;         ///< (k)
  Vector<double> support;    ///< the weight of this label in y (k)
};

namespace metrics {

/// The index of a label in the ascending `labels` (k), or k if it is not among them.
inline Index place_of(const Vector<double>& labels, double label) {
  const double* const end = labels.data() + labels.size();
  const double* const found = std::lower_bound(labels.data(), end, label);
  return found != end && *found == label ? found - labels.data() : labels.size();
}

/// Sums of weights, for the labels that samples of a weight above 0 have or are predicted to have.
/// All counts are over 2^exponent.
struct ClassCounts {
  Vector<double> labels;     ///< ascending (k)
  Vector<double> hits;       ///< predicted and true (k)
  Vector<double> predicted;  ///< (k)
  Vector<double> actual;     ///< true (k)
  double total{0};           ///< of all samples
  int exponent{0};
  double beta{1};  ///< of f

  /// The place of a label, or size() for one that does not occur.
  Index find(double label) const { return place_of(labels, label); }
  Index size() const { return labels.size(); }
  double all_hits() const {
    double sum = 0;
    for (const double one : hits) sum += one;
    return sum;
  }

  /// Figures of label k.
  double precision(Index k, double undefined) const {
    return predicted[k] > 0 ? hits[k] / predicted[k] : undefined;
  }
  double recall(Index k, double undefined) const {
    return actual[k] > 0 ? hits[k] / actual[k] : undefined;
  }
  double f(Index k, double undefined) const {
    const double both = predicted[k] + beta * beta * actual[k];
    return both > 0 ? (1 + beta * beta) * hits[k] / both : undefined;
  }
};
using Figure = double (ClassCounts::*)(Index k, double undefined) const;

/// Cost: O(n·log n).
template <std::same_as<Counted> C>
ClassCounts count_classes(const C& samples) {
  const Index n = samples.size();
  Vector<double> both(2 * n);
  for (Index i = 0; i < 2 * n; ++i)  // -0 is 0
    both[i] = (i < n ? samples.predicted[i] : samples.y[i - n]) + 0.0;
  std::vector<double> labels;
  for (const Index i : order_of(both))
    if (labels.empty() || labels.back() != both[i]) labels.push_back(both[i]);
  const auto k = static_cast<Index>(labels.size());
  const Vector<double> none = core::filled(k, 0.0);
  ClassCounts counts{none, none, none, none, samples.total, samples.exponent};
  for (Index j = 0; j < k; ++j) counts.labels[j] = labels[static_cast<std::size_t>(j)];
  for (Index i = 0; i < n; ++i) {
    const Index guess = counts.find(samples.predicted[i]);
    const Index truth = counts.find(samples.y[i]);
    counts.predicted[guess] += samples.weights[i];
    counts.actual[truth] += samples.weights[i];
    if (guess == truth) counts.hits[truth] += samples.weights[i];
  }
  return counts;
}

/// The same of predictions and labels. Throws std::invalid_argument as counted does.
template <Numbers P, Numbers Y>
ClassCounts count_classes(std::string_view metric, const P& predicted, const Y& y,
                          const SampleWeights& sample_weights) {
  return count_classes(counted(metric, predicted, y, sample_weights));
}

inline constexpr double undefined_figure = std::numeric_limits<double>::quiet_NaN();

inline double average_of(Figure figure, const ClassCounts& counts, Average average,
                         double undefined) {
  if (average == Average::micro) return counts.all_hits() / counts.total;
  double sum = 0;
  double total = 0;
  for (Index k = 0; k < counts.size(); ++k) {
    const double weight = average == Average::macro ? 1.0 : counts.actual[k];
    if (weight > 0) sum += weight * (counts.*figure)(k, undefined);
    total += weight;
  }
  return sum / total;
}

/// Which figure: of one label, or an average of all.
template <class A>
concept LabelOrAverage = std::same_as<A, Average> || std::convertible_to<const A&, PositiveLabel>;

/// The figure of the positive label, which must occur unless a model knows it; or an average.
template <Numbers P, Numbers Y>
double figure_of(std::string_view metric, Figure figure, const P& predicted, const Y& y,
                 const LabelOrAverage auto& of, const SampleWeights& sample_weights,
                 double undefined, double beta = 1) {
  ClassCounts counts = count_classes(metric, predicted, y, sample_weights);
  counts.beta = beta;
  if constexpr (std::same_as<std::remove_cvref_t<decltype(of)>, Average>) {
    return average_of(figure, counts, of, undefined);
  } else {
    const PositiveLabel positive(of);
    const double label = positive.among(metric, counts.labels);
    const Index k = counts.find(label);
    require(k < counts.size() || positive.is_of_model(), metric, ": the label ", label,
            " is neither predicted nor in y");
    return k < counts.size() ? (counts.*figure)(k, undefined) : undefined;
  }
}

}  // namespace metrics

/// The fraction of samples whose predicted label (n) equals y (n), in [0, 1].
template <Numbers P, Numbers Y>
[[nodiscard]] double accuracy(const P& predicted, const Y& y,
                              const metrics::SampleWeights& sample_weights = {}) {
  const auto samples = metrics::counted("accuracy", predicted, y, sample_weights);
  return samples.mean_of([&](Index i) { return samples.predicted[i] == samples.y[i] ? 1.0 : 0.0; });
}

/// 1 − accuracy.
template <Numbers P, Numbers Y>
[[nodiscard]] double error_rate(const P& predicted, const Y& y,
                                const metrics::SampleWeights& sample_weights = {}) {
  const auto samples = metrics::counted("error_rate", predicted, y, sample_weights);
  return samples.mean_of([&](Index i) { return samples.predicted[i] == samples.y[i] ? 0.0 : 1.0; });
}

/// counts(i, j): the weight of samples with label labels[i] that were predicted to be labels[j].
struct ConfusionMatrix {
  Vector<double> labels;              ///< all that occur in either vector, ascending (k)
  core::ColumnMatrix<double> counts;  ///< (k × k)
};

/// A line a label, in columns: what the samples of this label were predicted to be.
template <std::same_as<ConfusionMatrix> M>
std::ostream& operator<<(std::ostream& out, const M& matrix) {
  core::TextStream text;
  const auto cell = [&](const auto& value) {
    text.width(10);
    text << value;
  };
  cell("y");
  for (const double label : matrix.labels) cell(label);
  text << '\n';
  for (Index i = 0; i < matrix.labels.size(); ++i) {
    cell(matrix.labels[i]);
    for (Index j = 0; j < matrix.labels.size(); ++j) cell(matrix.counts(i, j));
    text << '\n';
  }
  return out << text.str();
}

namespace metrics {

/// That of these ascending labels (k). Refuses any other label.
inline ConfusionMatrix confusion_of(std::string_view metric, const Vector<double>& labels,
                                    const Counted& samples, const SampleWeights& sample_weights) {
  const Index k = labels.size();
  ConfusionMatrix matrix{labels, core::ColumnMatrix<double>(k, k)};
  std::fill(matrix.counts.data(), matrix.counts.data() + k * k, 0.0);
  for (Index i = 0; i < samples.size(); ++i) {
    const Index truth = place_of(labels, samples.y[i]);
    const Index guess = place_of(labels, samples.predicted[i]);
    require(truth < k, metric, ": y(", samples.row(i), ") = ", samples.y[i], " is none of the ", k,
            " labels of the model");
    require(guess < k, metric, ": prediction ", samples.row(i), " = ", samples.predicted[i],
            " is none of the ", k, " labels of the model");
    matrix.counts(truth, guess) += sample_weights.of(samples.row(i));
  }
  return matrix;
}

}  // namespace metrics

/// Samples of weight 0 are ignored, and so are their labels.
template <Numbers P, Numbers Y>
[[nodiscard]] ConfusionMatrix confusion_matrix(const P& predicted, const Y& y,
                                               const metrics::SampleWeights& sample_weights = {}) {
  const auto samples = metrics::counted("confusion_matrix", predicted, y, sample_weights);
  return metrics::confusion_of("confusion_matrix", metrics::count_classes(samples).labels, samples,
                               sample_weights);
}

/// Precision, recall, F1 and support of every label of `predicted` (n) and y (n). Throws
/// std::invalid_argument for sizes that differ, no samples, a label that is not a number, and wrong
/// weights, as do all functions of this page.
template <Numbers P, Numbers Y>
[[nodiscard]] ClassMetrics class_metrics(const P& predicted, const Y& y,
                                         const metrics::SampleWeights& sample_weights = {},
                                         double undefined = metrics::undefined_figure) {
  const auto counts = metrics::count_classes("class_metrics", predicted, y, sample_weights);
  const Index k = counts.size();
  ClassMetrics result{counts.labels, Vector<double>(k), Vector<double>(k), Vector<double>(k),
                      Vector<double>(k)};
  for (Index j = 0; j < k; ++j) {
    result.precision[j] = counts.precision(j, undefined);
    result.recall[j] = counts.recall(j, undefined);
    result.f1[j] = counts.f(j, undefined);
    result.support[j] = std::ldexp(counts.actual[j], counts.exponent);
  }
  return result;
}

/// The precision of the label `of` against all others; it is the larger of the two labels that are
/// predicted or in y unless it is named. Or an Average of all labels that occur: NaN if one that
/// counts is never predicted, see `undefined`. Throws std::invalid_argument where no sample has the
/// label and none is predicted to have it, and where PositiveLabel does.
template <Numbers P, Numbers Y, metrics::LabelOrAverage A = PositiveLabel>
[[nodiscard]] double precision(const P& predicted, const Y& y, const A& of = {},
                               const metrics::SampleWeights& sample_weights = {},
                               double undefined = metrics::undefined_figure) {
  return metrics::figure_of("precision", &metrics::ClassCounts::precision, predicted, y, of,
                            sample_weights, undefined);
}

/// The recall of the label `of`, also called sensitivity; that of the other of two labels is the
/// specificity. Or an Average: the macro average is NaN if a label is predicted but not in y, see
/// `undefined`; balanced_accuracy leaves such labels out. Throws as `precision` does.
template <Numbers P, Numbers Y, metrics::LabelOrAverage A = PositiveLabel>
[[nodiscard]] double recall(const P& predicted, const Y& y, const A& of = {},
                            const metrics::SampleWeights& sample_weights = {},
                            double undefined = metrics::undefined_figure) {
  return metrics::figure_of("recall", &metrics::ClassCounts::recall, predicted, y, of,
                            sample_weights, undefined);
}

/// F1 of the label `of`, or an Average of all labels that occur, for each of which it is defined.
/// Throws as `precision` does.
template <Numbers P, Numbers Y, metrics::LabelOrAverage A = PositiveLabel>
[[nodiscard]] double f1(const P& predicted, const Y& y, const A& of = {},
                        const metrics::SampleWeights& sample_weights = {}) {
  return metrics::figure_of("f1", &metrics::ClassCounts::f, predicted, y, of, sample_weights,
                            metrics::undefined_figure);
}

/// (1 + β²)·precision·recall/(β²·precision + recall), in which recall counts β times as much as
/// precision; f1 where β is 1. Throws as `precision` does, and unless β is > 0 and finite.
template <Numbers P, Numbers Y, metrics::LabelOrAverage A = PositiveLabel>
[[nodiscard]] double f_beta(double beta, const P& predicted, const Y& y, const A& of = {},
                            const metrics::SampleWeights& sample_weights = {}) {
  require(beta > 0 && std::isfinite(beta * beta), "f_beta: beta = ", beta, " is not > 0");
  return metrics::figure_of("f_beta", &metrics::ClassCounts::f, predicted, y, of, sample_weights,
                            metrics::undefined_figure, beta);
}

/// The mean recall of the labels in y: 1 at best, 1/k for guessing among k labels, however unevenly
/// they are spread.
template <Numbers P, Numbers Y>
[[nodiscard]] double balanced_accuracy(const P& predicted, const Y& y,
                                       const metrics::SampleWeights& sample_weights = {}) {
  const auto counts = metrics::count_classes("balanced_accuracy", predicted, y, sample_weights);
  double sum = 0;
  Index present = 0;
  for (Index k = 0; k < counts.size(); ++k) {
    if (!(counts.actual[k] > 0)) continue;
    sum += counts.hits[k] / counts.actual[k];
    ++present;
  }
  return sum / static_cast<double>(present);
}

/// The correlation coefficient of `predicted` (n) and y (n), from −1 to 1, of two labels or more: 0
/// for guessing, and for a prediction that is always the same. Throws std::invalid_argument where y
/// has one label only, for there it is undefined, and for sizes that differ, no samples, a label
/// that is not a number, and wrong weights. Matthews, Biochimica et Biophysica Acta 405 (1975); of
/// several classes Gorodkin, Computational Biology and Chemistry 28 (2004), equation 8.
template <Numbers P, Numbers Y>
[[nodiscard]] double matthews_correlation(const P& predicted, const Y& y,
                                          const metrics::SampleWeights& sample_weights = {}) {
  const auto counts = metrics::count_classes("matthews_correlation", predicted, y, sample_weights);
  const Vector<double> guesses = counts.predicted / counts.total;
  const Vector<double> truth = counts.actual / counts.total;
  Index present = 0;
  for (Index k = 0; k < counts.size(); ++k) present += truth[k] > 0 ? 1 : 0;
  require(present > 1, "matthews_correlation: y has one label only");
  // 1 − Σpₖ² as Σpₖ(1 − pₖ), which is 0 for a prediction that is always the same.
  double spread_of_guesses = 0;
  double spread = 0;
  for (Index k = 0; k < counts.size(); ++k) {
    spread_of_guesses += guesses[k] * (1 - guesses[k]);
    spread += truth[k] * (1 - truth[k]);
  }
  if (!(spread_of_guesses > 0)) return 0;
  const double together = counts.all_hits() / counts.total - guesses.dot(truth);
  return std::clamp(together / std::sqrt(spread_of_guesses) / std::sqrt(spread), -1.0, 1.0);
}

}  // namespace linea
