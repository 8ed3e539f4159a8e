// SPDX-License-Identifier: MIT
#pragma once
/// \file Common to metrics: a weighted mean over samples, behind the same checks for all of them.
#include <algorithm>  // max
#include <cmath>      // frexp, isfinite, ldexp
#include <linea/core/processes.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/metrics/numbers.hpp>
#include <string_view>

namespace linea::metrics {

/// The exponent of the power of two next to the largest of the weights (n) of all processes.
template <class T>
int scale_of(const Vector<T>& weights, const Processes& processes = {}) {
  T largest{0};
  for (Index i = 0; i < weights.size(); ++i) largest = std::max(largest, weights[i]);
  largest = static_cast<T>(processes.largest(static_cast<double>(largest)));
  int exponent = 0;
  std::frexp(largest, &exponent);
  return exponent;
}

/// Sample weights (n) over the power of two next to the largest, so that no sum of them overflows:
/// their digits stay the same. Not to be asked of weights that are not finite.
template <class T>
Vector<T> without_scale(Vector<T> weights) {
  const int exponent = scale_of(weights);
  for (Index i = 0; i < weights.size(); ++i) weights[i] = std::ldexp(weights[i], -exponent);
  return weights;
}

/// Refuses predictions or weights that are not n in number, weights that are negative or not
/// finite, and no samples, on all processes together. Of these one may have no samples.
inline void require_weighted(std::string_view metric, Index answers, Index n,
                             const SampleWeights& sample_weights, const Processes& processes) {
  require(answers == n, metric, ": ", answers, " predictions but y has ", n);
  require(processes.any(n > 0), metric, ": no samples");
  require(!processes.any(sample_weights.size() > 0) || sample_weights.size() == n, metric, ": ",
          sample_weights.size(), " sample weights but y has ", n);
  for (Index i = 0; i < sample_weights.size(); ++i)
    require(std::isfinite(sample_weights[i]) && sample_weights[i] >= 0, metric, ": sample weight ",
            i, " is ", sample_weights[i]);
}

/// (1/S) Σᵢ sᵢ·f(i) for i < n, sample_weights (n) or none (all 1); f is not asked where sᵢ = 0. The
/// sums are over all processes among which the samples are divided. Throws std::invalid_argument
/// when sizes differ, n = 0, a weight is negative or not finite, or all are 0.
template <class F>
double weighted_mean(std::string_view metric, Index answers, Index n,
                     const SampleWeights& sample_weights, F&& f, const Processes& processes = {}) {
  return processes.in_step([&] {
    require_weighted(metric, answers, n, sample_weights, processes);
    const int exponent = scale_of(sample_weights.values(), processes);
    double sums[2] = {0, 0};
    for (Index i = 0; i < n; ++i) {
      const double s = sample_weights.size() ? std::ldexp(sample_weights[i], -exponent) : 1.0;
      if (s > 0) sums[0] += s * static_cast<double>(f(i));
      sums[1] += s;
    }
    processes.sum(sums, 2);
    require(sums[1] > 0, metric, ": all sample weights are zero");
    return sums[0] / sums[1];
  });
}

}  // namespace linea::metrics
