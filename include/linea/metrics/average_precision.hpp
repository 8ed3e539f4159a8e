// SPDX-License-Identifier: MIT
#pragma once
/// \file Average precision, the area under the steps of precision over recall.
#include <linea/metrics/positive_label.hpp>
#include <linea/metrics/precision_recall.hpp>
#include <linea/metrics/ranking.hpp>

namespace linea {

namespace metrics {

template <class V, class IsPositive>
double area_under_precision(const V& scores, const Vector<double>& weights,
                            IsPositive&& is_positive) {
  const double all = sides_of(weights, is_positive).positive;
  Sides above;
  double area = 0;
  for_each_score(scores, weights, is_positive, [&](double positive, double negative) {
    above.positive += positive;
    above.negative += negative;
    area += positive / all * (above.positive / (above.positive + above.negative));
  });
  return area;
}

}  // namespace metrics

/// Σ (Rₖ − Rₖ₋₁)·Pₖ with the precision Pₖ and recall Rₖ of predicting `positive` for all scores
/// from the k-th highest up, without interpolation: 1 for a perfect ranking, the fraction of
/// `positive` for guessing. `scores` (n) may be scores or probabilities. Cost: O(n·log n).
/// `positive` is the larger of two labels unless it is named.
///
/// Throws std::invalid_argument where no sample has this label, sizes that differ, a number that is
/// none, wrong weights, and where PositiveLabel does.
template <Numbers P, Numbers Y>
[[nodiscard]] double average_precision(const P& scores, const Y& y,
                                       const PositiveLabel& positive = {},
                                       const metrics::SampleWeights& sample_weights = {}) {
  const auto samples = metrics::counted("average_precision", scores, y, sample_weights);
  const double label = positive.among("average_precision", samples.y);
  const auto is_positive = [&](Index i) { return samples.y[i] == label; };
  require(metrics::sides_of(samples.weights, is_positive).positive > 0,
          "average_precision: no sample has the label ", label);
  return metrics::area_under_precision(samples.predicted, samples.weights, is_positive);
}

/// The same of several labels: of each against all others, by its own column of `scores` (n × k),
/// column j being for labels[j], averaged as in roc_auc. Throws std::invalid_argument as above, for
/// a label in y that is none of these, for the macro average where one of these is not in y, and
/// for the micro average.
template <TargetMatrix M, Numbers Y, metrics::Labels L>
[[nodiscard]] double average_precision(const M& scores, const Y& y, const L& labels,
                                       Average average = Average::macro,
                                       const metrics::SampleWeights& sample_weights = {}) {
  require(average != Average::micro, "average_precision: there is no micro average of rankings");
  const auto samples =
      metrics::class_scores("average_precision", scores, y, labels, sample_weights);
  const Vector<double> names = metrics::labels_of(labels);
  return metrics::one_against_rest(
      samples, average == Average::weighted,
      [&](Index k, const metrics::Sides& sides) {
        require(sides.positive > 0, "average_precision: no sample has the label ", names[k]);
      },
      [](const auto& column, const Vector<double>& weights, const auto& is_positive) {
        return metrics::area_under_precision(column, weights, is_positive);
      });
}

}  // namespace linea
