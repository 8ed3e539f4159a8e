// SPDX-License-Identifier: MIT
#pragma once
/// \file Empirical risk, the mean loss over samples, and the whole objective F.
#include <algorithm>  // min
#include <linea/core/objective.hpp>
#include <linea/core/types.hpp>
#include <linea/metrics/scores.hpp>
#include <linea/rows/rows_of.hpp>

namespace linea {

/// (1/S) Σᵢ sᵢ·loss(⟨w, xᵢ⟩ + b, yᵢ) over rows that have passed the door; sample_weights empty: all 1.
/// Summed in double. One pass, no memory beyond a block of scores.
template <Loss L, class Rows, class T>
double risk_of_rows(const L& loss, const Rows& rows, const Vector<T>& y,
                    const Vector<T>& sample_weights, const Vector<T>& weights, T offset) {
  constexpr Index block = 256;
  Vector<T> scores(block);
  double sum = 0;
  double total = 0;
  for (Index first = 0; first < rows.rows(); first += block) {
    const Index count = std::min(block, rows.rows() - first);
    rows.scores(first, count, weights, scores);
    double block_sum = 0;
    for (Index k = 0; k < count; ++k) {
      const double s = sample_weights.size() ? static_cast<double>(sample_weights[first + k]) : 1.0;
      block_sum += s * static_cast<double>(loss.value(scores[k] + offset, y[first + k]));
      total += s;
    }
    sum += block_sum;
  }
  return sum / total;
}

/// (1/S) Σᵢ sᵢ·loss(scoresᵢ, yᵢ) for scores (n), y (n) and weights (n) or none. Any loss, with a
/// derivative or without. Throws std::invalid_argument when sizes differ, n = 0, a weight is negative
/// or not finite, or all are 0.
template <Loss L, VectorLike P, VectorLike Y>
double empirical_risk(const L& loss, const P& scores, const Y& y,
                      const Eigen::VectorXd& sample_weights = {}) {
  const Eigen::VectorXd p = doubles_of(scores);
  const Eigen::VectorXd t = doubles_of(y);
  return weighted_mean("empirical_risk", p.size(), t.size(), sample_weights,
                       [&](Index i) { return loss.value(p[i], t[i]); });
}

/// F(weights, offset) on x (n × d) and y (n), with sample_weights (n) or none.
/// Throws std::invalid_argument when sizes differ, n = 0, a weight is negative or not finite, or all
/// are 0.
template <Loss L, Penalty P, Samples X, VectorLike Y>
double objective_value(const Objective<L, P>& objective, const X& x, const Y& y,
                       const Vector<scalar_t<X>>& weights, scalar_t<X> offset,
                       const Vector<scalar_t<X>>& sample_weights = {}) {
  require(x.rows() == y.size(), "objective_value: x has ", x.rows(), " rows but y has ", y.size());
  require(x.rows() > 0, "objective_value: x has no rows");
  require(x.cols() == weights.size(), "objective_value: x has ", x.cols(),
          " columns but there are ", weights.size(), " weights");
  weighted_mean("objective_value", y.size(), y.size(), doubles_of(sample_weights),
                [](Index) { return 0.0; });  // for its checks
  const Vector<scalar_t<X>> targets = y.template cast<scalar_t<X>>();
  return risk_of_rows(objective.loss, rows_of(x), targets, sample_weights, weights, offset) +
         static_cast<double>(objective.penalty.value(weights));
}

}  // namespace linea
