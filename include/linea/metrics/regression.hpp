// SPDX-License-Identifier: MIT
#pragma once
/// \file How far predicted numbers are from the true ones.
#include <algorithm>  // max, min
#include <cmath>      // abs
#include <limits>
#include <linea/metrics/scores.hpp>

namespace linea {

/// The mean of (p − y)², without the ½ of the loss Squared. In the square of y's unit.
template <VectorLike P, VectorLike Y>
double mean_squared_error(const P& predicted, const Y& y,
                          const Eigen::VectorXd& sample_weights = {}) {
  const Eigen::VectorXd p = doubles_of(predicted);
  const Eigen::VectorXd t = doubles_of(y);
  return weighted_mean("mean_squared_error", p.size(), t.size(), sample_weights,
                       [&](Index i) { return (p[i] - t[i]) * (p[i] - t[i]); });
}

/// The mean of |p − y|, in y's unit.
template <VectorLike P, VectorLike Y>
double mean_absolute_error(const P& predicted, const Y& y,
                           const Eigen::VectorXd& sample_weights = {}) {
  const Eigen::VectorXd p = doubles_of(predicted);
  const Eigen::VectorXd t = doubles_of(y);
  return weighted_mean("mean_absolute_error", p.size(), t.size(), sample_weights,
                       [&](Index i) { return std::abs(p[i] - t[i]); });
}

/// R² = 1 − Σ(p − y)²/Σ(y − ȳ)², the share of the variance that is explained: 1 at best, 0 for the
/// mean, below 0 for worse. Where y is constant: 1 if every prediction is right, else 0.
template <VectorLike P, VectorLike Y>
double r2(const P& predicted, const Y& y, const Eigen::VectorXd& sample_weights = {}) {
  const Eigen::VectorXd p = doubles_of(predicted);
  const Eigen::VectorXd t = doubles_of(y);
  const auto mean_of = [&](auto&& f) {
    return weighted_mean("r2", p.size(), t.size(), sample_weights, f);
  };
  const double residual = mean_of([&](Index i) { return (p[i] - t[i]) * (p[i] - t[i]); });
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  const double mean = mean_of([&](Index i) {
    low = std::min(low, t[i]);
    high = std::max(high, t[i]);
    return t[i];
  });
  // The variance of a constant is not always 0 once rounded, so it is not asked.
  if (low == high) return residual > 0 ? 0 : 1 - residual;
  return 1 - residual / mean_of([&](Index i) { return (t[i] - mean) * (t[i] - mean); });
}

}  // namespace linea
