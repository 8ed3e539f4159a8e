// SPDX-License-Identifier: MIT
#pragma once
/// \file Empirical risk (the mean loss over samples), and the objective F.
#include <algorithm>  // max, min
#include <linea/core/objective.hpp>
#include <linea/core/parameters.hpp>
#include <linea/core/solution.hpp>
#include <linea/metrics/counted.hpp>
#include <linea/rows/rows_of.hpp>
#include <linea/samples/risk.hpp>

namespace linea {

/// Returns Σᵢ sᵢ·loss(scoresᵢ, yᵢ)/Σᵢ sᵢ for scores (n), y (n) and weights s (n), or all 1 if there
/// are none. Samples of weight 0 are ignored. The loss needs no derivative. Throws
/// std::invalid_argument if sizes differ, n = 0, a score or target is NaN, a weight is negative or
/// not finite, or all weights are 0.
template <Loss L, Numbers P, Numbers Y>
[[nodiscard]] double empirical_risk(const L& loss, const P& scores, const Y& y,
                                    const detail::SampleWeights& sample_weights = {}) {
  const auto samples = detail::counted("empirical_risk", scores, y, sample_weights);
  return samples.mean_of(
      [&](Index i) { return static_cast<double>(loss.value(samples.predicted[i], samples.y[i])); });
}

/// Returns F(weights, offset) for x (n × d) and y (n), with sample_weights (n) or none. The result
/// does not depend on the number of threads. Throws std::invalid_argument if sizes differ, n = 0,
/// the loss or the penalty has an invalid parameter, a weight is negative or not finite, all
/// weights are 0, or `threads` is not in [1, 1024].
template <Loss L, Penalty P, AnySamples X, Numbers Y>
[[nodiscard]] double objective_value(const Objective<L, P>& objective, const X& x, const Y& y,
                                     const Vector<scalar_t<X>>& weights, scalar_t<X> offset,
                                     const Vector<scalar_t<X>>& sample_weights = {},
                                     Index threads = 1) {
  constexpr std::string_view function = "objective_value";
  return detail::samples::together(x, [&] {
    const auto rows = detail::rows::valid_rows(function, x);
    const Vector<scalar_t<X>> targets = detail::vector_of(y).template cast<scalar_t<X>>();
    detail::require_targets(function, x.rows(), x.cols(), targets.size());
    require(detail::samples::count_of_all(rows) > 0, function, ": x has no rows");
    require(x.cols() == weights.size(), function, ": x has ", x.cols(), " columns but there are ",
            weights.size(), " weights");
    detail::require_valid(function, objective, x.cols());
    const auto weights_of_rows = detail::samples::admit_weights(function, x.rows(), sample_weights,
                                                                detail::samples::all_of(rows));
    require_threads(function, threads);
    Workers workers(std::max<Index>(std::min(threads, x.rows() / detail::samples::risk_block), 1));
    return detail::samples::risk_of_rows(objective.loss, rows, targets, weights_of_rows, weights,
                                         offset, &workers) +
           static_cast<double>(objective.penalty.value(weights));
  });
}

/// Returns F at the weights and offset of a solution or a linear model.
template <Loss L, Penalty P, AnySamples X, Numbers Y>
[[nodiscard]] double objective_value(const Objective<L, P>& objective,
                                     const Solution<scalar_t<X>>& solution, const X& x, const Y& y,
                                     const Vector<scalar_t<X>>& sample_weights = {},
                                     Index threads = 1) {
  return objective_value(objective, x, y, solution.weights, solution.offset, sample_weights,
                         threads);
}

}  // namespace linea
