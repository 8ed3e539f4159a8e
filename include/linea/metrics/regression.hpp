// SPDX-License-Identifier: MIT
#pragma once
/// \file How far predicted numbers are from the true ones.
#include <algorithm>  // max, min
#include <cmath>      // abs, frexp, isfinite, isinf, ldexp, sqrt
#include <limits>
#include <linea/metrics/counted.hpp>
#include <string_view>
#include <vector>

namespace linea {

namespace metrics {

/// value·2^exponent, which a double may be too narrow for.
struct Scaled {
  double value{0};
  int exponent{0};
};

/// Σ sᵢ|vᵢ|^power, power 1 or 2, of v (m) over 2^exponent; none of its parts overflows.
inline Scaled sum_of_powers(int power, const Counted& samples, const Vector<double>& v,
                            int exponent) {
  double largest = 0;
  for (const double one : v) largest = std::max(largest, std::abs(one));
  if (!std::isfinite(largest)) return {std::numeric_limits<double>::infinity(), 0};
  int own = 0;
  std::frexp(largest, &own);
  double sum = 0;
  for (Index i = 0; i < v.size(); ++i) {
    const double one = std::abs(std::ldexp(v[i], -own));
    sum += samples.weights[i] * (power == 2 ? one * one : one);
  }
  return {sum, power * (own + exponent)};
}

/// Σ sᵢ(vᵢ − v̄)² for the mean v̄ by weight. Exactly 0 for numbers that are all the same, though
/// rounding may leave them another mean: so that is tested.
inline Scaled sum_of_deviations(const Counted& samples, Vector<double> v, int exponent) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const double one : v) {
    low = std::min(low, one);
    high = std::max(high, one);
  }
  if (low == high && std::isfinite(low)) return {};
  const double mean = samples.mean_of([&](Index i) { return v[i]; });
  if (std::isfinite(mean))
    for (double& one : v) one -= mean;
  return sum_of_powers(2, samples, v, exponent);
}

/// Predicted numbers p and true ones y, with their differences.
struct Errors {
  Counted samples;
  Vector<double> differences;  ///< p − y over 2^exponent, so that none overflows (m)
  int exponent{0};

  /// y over 2^exponent.
  Vector<double> targets() const {
    Vector<double> scaled = samples.y;
    for (double& one : scaled) one = std::ldexp(one, -exponent);
    return scaled;
  }
  /// The sum of |p − y|^power by weight: over 2^exponent of the weights, as it is, and their mean.
  Scaled scaled_sum(int power) const {
    return sum_of_powers(power, samples, differences, exponent);
  }
  double sum(int power) const {
    const Scaled all = scaled_sum(power);
    return std::ldexp(all.value, all.exponent + samples.exponent);
  }
  double mean(int power) const {
    const Scaled all = scaled_sum(power);
    return std::ldexp(all.value / samples.total, all.exponent);
  }
};

/// Throws std::invalid_argument as counted does, and for a target that is not finite.
template <Numbers P, Numbers Y>
Errors errors_of(std::string_view metric, const P& predicted, const Y& y,
                 const SampleWeights& sample_weights) {
  Errors errors{counted(metric, predicted, y, sample_weights), {}, 0};
  const Counted& samples = errors.samples;
  double largest = 0;
  for (Index i = 0; i < samples.size(); ++i) {
    require(std::isfinite(samples.y[i]), metric, ": y(", samples.row(i), ") is not finite");
    largest = std::max({largest, std::abs(samples.y[i]), std::abs(samples.predicted[i])});
  }
  if (largest >= 0x1p1022) errors.exponent = 2;
  const double unit = std::ldexp(1.0, -errors.exponent);
  errors.differences.resize(samples.size());
  for (Index i = 0; i < samples.size(); ++i)
    errors.differences[i] = samples.predicted[i] * unit - samples.y[i] * unit;
  return errors;
}

