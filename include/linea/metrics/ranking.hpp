// SPDX-License-Identifier: MIT
#pragma once
/// \file How well scores rank samples: the area under the receiver operating characteristic, and
/// average precision, the area under the steps of precision over recall.
#include <algorithm>  // min
#include <linea/metrics/class_scores.hpp>
#include <linea/metrics/classification.hpp>  // Average
#include <linea/metrics/counted.hpp>
#include <string_view>
#include <vector>

namespace linea {
namespace metrics {

/// Samples with their scores (m), none of them NaN, and weights (m) above 0.
struct Ranked {
  const Vector<double>& scores;
  const Vector<double>& weights;
  std::vector<Index> is_positive;
  double positive{0};  ///< the weight of the positive samples
  double negative{0};  ///< that of all others

  template <class IsPositive>
  Ranked(const Vector<double>& all_scores, const Vector<double>& all_weights, IsPositive&& is)
      : scores(all_scores), weights(all_weights) {
    for (Index i = 0; i < weights.size(); ++i) {
      is_positive.push_back(is(i) ? 1 : 0);
      (is_positive.back() ? positive : negative) += weights[i];
    }
  }

  /// f(score, positive, negative) for every score that occurs, from the highest to the lowest: the
  /// weights of both kinds of samples that have it. Cost: O(m·log m).
  template <class F>
  void for_each_score(F&& f) const {
    const std::vector<Index> order = order_of(scores);
    for (std::size_t i = order.size(); i > 0;) {
      const double score = scores[order[i - 1]];
      double sums[2] = {0, 0};
      for (; i > 0 && scores[order[i - 1]] == score; --i)
        sums[is_positive[static_cast<std::size_t>(order[i - 1])] ? 0 : 1] += weights[order[i - 1]];
      f(score, sums[0], sums[1]);
    }
  }
};

/// An area under a curve of ranked samples.
struct Area {
  std::string_view name;
  bool is_of_roc;  ///< else of precision over recall

  /// That of a label. Refuses samples that have it none, or for the former all.
  template <std::same_as<Ranked> R>
  double of_label(const R& samples, double label) const {
    require(samples.positive > 0, name, ": no sample has the label ", label);
    require(samples.negative > 0 || !is_of_roc, name, ": no sample has another label than ", label);
    double above[2] = {0, 0};  // the samples of higher scores, and of this one
    double area = 0;
    samples.for_each_score([&](double, double positive, double negative) {
      if (is_of_roc) area += negative * (above[0] + positive / 2);  // exact of counted samples
      above[0] += positive;
      above[1] += negative;
      if (!is_of_roc) area += positive / samples.positive * (above[0] / (above[0] + above[1]));
    });
    return is_of_roc ? std::min(area / samples.negative / samples.positive, 1.0) : area;
  }
};
inline constexpr Area roc{"roc_auc", true};
inline constexpr Area precision_recall{"average_precision", false};

template <Numbers P, Numbers Y>
double area_of_two(const Area& area, const P& scores, const Y& y, const PositiveLabel& positive,
                   const SampleWeights& sample_weights) {
  const Counted samples = counted(area.name, scores, y, sample_weights);
  const double label = positive.among(area.name, samples.y);
  const auto is_positive = [&](Index i) { return samples.y[i] == label; };
  return area.of_label(Ranked(samples.predicted, samples.weights, is_positive), label);
}

/// That of each label against all others, as their mean, or as the mean in which a label counts by
/// its weight in y.
template <TargetMatrix M, Numbers Y, Labels L>
double area_of_each(const Area& area, const M& scores, const Y& y, const L& labels, Average average,
                    const SampleWeights& sample_weights) {
  require(average != Average::micro, area.name, ": there is no micro average of rankings");
  const ClassScores samples = class_scores(area.name, scores, y, labels, sample_weights);
  const Vector<double> names = labels_of(labels);
  double sum = 0;
  double total = 0;
  for (Index k = 0; k < samples.classes(); ++k) {
    Vector<double> own(samples.size());
    for (Index i = 0; i < own.size(); ++i) own[i] = samples.scores(i, k);
    const Ranked ranked(own, samples.weights, [&](Index i) { return samples.truth_of(i) == k; });
    if (average == Average::weighted && !(ranked.positive > 0)) continue;
    const double weight = average == Average::weighted ? ranked.positive : 1;
    sum += weight * area.of_label(ranked, names[k]);
    total += weight;
  }
  return sum / total;
}

}  // namespace metrics

/// What predicting the label `positive` from a threshold up comes to, for each threshold that makes
/// a difference.
struct RankingCurve {
  Vector<double> thresholds{};           ///< the scores that occur, descending (m)
  Vector<double> recall{};               ///< of `positive`: the true-positive rate, ascending (m)
  Vector<double> false_positive_rate{};  ///< the share of the other samples, ascending (m)
  Vector<double> precision{};            ///< (m)
};

/// The points of the receiver operating characteristic, false_positive_rate and recall, and of
/// precision over recall. The point (0, 0) of a threshold above all scores is not among them.
/// Throws as roc_auc does. Cost: O(n·log n).
template <Numbers P, Numbers Y>
[[nodiscard]] RankingCurve ranking_curve(const P& scores, const Y& y,
                                         const PositiveLabel& positive = {},
                                         const metrics::SampleWeights& sample_weights = {}) {
  const auto samples = metrics::counted("ranking_curve", scores, y, sample_weights);
  const double label = positive.among("ranking_curve", samples.y);
  const metrics::Ranked ranked(samples.predicted, samples.weights,
                               [&](Index i) { return samples.y[i] == label; });
  require(ranked.positive > 0, "ranking_curve: no sample has the label ", label);
  require(ranked.negative > 0, "ranking_curve: no sample has another label than ", label);
  Index count = 0;
  ranked.for_each_score([&](double, double, double) { ++count; });
  const Vector<double> none(count);
  RankingCurve curve{none, none, none, none};
  double above[2] = {0, 0};
  count = 0;
  ranked.for_each_score([&](double score, double of_label, double of_others) {
    above[0] += of_label;
    above[1] += of_others;
    curve.thresholds[count] = score;
    curve.recall[count] = std::min(above[0] / ranked.positive, 1.0);
    curve.false_positive_rate[count] = std::min(above[1] / ranked.negative, 1.0);
    curve.precision[count++] = above[0] / (above[0] + above[1]);
  });
  return curve;
}

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
  return metrics::area_of_two(metrics::roc, scores, y, positive, sample_weights);
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
  return metrics::area_of_each(metrics::roc, scores, y, labels, average, sample_weights);
}

/// Σ (Rₖ − Rₖ₋₁)·Pₖ with the precision Pₖ and recall Rₖ of predicting `positive` for all scores
/// from the k-th highest up, without interpolation: 1 for a perfect ranking, the fraction of
/// `positive` for guessing. Throws as roc_auc does, but takes samples that all have this label.
template <Numbers P, Numbers Y>
[[nodiscard]] double average_precision(const P& scores, const Y& y,
                                       const PositiveLabel& positive = {},
                                       const metrics::SampleWeights& sample_weights = {}) {
  return metrics::area_of_two(metrics::precision_recall, scores, y, positive, sample_weights);
}

/// The same of several labels, averaged as in roc_auc.
template <TargetMatrix M, Numbers Y, metrics::Labels L>
[[nodiscard]] double average_precision(const M& scores, const Y& y, const L& labels,
                                       Average average = Average::macro,
                                       const metrics::SampleWeights& sample_weights = {}) {
  return metrics::area_of_each(metrics::precision_recall, scores, y, labels, average,
                               sample_weights);
}

}  // namespace linea
