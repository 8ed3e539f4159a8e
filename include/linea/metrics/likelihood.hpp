// SPDX-License-Identifier: MIT
#pragma once
/// \file How likely the true labels are, given the probabilities predicted for them.
#include <cmath>  // exp, log, log1p
#include <linea/metrics/class_scores.hpp>
#include <linea/metrics/weighted_mean.hpp>
#include <string_view>

namespace linea {

namespace metrics {

/// ln of the probability of the true label of sample i. `chance` is that of the positive label.
inline double log_probability(std::string_view metric, Index i, double chance, bool is_positive) {
  require(0 <= chance && chance <= 1, metric, ": probability ", i, " is ", chance,
          ", which is outside [0, 1]");
  return is_positive ? std::log(chance) : std::log1p(-chance);
}

template <Numbers P, Numbers Y>
double log_likelihood(std::string_view metric, const P& probabilities, const Y& y, double positive,
                      const metrics::SampleWeights& sample_weights) {
  const Vector<double> q = doubles_of(probabilities);
  const Vector<double> t = doubles_of(y);
  double sum = 0;
  weighted_mean(metric, q.size(), t.size(), sample_weights, [&](Index i) {
    const double log = log_probability(metric, i, q[i], t[i] == positive);
    sum += sample_weights.of(i) * log;
    return log;
  });
  return sum;
}

}  // namespace metrics

/// The mean of −ln q, where q is the probability predicted for the true label. `probabilities` (n)
/// are those of the label `positive`; every other label has 1 minus that. ∞ when a true label was
/// given probability 0. Of samples that are divided among processes it is the mean over all of
/// them. Throws std::invalid_argument for a probability outside [0, 1].
template <Numbers P, Numbers Y>
double log_loss(const P& probabilities, const Y& y, double positive = 1,
                const metrics::SampleWeights& sample_weights = {},
                const Processes& processes = {}) {
  const Vector<double> q = metrics::doubles_of(probabilities);
  const Vector<double> t = metrics::doubles_of(y);
  return metrics::weighted_mean(
      "log_loss", q.size(), t.size(), sample_weights,
      [&](Index i) { return -metrics::log_probability("log_loss", i, q[i], t[i] == positive); },
      processes);
}

/// The same of several labels: `probabilities` (n × k), column j being for labels[j]. Throws
/// std::invalid_argument for a probability outside [0, 1], those of a sample that do not sum to 1
/// to a thousandth, and a label in y that has no column.
template <TargetMatrix M, Numbers Y, metrics::Labels L>
double log_loss(const M& probabilities, const Y& y, const L& labels,
                const metrics::SampleWeights& sample_weights = {}) {
  const auto samples =
      metrics::class_probabilities("log_loss", probabilities, y, labels, sample_weights);
  return samples.mean_of(
      [&](Index i) { return -std::log(samples.scores(i, samples.truth_of(i))); });
}

/// Σᵢ sᵢ·ln qᵢ, the logarithm of `likelihood`: −n·log_loss where all weights are 1. −∞ when a true
/// label was given no probability. Throws std::invalid_argument for a probability outside [0, 1].
template <Numbers P, Numbers Y>
double log_likelihood(const P& probabilities, const Y& y, double positive = 1,
                      const metrics::SampleWeights& sample_weights = {}) {
  return metrics::log_likelihood("log_likelihood", probabilities, y, positive, sample_weights);
}

/// Πᵢ qᵢ^sᵢ, the probability of all labels y (n) when each is drawn by itself. Below the smallest
/// double, and so 0, from some hundred samples on: compare log_likelihood instead.
/// Throws std::invalid_argument for a probability outside [0, 1].
template <Numbers P, Numbers Y>
double likelihood(const P& probabilities, const Y& y, double positive = 1,
                  const metrics::SampleWeights& sample_weights = {}) {
  return std::exp(
      metrics::log_likelihood("likelihood", probabilities, y, positive, sample_weights));
}

}  // namespace linea