/// 1 − left/all; where all is 0, 1 if nothing is left, else 0.
inline double explained(const Scaled& left, const Scaled& all) {
  if (all.value == 0) return left.value == 0 ? 1 : 0;
  return 1 - std::ldexp(left.value / all.value, left.exponent - all.exponent);
}

}  // namespace metrics

/// The mean of (p − y)², without the ½ of the loss Squared. In the square of y's unit. Throws
/// std::invalid_argument for sizes that differ, no samples, a prediction that is not a number, a
/// target that is not finite, and wrong weights, as do all functions of this page.
template <Numbers P, Numbers Y>
[[nodiscard]] double mean_squared_error(const P& predicted, const Y& y,
                                        const metrics::SampleWeights& sample_weights = {}) {
  return metrics::errors_of("mean_squared_error", predicted, y, sample_weights).mean(2);
}

/// The square root of the mean squared error, in y's unit.
template <Numbers P, Numbers Y>
[[nodiscard]] double root_mean_squared_error(const P& predicted, const Y& y,
                                             const metrics::SampleWeights& sample_weights = {}) {
  const auto errors = metrics::errors_of("root_mean_squared_error", predicted, y, sample_weights);
  const metrics::Scaled sum = errors.scaled_sum(2);
  return std::ldexp(std::sqrt(sum.value / errors.samples.total), sum.exponent / 2);
}

/// Σᵢ sᵢ·(pᵢ − yᵢ)²: grows with the number of samples.
template <Numbers P, Numbers Y>
[[nodiscard]] double sum_of_squared_errors(const P& predicted, const Y& y,
                                           const metrics::SampleWeights& sample_weights = {}) {
  return metrics::errors_of("sum_of_squared_errors", predicted, y, sample_weights).sum(2);
}

/// The mean of |p − y|, in y's unit.
template <Numbers P, Numbers Y>
[[nodiscard]] double mean_absolute_error(const P& predicted, const Y& y,
                                         const metrics::SampleWeights& sample_weights = {}) {
  return metrics::errors_of("mean_absolute_error", predicted, y, sample_weights).mean(1);
}

/// Σᵢ sᵢ·|pᵢ − yᵢ|: grows with the number of samples.
template <Numbers P, Numbers Y>
[[nodiscard]] double sum_of_absolute_errors(const P& predicted, const Y& y,
                                            const metrics::SampleWeights& sample_weights = {}) {
  return metrics::errors_of("sum_of_absolute_errors", predicted, y, sample_weights).sum(1);
}

/// R² = 1 − Σ(p − y)²/Σ(y − ȳ)², the fraction of the variance that is explained: 1 at best, 0 for
/// the mean, below 0 for worse. Where y is constant: 1 if every prediction is right, else 0.
template <Numbers P, Numbers Y>
[[nodiscard]] double r2(const P& predicted, const Y& y,
                        const metrics::SampleWeights& sample_weights = {}) {
  const auto errors = metrics::errors_of("r2", predicted, y, sample_weights);
  const metrics::Scaled all =
      metrics::sum_of_deviations(errors.samples, errors.targets(), errors.exponent);
  return metrics::explained(errors.scaled_sum(2), all);
}

/// The median of |p − y|, in y's unit: half of the weight has an error of at most this. Where
/// exactly half of it is at most some error, the mean of that and the next, so that weight k is k
/// repeats. Cost: O(n·log n).
template <Numbers P, Numbers Y>
[[nodiscard]] double median_absolute_error(const P& predicted, const Y& y,
                                           const metrics::SampleWeights& sample_weights = {}) {
  const auto found = metrics::errors_of("median_absolute_error", predicted, y, sample_weights);
  const auto& samples = found.samples;
  Vector<double> errors = found.differences;
  for (double& one : errors) one = std::ldexp(std::abs(one), found.exponent);
  const std::vector<Index> order = metrics::order_of(errors);
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
