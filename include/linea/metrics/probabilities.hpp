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

/// ln of the probability of a label. `chance` is that of the positive one.
inline double log_probability(double chance, bool is_positive) {
  return is_positive ? std::log(chance) : std::log1p(-chance);
}

template <Numbers P, Numbers Y>
double log_likelihood(std::string_view metric, const P& probabilities, const Y& y,
                      const PositiveLabel& positive, const SampleWeights& sample_weights) {
  const Counted samples = counted(metric, probabilities, y, sample_weights);
  const double label = positive.among(metric, samples.y);
  const Vector<double>& q = probabilities_of(metric, samples);
  double sum = 0;
  for (Index i = 0; i < samples.size(); ++i)
    sum += samples.weights[i] * log_probability(q[i], samples.y[i] == label);
  return std::ldexp(sum, samples.exponent);
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
  const auto samples = metrics::counted("log_loss", probabilities, y, sample_weights);
  const double label = positive.among("log_loss", samples.y);
  const Vector<double>& q = metrics::probabilities_of("log_loss", samples);
  return samples.mean_of(
      [&](Index i) { return -metrics::log_probability(q[i], samples.y[i] == label); });
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
  return metrics::log_likelihood("log_likelihood", probabilities, y, positive, sample_weights);
}

/// Πᵢ qᵢ^sᵢ, the probability of all labels y (n) when each is drawn by itself. Below the smallest
/// double, and so 0, from some hundred samples on: compare log_likelihood instead.
/// Throws std::invalid_argument as log_loss does.
template <Numbers P, Numbers Y>
[[nodiscard]] double likelihood(const P& probabilities, const Y& y,
                                const PositiveLabel& positive = {},
                                const metrics::SampleWeights& sample_weights = {}) {
  return std::exp(
      metrics::log_likelihood("likelihood", probabilities, y, positive, sample_weights));
}

/// The mean of (q − 1)² over samples of the label `positive` and q² over all others, in [0, 1]: 0
/// at best, ¼ where every q is ½. `probabilities` (n) are those of `positive`, which is the larger
/// of two labels unless it is named.
///
/// Throws std::invalid_argument for a probability outside [0, 1], sizes that differ, no samples, a
/// label that is not a number, wrong weights, and where PositiveLabel does. Brier, Monthly Weather
/// Review 78 (1950).
template <Numbers P, Numbers Y>
[[nodiscard]] double brier_score(const P& probabilities, const Y& y,
                                 const PositiveLabel& positive = {},
                                 const metrics::SampleWeights& sample_weights = {}) {
  const auto samples = metrics::counted("brier_score", probabilities, y, sample_weights);
  const double label = positive.among("brier_score", samples.y);
  const Vector<double>& q = metrics::probabilities_of("brier_score", samples);
  return samples.mean_of([&](Index i) {
    const double error = q[i] - (samples.y[i] == label ? 1 : 0);
    return error * error;
  });
}

/// The same of several labels, as Brier has it: the mean of Σⱼ (qⱼ − 1[y = labels[j]])², in [0, 2].
/// Of two labels that is twice the score above. `probabilities` (n × k), column j being for
/// labels[j].
///
/// Throws std::invalid_argument as above, for probabilities of a sample that do not sum to 1 to a
/// thousandth, and for a label in y that has no column.
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
