// SPDX-License-Identifier: MIT
#pragma once
/// \file Metrics of predicted labels: accuracy, confusion matrix, precision, recall, F1, and
/// Matthews' correlation.
///
/// | metric    | of label c                                        | undefined if         |
/// |-----------|---------------------------------------------------|----------------------|
/// | precision | the fraction of predictions c that are correct    | c is never predicted |
/// | recall    | the fraction of samples of label c predicted as c | c is not in y        |
/// | F1        | harmonic mean of both, 2·hits/(predicted + true)  | c does not occur     |
///
/// All functions take the predictions before y, as losses take the score before the target.
/// scikit-learn takes y first: swapped arguments exchange precision and recall, and transpose the
/// confusion matrix, without an error.
///
/// An undefined metric is NaN, or the argument `undefined` of the functions that have this
/// argument; scikit-learn returns 0. Samples count by their weight; samples of weight 0 and their
/// labels are ignored.
#include <algorithm>  // clamp, fill, lower_bound, max
#include <cmath>      // isfinite, sqrt
#include <concepts>   // convertible_to, same_as
#include <cstddef>    // size_t
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/core/require.hpp>
#include <linea/core/text_stream.hpp>
#include <linea/core/types.hpp>
#include <linea/metrics/counted.hpp>
#include <ostream>
#include <string_view>
#include <type_traits>  // remove_cvref
#include <vector>

namespace linea {

/// How to average the metrics of all labels.
enum class Average {
  macro,     ///< the mean: every label counts the same
  weighted,  ///< the mean weighted by the support of the labels
  micro,     ///< the metric of all predictions together, which is the accuracy
};

/// Metrics of each label that is in y or predicted.
struct ClassMetrics {
  Vector<double> labels;     ///< ascending (k)
  Vector<double> precision;  ///< (k)
  Vector<double> recall;     ///< (k)
  Vector<double> f1;         ///< (k)
  Vector<double> support;    ///< total weight of the label in y (k)
};

namespace detail {

/// Returns the index of a label in the ascending `labels` (k), or k if the label is not among them.
inline Index place_of(const Vector<double>& labels, double label) {
  const double* const end = labels.data() + labels.size();
  const double* const found = std::lower_bound(labels.data(), end, label);
  return found != end && *found == label ? found - labels.data() : labels.size();
}

/// Sums of weights for each label that is in y or predicted for a sample of positive weight.
struct ClassCounts {
  Vector<double> labels;     ///< ascending (k)
  Vector<double> hits;       ///< weight of correct predictions (k)
  Vector<double> predicted;  ///< weight of predictions (k)
  Vector<double> actual;     ///< weight in y (k)
  double total{0};           ///< weight of all samples
  double beta{1};            ///< β of the metric `f`

  /// Returns the index of a label, or size() if it does not occur.
  Index find(double label) const { return place_of(labels, label); }
  Index size() const { return labels.size(); }
  double all_hits() const {
    double sum = 0;
    for (const double one : hits) sum += one;
    return sum;
  }

