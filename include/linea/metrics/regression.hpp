// SPDX-License-Identifier: MIT
#pragma once
/// \file How far predicted numbers are from the true ones.
#include <cmath>  // abs
#include <linea/metrics/scores.hpp>

namespace linea {

/// The mean of (p − y)², without the ½ of the loss Squared. In the square of y's unit.
template <VectorLike P, VectorLike Y>
double mean_squared_error(const P& predicted, const Y& y,
                          const Eigen::VectorXd& sample_weights = {}) {
  return weighted_mean(
      "mean_squared_error", predicted.size(), y.size(), sample_weights, [&](Index i) {
        const double residual = static_cast<double>(predicted[i]) - static_cast<double>(y[i]);
        return residual * residual;
      });
}

/// The mean of |p − y|, in y's unit.
template <VectorLike P, VectorLike Y>
double mean_absolute_error(const P& predicted, const Y& y,
                           const Eigen::VectorXd& sample_weights = {}) {
  return weighted_mean(
      "mean_absolute_error", predicted.size(), y.size(), sample_weights, [&](Index i) {
        return std::abs(static_cast<double>(predicted[i]) - static_cast<double>(y[i]));
      });
}

/// R² = 1 − Σ(p − y)²/Σ(y − ȳ)², the share of the variance that is explained: 1 at best, 0 for the
/// mean, below 0 for worse. Where y is constant: 1 if every prediction is right, else 0.
template <VectorLike P, VectorLike Y>
double r2(const P& predicted, const Y& y, const Eigen::VectorXd& sample_weights = {}) {
  const double residual = mean_squared_error(predicted, y, sample_weights);
  const auto target = [&](Index i) { return static_cast<double>(y[i]); };
  const double mean = weighted_mean("r2", y.size(), y.size(), sample_weights, target);
  const double variance = weighted_mean("r2", y.size(), y.size(), sample_weights, [&](Index i) {
    return (target(i) - mean) * (target(i) - mean);
  });
  if (variance > 0) return 1 - residual / variance;
  return residual > 0 ? 0 : 1;
}

}  // namespace linea
