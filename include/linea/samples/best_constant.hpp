// SPDX-License-Identifier: MIT
#pragma once
/// \file The best model without features: a constant.
#include <algorithm>  // max, min
#include <cmath>      // abs
#include <limits>
#include <linea/core/loss.hpp>
#include <linea/core/loss_facts.hpp>
#include <linea/core/solution.hpp>
#include <linea/samples/risk.hpp>
#include <linea/samples/rows_at_zero.hpp>
#include <linea/samples/training_set.hpp>
#include <vector>

namespace linea::samples {

/// The offset that minimises the risk of the constant model w = 0, on at most 4096 evenly spaced
/// samples of a weight above 0: the mean for squared loss, a quantile, the log-odds. Bisection on
/// the derivative, which for a convex loss rises with b, from a bracket that is doubled until it
/// holds a minimum: of the size of the targets, however small, where the loss is of p − y. With one
/// class only there may be none; then 0.
template <DifferentiableLoss L, class Rows>
auto best_constant(const L& loss, const TrainingSet<Rows>& set) {
  using T = typename Rows::Scalar;
  const auto weight = [&](Index i) {
    return set.weights.size() ? static_cast<double>(set.weights[i]) : 1.0;
  };
  std::vector<Index> asked;
  double high = 1;
  if constexpr (is_residual_loss<L>) high = 0;
  for (Index i = 0; i < set.y.size(); ++i) {
    if (weight(i) == 0) continue;
    asked.push_back(i);
    high = std::max(high, std::abs(static_cast<double>(set.y[i])));
  }
  high = set.processes.largest(high);
  const Index count = set.processes.sum(static_cast<Index>(asked.size()));
  const auto stride = static_cast<std::size_t>((count + 4095) / 4096);
  const auto slope = [&](double b) {
    double sum = 0;
    for (std::size_t k = 0; k < asked.size(); k += stride)
      sum += weight(asked[k]) *
             static_cast<double>(loss.derivative(b, static_cast<double>(set.y[asked[k]])));
    return set.processes.sum(sum);
  };
  double low = -high;
  for (int doubling = 0; doubling < 6 && !(slope(low) <= 0 && slope(high) >= 0); ++doubling) {
    high = std::min(2 * high, std::numeric_limits<double>::max());
    low = -high;
  }
  if (!(slope(low) <= 0 && slope(high) >= 0)) return T(0);
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = 0.5 * low + 0.5 * high;  // their sum may overflow
    const double at_middle = slope(middle);
    if (at_middle == 0) return static_cast<T>(middle);
    (at_middle < 0 ? low : high) = middle;
  }
  return static_cast<T>(0.5 * low + 0.5 * high);
}

/// The best constant as a point: w = 0 (d) and b, 0 where it is not free, with the risk, which is
/// F there. x is not read.
template <DifferentiableLoss L, class Rows>
auto constant_point(const L& loss, const TrainingSet<Rows>& set, bool has_offset) {
  using T = typename Rows::Scalar;
  Point<T> point{Vector<T>::Zero(set.rows.cols()), has_offset ? best_constant(loss, set) : T(0)};
  point.objective = risk_of_rows(loss, RowsAtZero<Rows>{set.rows}, set.y, set.weights,
                                 point.weights, point.offset, nullptr, set.processes);
  return point;
}

}  // namespace linea::samples
