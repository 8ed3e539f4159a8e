// SPDX-License-Identifier: MIT
#pragma once
/// \file Metrics of rankings by score: the area under the receiver operating characteristic, and
/// average precision.
#include <algorithm>  // min
#include <linea/metrics/class_scores.hpp>
#include <linea/metrics/classification.hpp>  // Average
#include <linea/metrics/counted.hpp>
#include <string_view>
#include <vector>

namespace linea {
namespace detail {

/// Samples with scores (m), none of them NaN, and positive weights (m).
struct Ranked {
  const Vector<double>& scores;
  const Vector<double>& weights;
  std::vector<Index> is_positive;
  double positive{0};  ///< total weight of the positive samples
  double negative{0};  ///< total weight of the other samples

  template <class IsPositive>
  Ranked(const Vector<double>& all_scores, const Vector<double>& all_weights, IsPositive&& is)
      : scores(all_scores), weights(all_weights) {
    for (Index i = 0; i < weights.size(); ++i) {
      is_positive.push_back(is(i) ? 1 : 0);
      (is_positive.back() ? positive : negative) += weights[i];
    }
  }

  /// Calls f(score, positive, negative) for every distinct score, from the highest to the lowest.
  /// `positive` and `negative` are the weights of the samples with this score. O(m·log m).
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

/// The area under the ROC or the precision-recall curve.
struct Area {
  std::string_view name;
  bool is_of_roc;  ///< false for the precision-recall curve

  /// Returns the area for a label. Throws if no sample or, for the ROC, every sample has this
  /// label.
  template <std::same_as<Ranked> R>
  double of_label(const R& samples, double label) const {
    require(samples.positive > 0, name, ": no sample has the label ", label);
    require(samples.negative > 0 || !is_of_roc, name, ": all samples have the label ", label);
    double above[2] = {0, 0};  // weight of the positive and the other samples visited so far
    double area = 0;
    samples.for_each_score([&](double, double positive, double negative) {
      if (is_of_roc) area += negative * (above[0] + positive / 2);  // exact for weights of 1
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
  const Counted samples = counted(area.name, scores, labels_of(area.name, y), sample_weights);
  const double label = positive.among(area.name, samples.y);
  const auto is_positive = [&](Index i) { return samples.y[i] == label; };
  return area.of_label(Ranked(samples.predicted, samples.weights, is_positive), label);
}

/// Returns the mean of the areas of each label against all others, weighted by their weight in y
/// with Average::weighted.
template <TargetMatrix M, Numbers Y, Labels L>
double area_of_each(const Area& area, const M& scores, const Y& y, const L& labels, Average average,
                    const SampleWeights& sample_weights) {
  require(average != Average::micro, area.name, ": there is no micro average of rankings");
  const ClassScores samples = class_scores(area.name, scores, y, labels, sample_weights);
  const Vector<double> names = labels_of(area.name, labels);
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

}  // namespace detail

/// The outcomes of predicting the label `positive` for all scores ≥ a threshold. Each distinct
/// score is a threshold.
struct RankingCurve {
  Vector<double> thresholds{};  ///< distinct scores, descending (m)
  Vector<double> recall{};      ///< recall of `positive` (true-positive rate), ascending (m)
  Vector<double> false_positive_rate{};  ///< fraction of the other samples, ascending (m)
  Vector<double> precision{};            ///< (m)
};

/// Returns the points of the receiver operating characteristic (false_positive_rate, recall) and of
/// the precision-recall curve. The point (0, 0) of a threshold above all scores is not included.
/// Throws as roc_auc does. O(n·log n).
template <Numbers P, Numbers Y>
[[nodiscard]] RankingCurve ranking_curve(const P& scores, const Y& y,
                                         const PositiveLabel& positive = {},
                                         const detail::SampleWeights& sample_weights = {}) {
  const auto samples = detail::counted("ranking_curve", scores,
                                       detail::labels_of("ranking_curve", y), sample_weights);
  const double label = positive.among("ranking_curve", samples.y);
  const detail::Ranked ranked(samples.predicted, samples.weights,
                              [&](Index i) { return samples.y[i] == label; });
  require(ranked.positive > 0, "ranking_curve: no sample has the label ", label);
  require(ranked.negative > 0, "ranking_curve: all samples have the label ", label);
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

/// Returns the area under the receiver operating characteristic: the probability that a sample of
/// the label `positive` has a higher score than a sample of another label; ties count half. The
/// area is 1 for a perfect ranking and ½ for guesses. `scores` (n) are scores or probabilities;
/// only their order matters. `positive` is by default the larger of two labels. O(n·log n).
///
/// Throws std::invalid_argument if all or none of y (n) have this label, sizes differ, a number is
/// NaN, or a weight is not valid, and as PositiveLabel does. Fawcett, Pattern Recognition Letters
/// 27 (2006).
template <Numbers P, Numbers Y>
[[nodiscard]] double roc_auc(const P& scores, const Y& y, const PositiveLabel& positive = {},
                             const detail::SampleWeights& sample_weights = {}) {
  return detail::area_of_two(detail::roc, scores, y, positive, sample_weights);
}

/// Returns the average area of each label against all others, for several labels. Column j of
/// `scores` (n × k) is for labels[j]. The macro average is the mean; in the weighted average labels
/// count by their weight in y. O(k·n·log n).
///
/// Throws std::invalid_argument as `roc_auc` of two labels does, for a label in y without a column,
/// for the micro average, and for the macro average if a label is not in y.
template <TargetMatrix M, Numbers Y, detail::Labels L>
[[nodiscard]] double roc_auc(const M& scores, const Y& y, const L& labels,
                             Average average = Average::macro,
                             const detail::SampleWeights& sample_weights = {}) {
  return detail::area_of_each(detail::roc, scores, y, labels, average, sample_weights);
}

/// Returns Σ (Rₖ − Rₖ₋₁)·Pₖ, without interpolation. Pₖ and Rₖ are the precision and recall of
/// predicting `positive` for every score that is at least the k-th highest distinct score; R₀ = 0.
/// The result is 1 for a perfect ranking, and about the fraction of samples with the label
/// `positive` for guesses. Throws as roc_auc does, but accepts samples that all have this label.
template <Numbers P, Numbers Y>
[[nodiscard]] double average_precision(const P& scores, const Y& y,
                                       const PositiveLabel& positive = {},
                                       const detail::SampleWeights& sample_weights = {}) {
  return detail::area_of_two(detail::precision_recall, scores, y, positive, sample_weights);
}

/// Returns the average precision for several labels, averaged as in roc_auc.
template <TargetMatrix M, Numbers Y, detail::Labels L>
[[nodiscard]] double average_precision(const M& scores, const Y& y, const L& labels,
                                       Average average = Average::macro,
                                       const detail::SampleWeights& sample_weights = {}) {
  return detail::area_of_each(detail::precision_recall, scores, y, labels, average, sample_weights);
}

}  // namespace linea
