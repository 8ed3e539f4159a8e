// SPDX-License-Identifier: MIT
#pragma once
/// \file The best model without features: a constant.
#include <algorithm>  // max
#include <linea/core/loss.hpp>
#include <linea/samples/training_set.hpp>

namespace linea::samples {

/// The offset that minimises the risk of the constant model w = 0, on at most 4096 evenly spaced
/// samples: the mean for squared loss, a quantile, the log-odds. Bisection on the derivative, which
/// for a convex loss rises with b, from a bracket that is doubled until it holds a minimum. With
/// one class only there may be none; then 0.
template <DifferentiableLoss L, class Rows>
auto best_constant(const L& loss, const TrainingSet<Rows>& set) {
  using T = typename Rows::Scalar;
  const Index n = set.y.size();
  const Index stride = (n + 4095) / 4096;
  const auto slope = [&](double b) {
    double sum = 0;
    for (Index i = 0; i < n; i += stride)
      sum += (set.weights.size() ? static_cast<double>(set.weights[i]) : 1.0) *
             static_cast<double>(loss.derivative(b, static_cast<double>(set.y[i])));
    return sum;
  };
  double high = std::max(1.0, static_cast<double>(set.y.cwiseAbs().maxCoeff()));
  double low = -high;
  for (int doubling = 0; doubling < 6 && !(slope(low) <= 0 && slope(high) >= 0); ++doubling) {
    low *= 2;
    high *= 2;
  }
  if (!(slope(low) <= 0 && slope(high) >= 0)) return T(0);
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = 0.5 * (low + high);
    const double at_middle = slope(middle);
    if (at_middle == 0) return static_cast<T>(middle);
    (at_middle < 0 ? low : high) = middle;
  }
  return static_cast<T>(0.5 * (low + high));
}

}  // namespace linea::samples
