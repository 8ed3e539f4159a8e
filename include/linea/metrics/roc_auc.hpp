// SPDX-License-Identifier: MIT
#pragma once
/// \file The area under the receiver operating characteristic: how well scores rank samples.
#include <algorithm>  // min
#include <linea/metrics/positive_label.hpp>
#include <linea/metrics/precision_recall.hpp>
#include <linea/metrics/ranking.hpp>

namespace linea {

namespace metrics {

template <class V, class IsPositive>
double area_under_roc(const V& scores, const Vector<double>& weights, IsPositive&& is_positive) {
  const Sides sides = sides_of(weights, is_positive);
  double above = 0;  // the positive samples of higher scores
  double area = 0;
  for_each_score(scores, weights, is_positive, [&](double positive, double negative) {
    area += negative * (above + positive / 2);  // exact where samples are counted
    above += positive;
  });
  return std::min(area / sides.negative / sides.positive, 1.0);
}

}  // namespace metrics

/// The chance that a sample of the label `positive` has a higher score than one of another label,
/// ties counting half: 1 for a perfect ranking, ½ for guessing. `scores` (n) may be scores or
/// probabilities: only their order matters. `positive` is the larger of two labels unless it is
/// named. Cost: O(n·log n).
///
/// Throws std::invalid_argument where y (n) has only samples of this label, or none, sizes that
/// differ, a number that is none, wrong weights, and where PositiveLabel does. Fawcett, Pattern
/// Recognition Letters 27 (2006).
template <Numbers P, Numbers Y>
[[nodiscard]] double roc_auc(const P& scores, const Y& y, const PositiveLabel& positive = {},
                             const metrics::SampleWeights& sample_weights = {}) {
  const auto samples = metrics::counted("roc_auc", scores, y, sample_weights);
  const double label = positive.among("roc_auc", samples.y);
  const auto is_positive = [&](Index i) { return samples.y[i] == label; };
  const auto sides = metrics::sides_of(samples.weights, is_positive);
  require(sides.positive > 0, "roc_auc: no sample has the label ", label);
  require(sides.negative > 0, "roc_auc: no sample has another label than ", label);
  return metrics::area_under_roc(samples.predicted, samples.weights, is_positive);
}

/// The same of several labels: of each against all others, by its own column of `scores` (n × k),
/// column j being for labels[j]. The macro average is their mean; in the weighted one a label
/// counts as often as it is in y. Cost: O(k·n·log n).
///
/// Throws std::invalid_argument as above, for a label in y that is none of these, for the macro
/// average where one of these is not in y, and for the micro average.
template <TargetMatrix M, Numbers Y, metrics::Labels L>
[[nodiscard]] double roc_auc(const M& scores, const Y& y, const L& labels,
                             Average average = Average::macro,
                             const metrics::SampleWeights& sample_weights = {}) {
  require(average != Average::micro, "roc_auc: there is no micro average of rankings");
  const auto samples = metrics::class_scores("roc_auc", scores, y, labels, sample_weights);
  const Vector<double> names = metrics::labels_of(labels);
  return metrics::one_against_rest(
      samples, average == Average::weighted,
      [&](Index k, const metrics::Sides& sides) {
        require(sides.positive > 0, "roc_auc: no sample has the label ", names[k]);
        require(sides.negative > 0, "roc_auc: no sample has another label than ", names[k]);
      },
      [](const auto& column, const Vector<double>& weights, const auto& is_positive) {
        return metrics::area_under_roc(column, weights, is_positive);
      });
}

}  // namespace linea
