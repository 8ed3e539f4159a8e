// SPDX-License-Identifier: MIT
#pragma once
/// \file How far predicted numbers are from the true ones. Means, and R², of samples that are
/// divided among processes are those of all of them.
#include <algorithm>  // max, min
#include <cmath>      // abs, sqrt
#include <limits>
#include <linea/metrics/weighted_mean.hpp>
#include <string_view>

namespace linea {

namespace metrics {

inline double squared_error(double p, double y) { return (p - y) * (p - y); }
inline double absolute_error(double p, double y) { return std::abs(p - y); }

template <Numbers P, Numbers Y, class Error>
double mean_error(std::string_view metric, const P& predicted, const Y& y,
                  const metrics::SampleWeights& sample_weights, Error&& error,
                  const Processes& processes) {
  const Vector<double> p = doubles_of(predicted);
  const Vector<double> t = doubles_of(y);
  return weighted_mean(
      metric, p.size(), t.size(), sample_weights, [&](Index i) { return error(p[i], t[i]); },
      processes);
}

template <Numbers P, Numbers Y, class Error>
double sum_of_errors(std::string_view metric, const P& predicted, const Y& y,
                     const metrics::SampleWeights& sample_weights, Error&& error) {
  const Vector<double> p = doubles_of(predicted);
  const Vector<double> t = doubles_of(y);
  double sum = 0;
  weighted_mean(metric, p.size(), t.size(), sample_weights, [&](Index i) {
    const double one = error(p[i], t[i]);
    sum += sample_weights.of(i) * one;
    return one;
  });
  return sum;
}

}  // namespace metrics

/// The mean of (p − y)², without the ½ of the loss Squared. In the square of y's unit.
template <Numbers P, Numbers Y>
double mean_squared_error(const P& predicted, const Y& y,
                          const metrics::SampleWeights& sample_weights = {},
                          const Processes& processes = {}) {
  return metrics::mean_error("mean_squared_error", predicted, y, sample_weights,
                             metrics::squared_error, processes);
}

/// The square root of the mean squared error, in y's unit.
template <Numbers P, Numbers Y>
double root_mean_squared_error(const P& predicted, const Y& y,
                               const metrics::SampleWeights& sample_weights = {},
                               const Processes& processes = {}) {
  return std::sqrt(metrics::mean_error("root_mean_squared_error", predicted, y, sample_weights,
                                       metrics::squared_error, processes));
}

/// Σᵢ sᵢ·(pᵢ − yᵢ)²: grows with the number of samples.
template <Numbers P, Numbers Y>
double sum_of_squared_errors(const P& predicted, const Y& y,
                             const metrics::SampleWeights& sample_weights = {}) {
  return metrics::sum_of_errors("sum_of_squared_errors", predicted, y, sample_weights,
                                metrics::squared_error);
}

/// The mean of |p − y|, in y's unit.
template <Numbers P, Numbers Y>
double mean_absolute_error(const P& predicted, const Y& y,
                           const metrics::SampleWeights& sample_weights = {},
                           const Processes& processes = {}) {
  return metrics::mean_error("mean_absolute_error", predicted, y, sample_weights,
                             metrics::absolute_error, processes);
}

/// Σᵢ sᵢ·|pᵢ − yᵢ|: grows with the number of samples.
template <Numbers P, Numbers Y>
double sum_of_absolute_errors(const P& predicted, const Y& y,
                              const metrics::SampleWeights& sample_weights = {}) {
  return metrics::sum_of_errors("sum_of_absolute_errors", predicted, y, sample_weights,
                                metrics::absolute_error);
}

/// R² = 1 − Σ(p − y)²/Σ(y − ȳ)², the fraction of the variance that is explained: 1 at best, 0 for
/// the mean, below 0 for worse. Where y is constant: 1 if every prediction is right, else 0.
template <Numbers P, Numbers Y>
double r2(const P& predicted, const Y& y, const metrics::SampleWeights& sample_weights = {},
          const Processes& processes = {}) {
  const Vector<double> p = metrics::doubles_of(predicted);
  const Vector<double> t = metrics::doubles_of(y);
  const auto mean_of = [&](auto&& f) {
    return metrics::weighted_mean("r2", p.size(), t.size(), sample_weights, f, processes);
  };
  const double residual = mean_of([&](Index i) { return metrics::squared_error(p[i], t[i]); });
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  const double mean = mean_of([&](Index i) {
    low = std::min(low, t[i]);
    high = std::max(high, t[i]);
    return t[i];
  });
  low = processes.smallest(low);
  high = processes.largest(high);
  // Rounding may leave a constant y with a variance above 0: so constancy is tested, not the
  // variance.
  if (low == high) return residual > 0 ? 0 : 1 - residual;
  return 1 - residual / mean_of([&](Index i) { return (t[i] - mean) * (t[i] - mean); });
}

}  // namespace linea
