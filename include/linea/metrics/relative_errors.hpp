// SPDX-License-Identifier: MIT
#pragma once
/// \file Errors of predicted numbers that a few samples, the unit or a shift do not decide.
#include <algorithm>  // sort
#include <cmath>      // abs, isfinite, isinf, ldexp
#include <linea/metrics/counted.hpp>
#include <linea/metrics/regression.hpp>
#include <numeric>  // iota
#include <vector>

namespace linea {

/// The median of |p − y|, in y's unit: half of the weight has an error of at most this. Where
/// exactly half of it is at most some error, the mean of that and the next, so that weight k is k
/// repeats. Cost: O(n·log n). Throws std::invalid_argument for sizes that differ, no samples, a
/// prediction that is not a number, a target that is not finite, and wrong weights, as do all
/// functions of this page.
template <Numbers P, Numbers Y>
[[nodiscard]] double median_absolute_error(const P& predicted, const Y& y,
                                           const metrics::SampleWeights& sample_weights = {}) {
  const auto found = metrics::errors_of("median_absolute_error", predicted, y, sample_weights);
  const auto& samples = found.samples;
  Vector<double> errors = found.differences;
  for (double& one : errors) one = std::ldexp(std::abs(one), found.exponent);
  std::vector<Index> order(static_cast<std::size_t>(errors.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return errors[a] < errors[b]; });
  double below = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    below += samples.weights[order[i]];
    if (2 * below < samples.total) continue;
    const double error = errors[order[i]];
    if (2 * below > samples.total || i + 1 == order.size()) return error;
    const double next = errors[order[i + 1]];
    return error == next ? error : error + (next - error) / 2;  // they may be infinite
  }
  return errors[order.back()];
}

/// The mean of |p − y|/|y|: a fraction, 0.1 for ten percent. Throws std::invalid_argument where a
/// sample that counts has y = 0, of which no error is a fraction.
template <Numbers P, Numbers Y>
[[nodiscard]] double mean_absolute_percentage_error(
    const P& predicted, const Y& y, const metrics::SampleWeights& sample_weights = {}) {
  const auto errors =
      metrics::errors_of("mean_absolute_percentage_error", predicted, y, sample_weights);
  const auto& samples = errors.samples;
  for (Index i = 0; i < samples.size(); ++i)
    require(samples.y[i] != 0, "mean_absolute_percentage_error: y(", samples.row(i), ") is 0");
  return samples.mean_of([&](Index i) {
    const double p = samples.predicted[i];
    const double y_i = samples.y[i];
    const double error = p - y_i;
    if (std::isinf(error) && std::isfinite(p)) return std::abs(p / y_i - 1);  // of two signs
    return std::abs(error) / std::abs(y_i);
  });
}

/// 1 − Var(y − p)/Var(y): r2 of the predictions after their mean error has been taken away. Where y
/// is constant: 1 if p − y is constant too, else 0.
template <Numbers P, Numbers Y>
[[nodiscard]] double explained_variance(const P& predicted, const Y& y,
                                        const metrics::SampleWeights& sample_weights = {}) {
  const auto errors = metrics::errors_of("explained_variance", predicted, y, sample_weights);
  const auto deviations = [&](const Vector<double>& v) {
    return metrics::sum_of_deviations(errors.samples, v, errors.exponent);
  };
  return metrics::explained(deviations(errors.differences), deviations(errors.targets()));
}

}  // namespace linea
