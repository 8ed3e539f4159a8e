// SPDX-License-Identifier: MIT
#pragma once
/// \file How well scores rank samples: the area under the receiver operating characteristic, and
/// average precision, the area under the steps of precision over recall.
#include <algorithm>  // min, sort
#include <linea/metrics/class_scores.hpp>
#include <linea/metrics/classification.hpp>  // Average
#include <linea/metrics/counted.hpp>
#include <numeric>  // iota
#include <string_view>
#include <vector>

namespace linea {
namespace metrics {

/// f(positive, negative) for every score that occurs, from the highest to the lowest: the weights
/// of both kinds of samples that have it. scores (m) hold no NaN, weights (m) are above 0. Cost:
/// O(m·log m).
template <class V, class IsPositive, class F>
void for_each_score(const V& scores, const Vector<double>& weights, IsPositive&& is_positive,
                    F&& f) {
  std::vector<Index> order(static_cast<std::size_t>(scores.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return scores[a] > scores[b]; });
  for (std::size_t i = 0; i < order.size();) {
    const double score = scores[order[i]];
    double positive = 0;
    double negative = 0;
    for (; i < order.size() && scores[order[i]] == score; ++i)
      (is_positive(order[i]) ? positive : negative) += weights[order[i]];
    f(positive, negative);
  }
}

/// The weights of both kinds of samples.
struct Sides {
  double positive{0};
  double negative{0};
};
template <class IsPositive>
Sides sides_of(const Vector<double>& weights, IsPositive&& is_positive) {
  Sides sides;
  for (Index i = 0; i < weights.size(); ++i)
    (is_positive(i) ? sides.positive : sides.negative) += weights[i];
  return sides;
}

/// A figure of each class against all others, as their mean, or as the mean in which a class counts
/// by its weight in y. figure(scores, weights, is_positive) is asked for classes that count, after
/// admit(k, sides) of it.
template <class Admit, class Figure>
double one_against_rest(const ClassScores& samples, bool weighted, Admit&& admit, Figure&& figure) {
  double sum = 0;
  double total = 0;
  for (Index k = 0; k < samples.classes(); ++k) {
    const auto is_positive = [&](Index i) { return samples.truth_of(i) == k; };
    const Sides sides = sides_of(samples.weights, is_positive);
    if (weighted && !(sides.positive > 0)) continue;
    admit(k, sides);
    const double weight = weighted ? sides.positive : 1;
    Vector<double> scores(samples.size());
    for (Index i = 0; i < scores.size(); ++i) scores[i] = samples.scores(i, k);
    sum += weight * figure(scores, samples.weights, is_positive);
    total += weight;
  }
  return sum / total;
}

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
