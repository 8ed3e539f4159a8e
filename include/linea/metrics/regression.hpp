// SPDX-License-Identifier: MIT
#pragma once
/// \file Metrics of predicted numbers.
#include <algorithm>  // max
#include <cmath>      // abs, frexp, isfinite, isinf, ldexp, sqrt
#include <linea/metrics/counted.hpp>
#include <string_view>
#include <vector>

namespace linea {

namespace detail {

/// Samples with predictions p and targets y. `targets` and `differences` are divided by 2^exponent,
/// so that no square of a finite number overflows.
struct Errors {
  Counted samples;
  Vector<double> targets;      ///< y (m)
  Vector<double> differences;  ///< p − y (m)
  int exponent{0};

  /// Returns Σ sᵢ|vᵢ|^power for v (m); power is 1 or 2.
  double sum(int power, const Vector<double>& v) const {
    double sum = 0;
    for (Index i = 0; i < v.size(); ++i)
      sum += samples.weights[i] * (power == 2 ? v[i] * v[i] : std::abs(v[i]));
    return sum;
  }
  /// The next two functions return Σ sᵢ|pᵢ − yᵢ|^power, and the weighted mean of |pᵢ − yᵢ|^power.
  double sum(int power) const {
    return std::ldexp(sum(power, differences), power * exponent + samples.exponent);
  }
  double mean(int power) const {
    return std::ldexp(sum(power, differences) / samples.total, power * exponent);
  }

  /// Returns Σ sᵢ(vᵢ − v̄)² with the weighted mean v̄. If all vᵢ are equal and finite, the result
  /// is exactly 0; the function tests this first, because rounding may move the mean.
  double deviations(Vector<double> v) const {
    bool are_equal = std::isfinite(v[0]);
    for (const double one : v) are_equal = are_equal && one == v[0];
    if (are_equal) return 0;
    const double mean = samples.mean_of([&](Index i) { return v[i]; });
    for (double& one : v) one -= std::isfinite(mean) ? mean : 0;
    return sum(2, v);
  }

