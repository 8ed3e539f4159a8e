// SPDX-License-Identifier: MIT
#pragma once
/// \file Metrics of probabilities: log loss, likelihood, and the Brier score.
#include <cmath>  // exp, log, log1p
#include <linea/metrics/class_scores.hpp>
#include <linea/metrics/counted.hpp>
#include <string_view>

namespace linea {
namespace detail {

/// Samples with the predicted probability of the positive label.
struct Chances : Counted {
  double label{0};

  bool is_positive(Index i) const { return y[i] == label; }
  /// Returns the logarithm of the predicted probability of the true label.
  double log(Index i) const {
    return is_positive(i) ? std::log(predicted[i]) : std::log1p(-predicted[i]);
  }
  double log_likelihood() const {
    double sum = 0;
    for (Index i = 0; i < size(); ++i) sum += weights[i] * log(i);
    return sum;
  }
};

/// Validates probabilities (n) and labels (n) as `counted` and PositiveLabel do. Throws
/// std::invalid_argument for numbers outside [0, 1].
template <Numbers P, Numbers Y>
Chances chances(std::string_view metric, const P& probabilities, const Y& y,
                const PositiveLabel& positive, const SampleWeights& sample_weights) {
  Chances samples{counted(metric, probabilities, labels_of(metric, y), sample_weights)};
  samples.label = positive.among(metric, samples.y);
  for (Index i = 0; i < samples.size(); ++i)
    require(0 <= samples.predicted[i] && samples.predicted[i] <= 1, metric, ": probability ",
            samples.row(i), " is ", samples.predicted[i], ", which is outside [0, 1]");
  return samples;
}

}  // namespace detail

/// Returns the mean of −ln q, where q is the predicted probability of the true label.
/// `probabilities` (n) holds the probability of the label `positive`, by default the larger of two
/// labels. For any other label, q is 1 minus this probability. The result is ∞ if a true label has
/// probability 0. Throws std::invalid_argument for a probability outside [0, 1], if sizes differ,
/// n = 0, a number is NaN or a weight is not valid, and as PositiveLabel does.
template <Numbers P, Numbers Y>
[[nodiscard]] double log_loss(const P& probabilities, const Y& y,
                              const PositiveLabel& positive = {},
                              const detail::SampleWeights& sample_weights = {}) {
  const auto samples = detail::chances("log_loss", probabilities, y, positive, sample_weights);
  return samples.mean_of([&](Index i) { return -samples.log(i); });
}

/// Returns the log loss for several labels: column j of `probabilities` (n × k) is for labels[j].
/// Throws std::invalid_argument for a probability outside [0, 1], for rows whose sum is not 1 ±
/// 0.001, for a label in y without a column, and for invalid sizes, labels and weights.
template <TargetMatrix M, Numbers Y, detail::Labels L>
[[nodiscard]] double log_loss(const M& probabilities, const Y& y, const L& labels,
                              const detail::SampleWeights& sample_weights = {}) {
  const auto samples =
      detail::class_probabilities("log_loss", probabilities, y, labels, sample_weights);
  return samples.mean_of(
      [&](Index i) { return -std::log(samples.scores(i, samples.truth_of(i))); });
}

/// Returns Σᵢ sᵢ·ln qᵢ, the logarithm of `likelihood`. The result is −n·log_loss if all weights are
/// 1, and −∞ if a true label has probability 0. Throws std::invalid_argument as log_loss does.
template <Numbers P, Numbers Y>
[[nodiscard]] double log_likelihood(const P& probabilities, const Y& y,
                                    const PositiveLabel& positive = {},
                                    const detail::SampleWeights& sample_weights = {}) {
  return detail::chances("log_likelihood", probabilities, y, positive, sample_weights)
      .log_likelihood();
}

/// Returns Πᵢ qᵢ^sᵢ, the probability of independent labels y (n). With many samples the product
/// underflows to 0; compare log_likelihood instead. Throws std::invalid_argument as log_loss does.
template <Numbers P, Numbers Y>
[[nodiscard]] double likelihood(const P& probabilities, const Y& y,
                                const PositiveLabel& positive = {},
                                const detail::SampleWeights& sample_weights = {}) {
  return std::exp(
      detail::chances("likelihood", probabilities, y, positive, sample_weights).log_likelihood());
}

/// Returns the mean of (q − t)², where q is the predicted probability of the label `positive`, and
/// t is 1 for samples of this label and 0 for other samples. The score is in [0, 1]; 0 is best, and
/// q = ½ gives ¼. `positive` is by default the larger of two labels. Throws as log_loss does.
/// Brier, Monthly Weather Review 78 (1950).
template <Numbers P, Numbers Y>
[[nodiscard]] double brier_score(const P& probabilities, const Y& y,
                                 const PositiveLabel& positive = {},
                                 const detail::SampleWeights& sample_weights = {}) {
  const auto samples = detail::chances("brier_score", probabilities, y, positive, sample_weights);
  return samples.mean_of([&](Index i) {
    const double error = samples.predicted[i] - (samples.is_positive(i) ? 1 : 0);
    return error * error;
  });
}

/// Returns Brier's score for several labels: the mean of Σⱼ (qⱼ − 1[y = labels[j]])², in [0, 2].
/// For two labels, the result is twice the score that brier_score returns for a vector of
/// probabilities. Column j of `probabilities` (n × k) is for labels[j]. Throws as log_loss for
/// several labels does.
template <TargetMatrix M, Numbers Y, detail::Labels L>
[[nodiscard]] double brier_score(const M& probabilities, const Y& y, const L& labels,
                                 const detail::SampleWeights& sample_weights = {}) {
  const auto samples =
      detail::class_probabilities("brier_score", probabilities, y, labels, sample_weights);
  return samples.mean_of([&](Index i) {
    double sum = 0;
    for (Index k = 0; k < samples.classes(); ++k) {
      const double error = samples.scores(i, k) - (samples.truth_of(i) == k ? 1 : 0);
      sum += error * error;
    }
    return sum;
  });
}

}  // namespace linea
