// SPDX-License-Identifier: MIT
#pragma once
/// \file Precision, recall and F1: how a classifier does on one label, or on each.
///
/// | figure    | of label c                                         | undefined            |
/// |-----------|----------------------------------------------------|----------------------|
/// | precision | of what is predicted to be c, the fraction that is | c is never predicted |
/// | recall    | of what is c, the fraction that is predicted to be | c is not in y        |
/// | F1        | their harmonic mean, 2·hits/(predicted + true)     | c is neither         |
///
/// An undefined figure is NaN unless `undefined` says otherwise; scikit-learn answers 0. A sample
/// counts as much as its weight, and one of weight 0 is not there, nor is its label.
#include <cmath>     // ldexp
#include <concepts>  // same_as
#include <limits>
#include <linea/metrics/class_counts.hpp>
#include <linea/metrics/positive_label.hpp>
#include <string_view>

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

inline constexpr double undefined_figure = std::numeric_limits<double>::quiet_NaN();

inline double ratio(double part, double whole, double undefined) {
  return whole > 0 ? part / whole : undefined;
}

/// Precision, recall and F1 of label k of some counts.
struct Precision {
  double operator()(const ClassCounts& counts, Index k, double undefined) const {
    return ratio(counts.hits[k], counts.predicted[k], undefined);
  }
};
struct Recall {
  double operator()(const ClassCounts& counts, Index k, double undefined) const {
    return ratio(counts.hits[k], counts.actual[k], undefined);
  }
};
struct F1 {
  double operator()(const ClassCounts& counts, Index k, double undefined) const {
    return ratio(2 * counts.hits[k], counts.predicted[k] + counts.actual[k], undefined);
  }
};

/// The figure of the positive label, which must occur unless a model knows it.
template <class Figure>
double figure_of(std::string_view metric, const ClassCounts& counts, const PositiveLabel& positive,
                 double undefined) {
  const double label = positive.among(metric, counts.labels);
  const Index k = counts.find(label);
  require(k < counts.size() || positive.is_of_model(), metric, ": the label ", label,
          " is neither predicted nor in y");
  return k < counts.size() ? Figure{}(counts, k, undefined) : undefined;
}

template <class Figure>
double average_of(const ClassCounts& counts, Average average, double undefined) {
  if (average == Average::micro) return counts.hits.sum() / counts.total;
  double sum = 0;
  double total = 0;
  for (Index k = 0; k < counts.size(); ++k) {
    const double weight = average == Average::macro ? 1.0 : counts.actual[k];
    if (weight > 0) sum += weight * Figure{}(counts, k, undefined);
    total += weight;
  }
  return sum / total;
}

}  // namespace metrics

/// Precision, recall, F1 and support of every label of `predicted` (n) and y (n). Throws
/// std::invalid_argument for sizes that differ, no samples, a label that is not a number, and wrong
/// weights, as do all functions of this page.
template <Numbers P, Numbers Y>
ClassMetrics class_metrics(const P& predicted, const Y& y,
                           const metrics::SampleWeights& sample_weights = {},
                           double undefined = metrics::undefined_figure) {
  const auto counts = metrics::count_classes("class_metrics", predicted, y, sample_weights);
  const Index k = counts.size();
  ClassMetrics result{counts.labels, Vector<double>(k), Vector<double>(k), Vector<double>(k),
                      Vector<double>(k)};
  for (Index j = 0; j < k; ++j) {
    result.precision[j] = metrics::Precision{}(counts, j, undefined);
    result.recall[j] = metrics::Recall{}(counts, j, undefined);
    result.f1[j] = metrics::F1{}(counts, j, undefined);
    result.support[j] = std::ldexp(counts.actual[j], counts.exponent);
  }
  return result;
}

/// The precision of the label `positive` against all others; it is the larger of the two labels
/// that are predicted or in y unless it is named. Throws std::invalid_argument where no sample has
/// this label and none is predicted to have it, and where PositiveLabel does.
template <Numbers P, Numbers Y>
[[nodiscard]] double precision(const P& predicted, const Y& y, const PositiveLabel& positive = {},
                               const metrics::SampleWeights& sample_weights = {},
                               double undefined = metrics::undefined_figure) {
  const auto counts = metrics::count_classes("precision", predicted, y, sample_weights);
  return metrics::figure_of<metrics::Precision>("precision", counts, positive, undefined);
}

/// The same of all labels that occur. NaN if one that counts is never predicted, see `undefined`.
template <Numbers P, Numbers Y, std::same_as<Average> A>
[[nodiscard]] double precision(const P& predicted, const Y& y, A average,
                               const metrics::SampleWeights& sample_weights = {},
                               double undefined = metrics::undefined_figure) {
  const auto counts = metrics::count_classes("precision", predicted, y, sample_weights);
  return metrics::average_of<metrics::Precision>(counts, average, undefined);
}

/// The recall of the label `positive`, also called sensitivity; that of the other of two labels is
/// the specificity. Throws as `precision` does.
template <Numbers P, Numbers Y>
[[nodiscard]] double recall(const P& predicted, const Y& y, const PositiveLabel& positive = {},
                            const metrics::SampleWeights& sample_weights = {},
                            double undefined = metrics::undefined_figure) {
  const auto counts = metrics::count_classes("recall", predicted, y, sample_weights);
  return metrics::figure_of<metrics::Recall>("recall", counts, positive, undefined);
}

/// The same of all labels that occur. The macro average is NaN if one of them is predicted but not
/// in y, see `undefined`; balanced_accuracy leaves such labels out.
template <Numbers P, Numbers Y, std::same_as<Average> A>
[[nodiscard]] double recall(const P& predicted, const Y& y, A average,
                            const metrics::SampleWeights& sample_weights = {},
                            double undefined = metrics::undefined_figure) {
  const auto counts = metrics::count_classes("recall", predicted, y, sample_weights);
  return metrics::average_of<metrics::Recall>(counts, average, undefined);
}

/// F1 of the label `positive`. Throws as `precision` does; otherwise it is defined.
template <Numbers P, Numbers Y>
[[nodiscard]] double f1(const P& predicted, const Y& y, const PositiveLabel& positive = {},
                        const metrics::SampleWeights& sample_weights = {}) {
  const auto counts = metrics::count_classes("f1", predicted, y, sample_weights);
  return metrics::figure_of<metrics::F1>("f1", counts, positive, metrics::undefined_figure);
}

/// F1 of all labels that occur: it is defined for each of them.
template <Numbers P, Numbers Y, std::same_as<Average> A>
[[nodiscard]] double f1(const P& predicted, const Y& y, A average,
                        const metrics::SampleWeights& sample_weights = {}) {
  const auto counts = metrics::count_classes("f1", predicted, y, sample_weights);
  return metrics::average_of<metrics::F1>(counts, average, metrics::undefined_figure);
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

}  // namespace linea
