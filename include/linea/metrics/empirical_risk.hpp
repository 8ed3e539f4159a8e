// SPDX-License-Identifier: MIT
#pragma once
/// \file Empirical risk, the mean loss over samples, and the whole objective F.
#include <algorithm>  // min
#include <linea/core/objective.hpp>
#include <linea/metrics/counted.hpp>
#include <linea/rows/rows_of.hpp>
#include <linea/samples/risk.hpp>

namespace linea {

/// (1/S) Σᵢ sᵢ·loss(scoresᵢ, yᵢ) for scores (n), y (n) and weights (n) or none. Any loss, with a
/// derivative or without. Throws std::invalid_argument when sizes differ, n = 0, a score or target
/// is not a number, a weight is negative or not finite, or all are 0. Of samples that are divided
/// among processes it is the mean over all of them.
template <Loss L, Numbers P, Numbers Y>
[[nodiscard]] double empirical_risk(const L& loss, const P& scores, const Y& y,
                                    const metrics::SampleWeights& sample_weights = {},
                                    const Processes& processes = {}) {
  const auto samples = metrics::counted("empirical_risk", scores, y, sample_weights, processes);
  return samples.mean_of(
      [&](Index i) { return static_cast<double>(loss.value(samples.predicted[i], samples.y[i])); });
}

namespace metrics {

/// F of rows that are divided among processes, each given its own x, y and sample weights.
template <Loss L, Penalty P, Samples X, Numbers Y>
double shared_objective_value(const Objective<L, P>& objective, const X& x, const Y& y,
                              const Vector<scalar_t<X>>& weights, scalar_t<X> offset,
                              const Vector<scalar_t<X>>& sample_weights, Index threads,
                              const Processes& processes) {
  return processes.in_step([&] {
    const Vector<scalar_t<X>> targets = core::vector_of(y).template cast<scalar_t<X>>();
    require(x.rows() == targets.size(), "objective_value: x has ", x.rows(), " rows but y has ",
            targets.size());
    samples::require_one_shape("objective_value", x.rows(), x.cols(), processes);
    require(x.cols() == weights.size(), "objective_value: x has ", x.cols(),
            " columns but there are ", weights.size(), " weights");
    const Vector<scalar_t<X>> scaled =
        samples::admit_weights("objective_value", x.rows(), sample_weights, processes);
    require_threads("objective_value", threads);
    Workers workers(std::max<Index>(std::min(threads, x.rows() / samples::risk_block), 1));
    return samples::risk_of_rows(objective.loss, rows_of(x), targets, scaled, weights, offset,
                                 &workers, processes) +
           static_cast<double>(objective.penalty.value(weights));
  });
}

}  // namespace metrics

/// F(weights, offset) on x (n × d) and y (n), with sample_weights (n) or none: the same bits with
/// any number of threads. Throws std::invalid_argument when sizes differ, n = 0, a weight is
/// negative or not finite, all are 0, or for less than one thread or more than 1024. Where the rows
/// are divided among processes, F is that of all rows; the same weights and offset are given to all
/// processes.
template <Loss L, Penalty P, Samples X, Numbers Y>
[[nodiscard]] double objective_value(const Objective<L, P>& objective, const X& x, const Y& y,
                                     const Vector<scalar_t<X>>& weights, scalar_t<X> offset,
                                     const Vector<scalar_t<X>>& sample_weights = {},
                                     Index threads = 1, const Processes& processes = {}) {
  if (!processes.is_alone())
    return metrics::shared_objective_value(objective, x, y, weights, offset, sample_weights,
                                           threads, processes);
  const Vector<scalar_t<X>> targets = core::vector_of(y).template cast<scalar_t<X>>();
  require(x.rows() == targets.size(), "objective_value: x has ", x.rows(), " rows but y has ",
          targets.size());
  require(x.rows() > 0, "objective_value: x has no rows");
  require(x.cols() == weights.size(), "objective_value: x has ", x.cols(),
          " columns but there are ", weights.size(), " weights");
  metrics::weighed("objective_value", x.rows(), x.rows(), sample_weights);  // for its checks
  require_threads("objective_value", threads);
  Workers workers(std::min(threads, 1 + (x.rows() - 1) / samples::risk_block));
  return samples::risk_of_rows(objective.loss, rows_of(x), targets,
                               metrics::without_scale(sample_weights), weights, offset, &workers) +
         static_cast<double>(objective.penalty.value(weights));
}

}  // namespace linea
