// SPDX-License-Identifier: MIT
#pragma once
/// \file How good probabilities are: log loss, likelihood, and the Brier score, their mean squared
/// error.
#include <cmath>  // exp, ldexp, log, log1p
#include <linea/metrics/class_scores.hpp>
#include <linea/metrics/counted.hpp>
#include <string_view>

namespace linea {
namespace metrics {

/// Samples with probabilities of the positive label.
struct Chances : Counted {
  double label{0};

  bool is_positive(Index i) const { return y[i] == label; }
  /// ln of the probability of the true label.
  double log(Index i) const {
    return is_positive(i) ? std::log(predicted[i]) : std::log1p(-predicted[i]);
  }
  double log_likelihood() const {
    double sum = 0;
    for (Index i = 0; i < size(); ++i) sum += weights[i] * log(i);
    return std::ldexp(sum, exponent);
  }
};

/// Throws std::invalid_argument as counted and PositiveLabel do, and for what is no probability.
template <Numbers P, Numbers Y>
Chances chances(std::string_view metric, const P& probabilities, const Y& y,
                const PositiveLabel& positive, const SampleWeights& sample_weights) {
  Chances samples{counted(metric, probabilities, y, sample_weights)};
  samples.label = positive.among(metric, samples.y);
  for (Index i = 0; i < samples.size(); ++i)
    require(0 <= samples.predicted[i] && samples.predicted[i] <= 1, metric, ": probability ",
            samples.row(i), " is ", samples.predicted[i], ", which is outside [0, 1]");
  return samples;
}

}  // namespace metrics

/// The mean of −ln q, where q is the probability predicted for the true label. `probabilities` (n)
/// are those of the label `positive`, which is the larger of two labels unless it is named; every
/// other label has 1 minus that. ∞ when a true label was given probability 0. Throws
/// std::invalid_argument for a probability outside [0, 1], and where PositiveLabel does.
template <Numbers P, Numbers Y>
[[nodiscard]] double log_loss(const P& probabilities, const Y& y,
                              const PositiveLabel& positive = {},
                              const metrics::SampleWeights& sample_weights = {}) {
  const auto samples = metrics::chances("log_loss", probabilities, y, positive, sample_weights);
  return samples.mean_of([&](Index i) { return -samples.log(i); });
}

/// The same of several labels: `probabilities` (n × k), column j being for labels[j]. Throws
/// std::invalid_argument for a probability outside [0, 1], those of a sample that do not sum to 1
/// to a thousandth, and a label in y that has no column.
template <TargetMatrix M, Numbers Y, metrics::Labels L>
[[nodiscard]] double log_loss(const M& probabilities, const Y& y, const L& labels,
                              const metrics::SampleWeights& sample_weights = {}) {
  const auto samples =
      metrics::class_probabilities("log_loss", probabilities, y, labels, sample_weights);
  return samples.mean_of(
      [&](Index i) { return -std::log(samples.scores(i, samples.truth_of(i))); });
}

/// Σᵢ sᵢ·ln qᵢ, the logarithm of `likelihood`: −n·log_loss where all weights are 1. −∞ when a true
/// label was given no probability. Throws std::invalid_argument as log_loss does.
template <Numbers P, Numbers Y>
[[nodiscard]] double log_likelihood(const P& probabilities, const Y& y,
                                    const PositiveLabel& positive = {},
                                    const metrics::SampleWeights& sample_weights = {}) {
  return metrics::chances("log_likelihood", probabilities, y, positive, sample_weights)
      .log_likelihood();
}

/// Πᵢ qᵢ^sᵢ, the probability of all labels y (n) when each is drawn by itself. Below the smallest
/// double, and so 0, from some hundred samples on: compare log_likelihood instead.
/// Throws std::invalid_argument as log_loss does.
template <Numbers P, Numbers Y>
[[nodiscard]] double likelihood(const P& probabilities, const Y& y,
                                const PositiveLabel& positive = {},
                                const metrics::SampleWeights& sample_weights = {}) {
  return std::exp(
      metrics::chances("likelihood", probabilities, y, positive, sample_weights).log_likelihood());
}

/// The mean of (q − 1)² over samples of the label `positive` and q² over all others, in [0, 1]: 0
/// at best, ¼ where every q is ½. `probabilities` (n) are those of `positive`, which is the larger
/// of two labels unless it is named.
/// Throws as log_loss does. Brier, Monthly Weather Review 78 (1950).
template <Numbers P, Numbers Y>
[[nodiscard]] double brier_score(const P& probabilities, const Y& y,
                                 const PositiveLabel& positive = {},
                                 const metrics::SampleWeights& sample_weights = {}) {
  const auto samples = metrics::chances("brier_score", probabilities, y, positive, sample_weights);
  return samples.mean_of([&](Index i) {
    const double error = samples.predicted[i] - (samples.is_positive(i) ? 1 : 0);
    return error * error;
  });
}

/// The same of several labels, as Brier has it: the mean of Σⱼ (qⱼ − 1[y = labels[j]])², in [0, 2].
/// Of two labels that is twice the score above. `probabilities` (n × k), column j being for
/// labels[j]. Throws as log_loss of several labels does.
template <TargetMatrix M, Numbers Y, metrics::Labels L>
[[nodiscard]] double brier_score(const M& probabilities, const Y& y, const L& labels,
                                 const metrics::SampleWeights& sample_weights = {}) {
  const auto samples =
      metrics::class_probabilities("brier_score", probabilities, y, labels, sample_weights);
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
