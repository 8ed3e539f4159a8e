// SPDX-License-Identifier: MIT
#pragma once
/// \file The Brier score: the mean squared error of probabilities.
#include <linea/metrics/class_scores.hpp>
#include <linea/metrics/counted.hpp>
#include <linea/metrics/positive_label.hpp>

namespace linea {

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
