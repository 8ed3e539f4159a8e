// SPDX-License-Identifier: MIT
#pragma once
/// \file A run of Newton's method or L-BFGS, from the arguments of `minimize` to the solution.
#include <linea/core/extras.hpp>
#include <linea/core/objective.hpp>
#include <linea/core/penalty.hpp>
#include <linea/core/solution.hpp>
#include <linea/core/workers.hpp>
#include <linea/optimizers/newton/objective.hpp>
#include <linea/optimizers/solver/solve.hpp>
#include <linea/samples/all_rows.hpp>
#include <linea/samples/frame.hpp>
#include <linea/samples/loss_blocks.hpp>
#include <linea/samples/present_columns.hpp>
#include <linea/samples/row_blocks.hpp>
#include <string_view>

namespace linea::detail::newton {

/// Validates the arguments of an optimizer, and returns the solution of Method(samples, penalty,
/// start, offset, threads, arguments…). Centres the samples if the offset is free.
template <class Method, class L, class P, class X, class Y, class T, class... A>
Solution<T> minimize_smooth(std::string_view function, std::string_view name,
                            const solver::Limits& limits, bool offset, Index threads,
                            const Objective<L, P>& objective, const X& x, const Y& y,
                            const Extras<T>& given, const A&... arguments) {
  return samples::together(x, given, [&](const Extras<T>& extras) {
    require_threads(function, threads);
    auto set = solver::validate(function, objective, limits, x, y, extras);
    const auto start = solver::start_of(function, extras, x.cols(), offset);
    const SquaredTerm penalty = squared_term_of(objective.penalty, x.cols());
    if (penalty.factors.size() == 0 && start.weights.size() == 0)
      samples::keep_present_columns(set);
    const samples::Frame<> frame(objective.loss, set, offset);
    const samples::RowBlocksOf rows(set.rows);
    const samples::LossBlocksOf<L> loss(objective.loss);
    return solver::run<Method>(name, limits, extras,
                               SmoothSamples{loss, rows, set.y, set.weights, frame}, penalty, start,
                               offset, threads, arguments...);
  });
}

#define LINEA_SMOOTH_ARGUMENTS                                                                 \
  const detail::newton::SmoothSamples&, const SquaredTerm&, const Point<double>&, const bool&, \
      const Index&

}  // namespace linea::detail::newton