  /// Returns 1 − left/Σ sᵢ(yᵢ − ȳ)². If y is constant, returns 1 for left = 0, else 0.
  double explained(double left) const {
    const double all = deviations(targets);
    if (all == 0) return left == 0 ? 1 : 0;
    return 1 - left / all;
  }
};

/// Validates as `counted` does. Also throws std::invalid_argument for a target that is not finite.
template <Numbers P, Numbers Y>
Errors errors_of(std::string_view metric, const P& predicted, const Y& y,
                 const SampleWeights& sample_weights) {
  Errors errors{counted(metric, predicted, y, sample_weights), {}, {}};
  const Counted& samples = errors.samples;
  double largest = 0;
  for (Index i = 0; i < samples.size(); ++i) {
    require(std::isfinite(samples.y[i]), metric, ": y(", samples.row(i), ") is not finite");
    largest = std::max({largest, std::abs(samples.y[i]), std::abs(samples.predicted[i])});
  }
  if (std::isfinite(largest)) std::frexp(largest, &errors.exponent);
  errors.targets.resize(samples.size());
  errors.differences.resize(samples.size());
  for (Index i = 0; i < samples.size(); ++i) {
    errors.targets[i] = std::ldexp(samples.y[i], -errors.exponent);
    errors.differences[i] = std::ldexp(samples.predicted[i], -errors.exponent) - errors.targets[i];
  }
  return errors;
}

}  // namespace detail

/// Returns the mean of (p − y)², in the square of y's unit, without the factor ½ of the loss
/// Squared. Like all functions of this header, it throws std::invalid_argument if sizes differ,
/// there are no samples, a prediction is NaN, a target is not finite, or a weight is not valid.
template <Numbers P, Numbers Y>
[[nodiscard]] double mean_squared_error(const P& predicted, const Y& y,
                                        const detail::SampleWeights& sample_weights = {}) {
  return detail::errors_of("mean_squared_error", predicted, y, sample_weights).mean(2);
}

/// Returns the square root of the mean squared error, in y's unit.
template <Numbers P, Numbers Y>
[[nodiscard]] double root_mean_squared_error(const P& predicted, const Y& y,
                                             const detail::SampleWeights& sample_weights = {}) {
  const auto errors = detail::errors_of("root_mean_squared_error", predicted, y, sample_weights);
  return std::ldexp(std::sqrt(errors.sum(2, errors.differences) / errors.samples.total),
                    errors.exponent);
}

/// Returns Σᵢ sᵢ·(pᵢ − yᵢ)², which grows with the number of samples.
template <Numbers P, Numbers Y>
[[nodiscard]] double sum_of_squared_errors(const P& predicted, const Y& y,
                                           const detail::SampleWeights& sample_weights = {}) {
  return detail::errors_of("sum_of_squared_errors", predicted, y, sample_weights).sum(2);
}

/// Returns the mean of |p − y|, in y's unit.
template <Numbers P, Numbers Y>
[[nodiscard]] double mean_absolute_error(const P& predicted, const Y& y,
                                         const detail::SampleWeights& sample_weights = {}) {
  return detail::errors_of("mean_absolute_error", predicted, y, sample_weights).mean(1);
}

/// Returns Σᵢ sᵢ·|pᵢ − yᵢ|, which grows with the number of samples.
template <Numbers P, Numbers Y>
[[nodiscard]] double sum_of_absolute_errors(const P& predicted, const Y& y,
                                            const detail::SampleWeights& sample_weights = {}) {
  return detail::errors_of("sum_of_absolute_errors", predicted, y, sample_weights).sum(1);
}

/// Returns R² = 1 − Σ(p − y)²/Σ(y − ȳ)², the fraction of explained variance: 1 at best, 0 for
/// predicting the mean, and negative for worse predictions. If y is constant, R² is 1 for exact
/// predictions, else 0.
template <Numbers P, Numbers Y>
[[nodiscard]] double r2(const P& predicted, const Y& y,
                        const detail::SampleWeights& sample_weights = {}) {
  const auto errors = detail::errors_of("r2", predicted, y, sample_weights);
  return errors.explained(errors.sum(2, errors.differences));
}

/// Returns the weighted median of |p − y|, in y's unit: samples of at least half the total weight
/// have at most this error. If the samples with errors up to some value have exactly half the
/// weight, the result is the mean of this value and the next larger error. So weight k equals k
/// repeats. O(n·log n).
template <Numbers P, Numbers Y>
[[nodiscard]] double median_absolute_error(const P& predicted, const Y& y,
                                           const detail::SampleWeights& sample_weights = {}) {
  const auto found = detail::errors_of("median_absolute_error", predicted, y, sample_weights);
  const auto& samples = found.samples;
  Vector<double> errors = found.differences;
  for (double& one : errors) one = std::ldexp(std::abs(one), found.exponent);
  const std::vector<Index> order = detail::order_of(errors);
  double below = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    below += samples.weights[order[i]];
    if (2 * below < samples.total) continue;
    const double error = errors[order[i]];
    if (2 * below > samples.total || i + 1 == order.size()) return error;
    const double next = errors[order[i + 1]];
    return error == next ? error : error + (next - error) / 2;  // both may be infinite
  }
  return errors[order.back()];
}

/// Returns the mean of |p − y|/|y|; 0.1 means ten percent. Throws std::invalid_argument if a sample
/// of positive weight has y = 0.
template <Numbers P, Numbers Y>
[[nodiscard]] double mean_absolute_percentage_error(
    const P& predicted, const Y& y, const detail::SampleWeights& sample_weights = {}) {
  const auto errors =
      detail::errors_of("mean_absolute_percentage_error", predicted, y, sample_weights);
  const auto& samples = errors.samples;
  for (Index i = 0; i < samples.size(); ++i)
    require(samples.y[i] != 0, "mean_absolute_percentage_error: y(", samples.row(i), ") is 0");
  return samples.mean_of([&](Index i) {
    const double p = samples.predicted[i];
    const double y_i = samples.y[i];
    const double error = p - y_i;
    if (std::isinf(error) && std::isfinite(p))
      return std::abs(p / y_i - 1);  // p − y overflowed, so p and y differ in sign
    return std::abs(error) / std::abs(y_i);
  });
}

/// Returns 1 − Var(y − p)/Var(y): r2 after the mean error is subtracted from the predictions. If y
/// is constant, the result is 1 for constant p − y, else 0.
template <Numbers P, Numbers Y>
[[nodiscard]] double explained_variance(const P& predicted, const Y& y,
                                        const detail::SampleWeights& sample_weights = {}) {
  const auto errors = detail::errors_of("explained_variance", predicted, y, sample_weights);
  return errors.explained(errors.deviations(errors.differences));
}

}  // namespace linea
