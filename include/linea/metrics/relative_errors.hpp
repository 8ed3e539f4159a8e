// SPDX-License-Identifier: MIT
#pragma once
/// \file Errors of predicted numbers that a few samples, the unit or a shift do not decide.
#include <algorithm>  // sort
#include <cmath>      // abs
#include <linea/metrics/counted.hpp>
#include <numeric>  // iota
#include <vector>

namespace linea {

/// The median of |p − y|, in y's unit: half of the weight has an error of at most this. Where
/// exactly half of it is at most some error, the mean of that and the next, so that weight k is k
/// repeats. Cost: O(n·log n). Throws std::invalid_argument for sizes that differ, no samples, a
/// number that is none, and wrong weights, as do all functions of this page.
template <Numbers P, Numbers Y>
double median_absolute_error(const P& predicted, const Y& y,
                             const metrics::SampleWeights& sample_weights = {}) {
  const auto samples = metrics::counted("median_absolute_error", predicted, y, sample_weights);
  using Reals = Vector<core::DoubleFor<P>>;
  const Reals& p = samples.predicted;
  const Reals errors = (p - samples.y).cwiseAbs();
  std::vector<Index> order(static_cast<std::size_t>(errors.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return errors[a] < errors[b]; });
  double below = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    below += samples.weights[order[i]];
    if (2 * below < samples.total) continue;
    const double error = errors[order[i]];
    if (2 * below > samples.total || i + 1 == order.size()) return error;
    return error + (errors[order[i + 1]] - error) / 2;
  }
  return errors[order.back()];
}

/// The mean of |p − y|/|y|: a fraction, 0.1 for ten percent. Throws std::invalid_argument where a
/// sample that counts has y = 0, of which no error is a fraction.
template <Numbers P, Numbers Y>
double mean_absolute_percentage_error(const P& predicted, const Y& y,
                                      const metrics::SampleWeights& sample_weights = {}) {
  const auto samples =
      metrics::counted("mean_absolute_percentage_error", predicted, y, sample_weights);
  double sum = 0;
  for (Index i = 0; i < samples.size(); ++i) {
    require(samples.y[i] != 0, "mean_absolute_percentage_error: a target is 0");
    sum += samples.weights[i] *
           (std::abs(samples.predicted[i] - samples.y[i]) / std::abs(samples.y[i]));
  }
  return sum / samples.total;
}

/// 1 − Var(y − p)/Var(y): r2 of the predictions after their mean error has been taken away. Where y
/// is constant: 1 if p − y is constant too, else 0.
template <Numbers P, Numbers Y>
double explained_variance(const P& predicted, const Y& y,
                          const metrics::SampleWeights& sample_weights = {}) {
  const auto samples = metrics::counted("explained_variance", predicted, y, sample_weights);
  using Reals = Vector<core::DoubleFor<P>>;
  const Reals& p = samples.predicted;
  const Reals& weights = samples.weights;
  const Reals shares = weights / samples.total;
  const auto variance = [&](const Reals& v) {
    if (v.minCoeff() == v.maxCoeff()) return 0.0;  // whatever rounding makes of its mean
    const double mean = shares.dot(v);
    return shares.dot((v.array() - mean).square().matrix());
  };
  const double left = variance(samples.y - p);
  const double all = variance(samples.y);
  if (all == 0) return left == 0 ? 1 : 0;
  return 1 - left / all;
}

}  // namespace linea
