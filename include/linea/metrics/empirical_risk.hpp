// SPDX-License-Identifier: MIT
#pragma once
/// \file Empirical risk, the mean loss over samples, and the whole objective F.
#include <algorithm>  // min
#include <linea/core/objective.hpp>
#include <linea/core/types.hpp>
#include <linea/core/workers.hpp>
#include <linea/metrics/scores.hpp>
#include <linea/rows/rows_of.hpp>
#include <vector>

namespace linea {

/// (1/S) Σᵢ sᵢ·loss(⟨w, xᵢ⟩ + b, yᵢ) over rows that have passed the door; sample_weights empty: all 1.
/// Summed in double, block by block: the same bits with workers, whatever their number, and without. One pass, no
/// memory beyond the blocks' sums and scores.
template <Loss L, class Rows, class T>
double risk_of_rows(const L& loss, const Rows& rows, const Vector<T>& y,
                    const Vector<T>& sample_weights, const Vector<T>& weights, T offset,
                    Workers* workers = nullptr) {
  constexpr Index block = 4096;
  constexpr Index scored = Rows::is_packed ? 256 : block;  // at once: columns want long stretches
  struct Sums {
    double losses{0};
    double weights{0};
  };
  const Index blocks = (rows.rows() + block - 1) / block;
  std::vector<Sums> sums(static_cast<std::size_t>(blocks));
  const auto evaluate = [&](Index share, Index shares) {
    const auto [first_block, last_block] = share_of(blocks, share, shares);
    const Index last = std::min(last_block * block, rows.rows());
    Vector<T> scores(scored);
    for (Index first = first_block * block; first < last; first += scored) {
      const Index count = std::min(scored, last - first);
      rows.scores(first, count, weights, scores);
      Sums part;
      for (Index k = 0; k < count; ++k) {
        const double s =
            sample_weights.size() ? static_cast<double>(sample_weights[first + k]) : 1.0;
        part.losses += s * static_cast<double>(loss.value(scores[k] + offset, y[first + k]));
        part.weights += s;
      }
      auto& sum = sums[static_cast<std::size_t>(first / block)];
      sum.losses += part.losses;
      sum.weights += part.weights;
    }
  };
  if (workers)
    workers->run([&](Index k) { evaluate(k, workers->count()); });
  else
    evaluate(0, 1);
  Sums all;
  for (const auto& sum : sums) {
    all.losses += sum.losses;
    all.weights += sum.weights;
  }
  return all.losses / all.weights;
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