  /// The next three functions return a metric of label k, or `undefined`.
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

/// Counts the labels and predictions of validated samples. O(n·log n).
template <std::same_as<Counted> C>
ClassCounts count_classes(const C& samples) {
  const Index n = samples.size();
  Vector<double> both(2 * n);
  for (Index i = 0; i < 2 * n; ++i)  // turns -0 into 0
    both[i] = (i < n ? samples.predicted[i] : samples.y[i - n]) + 0.0;
  std::vector<double> labels;
  for (const Index i : order_of(both))
    if (labels.empty() || labels.back() != both[i]) labels.push_back(both[i]);
  const auto k = static_cast<Index>(labels.size());
  const Vector<double> none = filled(k, 0.0);
  ClassCounts counts{none, none, none, none, samples.total};
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

/// Validates predictions and labels as `counted` does, then counts them.
template <Numbers P, Numbers Y>
ClassCounts count_classes(std::string_view metric, const P& predicted, const Y& y,
                          const SampleWeights& sample_weights) {
  return count_classes(counted_labels(metric, predicted, y, sample_weights));
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

/// One label, or an average over all labels.
template <class A>
concept LabelOrAverage = std::same_as<A, Average> || std::convertible_to<const A&, PositiveLabel>;

/// Returns the metric of the positive label, which occurs or is a label of a model, or an average.
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

}  // namespace detail

/// Returns the fraction of samples whose predicted label (n) equals the label in y (n), in [0, 1].
template <Numbers P, Numbers Y>
[[nodiscard]] double accuracy(const P& predicted, const Y& y,
                              const detail::SampleWeights& sample_weights = {}) {
  const auto samples = detail::counted_labels("accuracy", predicted, y, sample_weights);
  return samples.mean_of([&](Index i) { return samples.predicted[i] == samples.y[i] ? 1.0 : 0.0; });
}

/// Returns 1 − accuracy.
template <Numbers P, Numbers Y>
[[nodiscard]] double error_rate(const P& predicted, const Y& y,
                                const detail::SampleWeights& sample_weights = {}) {
  const auto samples = detail::counted_labels("error_rate", predicted, y, sample_weights);
  return samples.mean_of([&](Index i) { return samples.predicted[i] == samples.y[i] ? 0.0 : 1.0; });
}

/// counts(i, j) is the weight of samples with label labels[i] that are predicted as labels[j].
struct ConfusionMatrix {
  Vector<double> labels;                ///< those in y or predicted, or of the model; ascending (k)
  detail::ColumnMatrix<double> counts;  ///< (k × k)
};

namespace detail {
inline void require_square(const ConfusionMatrix& matrix) {
  const Index k = matrix.labels.size();
  require(matrix.counts.rows() == k && matrix.counts.cols() == k, "ConfusionMatrix: ", k,
          " labels, but counts of ", matrix.counts.rows(), " x ", matrix.counts.cols());
}
}  // namespace detail

/// Prints a header of the predicted labels, then one line for each label of y.
template <std::same_as<ConfusionMatrix> M>
std::ostream& operator<<(std::ostream& out, const M& matrix) {
  detail::require_square(matrix);
  detail::TextStream text;
  std::size_t width = 10;
  for (const double label : matrix.labels)
    width = std::max(width, detail::number_text(label).size() + 1);
  const auto cell = [&](const auto& value) {
    text.width(static_cast<std::streamsize>(width));
    text << value;
  };
  cell("y \\ pred.");
  for (const double label : matrix.labels) cell(detail::number_text(label));
  text << '\n';
  for (Index i = 0; i < matrix.labels.size(); ++i) {
    cell(detail::number_text(matrix.labels[i]));
    for (Index j = 0; j < matrix.labels.size(); ++j) cell(matrix.counts(i, j));
    text << '\n';
  }
  return out << text.str();
}

namespace detail {

/// Returns the confusion matrix of the ascending `labels` (k). Throws if another label occurs.
inline ConfusionMatrix confusion_of(std::string_view metric, const Vector<double>& labels,
                                    const Counted& samples, const SampleWeights& sample_weights) {
  const Index k = labels.size();
  ConfusionMatrix matrix{labels, ColumnMatrix<double>(k, k)};
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

}  // namespace detail

/// Returns the confusion matrix of `predicted` (n) and y (n). Ignores samples of weight 0.
template <Numbers P, Numbers Y>
[[nodiscard]] ConfusionMatrix confusion_matrix(const P& predicted, const Y& y,
                                               const detail::SampleWeights& sample_weights = {}) {
  const auto samples = detail::counted_labels("confusion_matrix", predicted, y, sample_weights);
  return detail::confusion_of("confusion_matrix", detail::count_classes(samples).labels, samples,
                              sample_weights);
}

/// Returns precision, recall, F1 and support of every label of `predicted` (n) and y (n). Like all
/// functions of this header, it throws std::invalid_argument if sizes differ, there are no samples,
/// a label is NaN, or a weight is not valid.
template <Numbers P, Numbers Y>
[[nodiscard]] ClassMetrics class_metrics(const P& predicted, const Y& y,
                                         const detail::SampleWeights& sample_weights = {},
                                         double undefined = detail::undefined_figure) {
  const auto counts = detail::count_classes("class_metrics", predicted, y, sample_weights);
  const Index k = counts.size();
  ClassMetrics result{counts.labels, Vector<double>(k), Vector<double>(k), Vector<double>(k),
                      counts.actual};
  for (Index j = 0; j < k; ++j) {
    result.precision[j] = counts.precision(j, undefined);
    result.recall[j] = counts.recall(j, undefined);
    result.f1[j] = counts.f(j, undefined);
  }
  return result;
}

/// Returns the precision of label `of` against all others. By default, `of` is the larger label if
/// exactly two labels are in y or predicted. `of` may also be an Average over all labels that are
/// in y or predicted. A macro or weighted average is NaN (see `undefined`) if a label in y is never
/// predicted. In the weighted average, labels that are not in y have weight 0. Throws
/// std::invalid_argument if the label is neither in y nor predicted, and as PositiveLabel does.
template <Numbers P, Numbers Y, detail::LabelOrAverage A = PositiveLabel>
[[nodiscard]] double precision(const P& predicted, const Y& y, const A& of = {},
                               const detail::SampleWeights& sample_weights = {},
                               double undefined = detail::undefined_figure) {
  return detail::figure_of("precision", &detail::ClassCounts::precision, predicted, y, of,
                           sample_weights, undefined);
}

/// Returns the recall of label `of`. If there are two labels, the recall of the positive label is
/// called sensitivity, and the recall of the other label specificity. `of` may be an Average. The
/// macro average is NaN (see `undefined`) if a label is predicted but not in y; balanced_accuracy
/// omits such labels. Throws as `precision` does.
template <Numbers P, Numbers Y, detail::LabelOrAverage A = PositiveLabel>
[[nodiscard]] double recall(const P& predicted, const Y& y, const A& of = {},
                            const detail::SampleWeights& sample_weights = {},
                            double undefined = detail::undefined_figure) {
  return detail::figure_of("recall", &detail::ClassCounts::recall, predicted, y, of, sample_weights,
                           undefined);
}

/// Returns F1 of label `of`, or an Average over all labels that are in y or predicted. F1 of these
/// labels is always defined. Throws as `precision` does.
template <Numbers P, Numbers Y, detail::LabelOrAverage A = PositiveLabel>
[[nodiscard]] double f1(const P& predicted, const Y& y, const A& of = {},
                        const detail::SampleWeights& sample_weights = {}) {
  return detail::figure_of("f1", &detail::ClassCounts::f, predicted, y, of, sample_weights,
                           detail::undefined_figure);
}

/// Returns Fβ: (1 + β²)·precision·recall/(β²·precision + recall). A larger β gives more weight to
/// recall; β = 1 is f1. Throws as `precision` does, and unless β is positive and finite.
template <Numbers P, Numbers Y, detail::LabelOrAverage A = PositiveLabel>
[[nodiscard]] double f_beta(double beta, const P& predicted, const Y& y, const A& of = {},
                            const detail::SampleWeights& sample_weights = {}) {
  require(beta > 0 && std::isfinite(beta * beta), "f_beta: beta = ", beta, " is not > 0");
  return detail::figure_of("f_beta", &detail::ClassCounts::f, predicted, y, of, sample_weights,
                           detail::undefined_figure, beta);
}

/// Returns the mean recall of the labels in y: 1 at best, and about 1/k for guesses among k labels,
/// even if some labels are more frequent than others.
template <Numbers P, Numbers Y>
[[nodiscard]] double balanced_accuracy(const P& predicted, const Y& y,
                                       const detail::SampleWeights& sample_weights = {}) {
  const auto counts = detail::count_classes("balanced_accuracy", predicted, y, sample_weights);
  double sum = 0;
  Index present = 0;
  for (Index k = 0; k < counts.size(); ++k) {
    if (!(counts.actual[k] > 0)) continue;
    sum += counts.hits[k] / counts.actual[k];
    ++present;
  }
  return sum / static_cast<double>(present);
}

/// Returns the correlation coefficient of `predicted` (n) and y (n), in [−1, 1], for two or more
/// labels: about 0 for guesses, and 0 for constant predictions. Throws std::invalid_argument if y
/// has only one label, so that the coefficient is undefined, and as class_metrics does. Matthews,
/// Biochimica et Biophysica Acta 405 (1975); for several classes Gorodkin, Computational Biology
/// and Chemistry 28 (2004), equation 8.
template <Numbers P, Numbers Y>
[[nodiscard]] double matthews_correlation(const P& predicted, const Y& y,
                                          const detail::SampleWeights& sample_weights = {}) {
  const auto counts = detail::count_classes("matthews_correlation", predicted, y, sample_weights);
  const Vector<double> guesses = counts.predicted / counts.total;
  const Vector<double> truth = counts.actual / counts.total;
  Index present = 0;
  for (Index k = 0; k < counts.size(); ++k) present += truth[k] > 0 ? 1 : 0;
  require(present > 1, "matthews_correlation: y has only one label");
  // Computes 1 − Σpₖ² as Σpₖ(1 − pₖ), which is exactly 0 for constant predictions.
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
