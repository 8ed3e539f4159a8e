// SPDX-License-Identifier: MIT
#pragma once
/// \file From what a LossSearch finds to weights and news of the run.
#include <algorithm>  // max
#include <limits>
#include <linea/core/observer.hpp>
#include <linea/core/point.hpp>
#include <linea/optimizers/programs/loss_search.hpp>
#include <linea/optimizers/programs/row_space.hpp>

namespace linea::programs {

/// The w and b of the centred samples for q (r + m) and `parts`, sᵢαᵢ/S (n); `dual_sum` (d) becomes
/// Σᵢ sᵢαᵢxᵢ/S.
template <class Rows>
Point<double> point_of(const RowSpace<Rows>& space, const LossProgram<double>& program,
                       const Vector<double>& q, Vector<double> parts, double l2,
                       Vector<double>& dual_sum) {
  Vector<double> v(program.rank());
  for (Index j = 0; j < v.size(); ++j) v[j] = q[j] / program.scale(j);
  dual_sum = space.sum(parts);
  for (double& part : parts) part = l2 > 0 ? part / l2 : 0;
  return {space.weights(v, parts), program.has_offset() ? q[program.rank()] : 0, 0};
}

/// What an observer is told of the best that `look` has seen, but for the weights. `count` is n.
template <class Real>
Progress progress_of(const LossSearch<Real>& search, Index iteration, double count) {
  Progress progress;
  progress.epoch = progress.updates = iteration;
  progress.objective = progress.best_objective = search.seen_value() / count;
  progress.gap = std::max(search.seen_value() - search.seen_bound(), 0.0) / count;
  return progress;
}

/// How large the terms of `dual_sum` (d) can be for multipliers of mean square 1. Of coordinates
/// that are not the columns of x the search has seen the conditions; a column that others make up
/// has no condition of its own.
template <class Rows>
Vector<double> term_scales(const RowSpace<Rows>& space, const LossProgram<double>& program,
                           double l2, Index columns) {
  Vector<double> scales =
      numerics::constant(columns, l2 > 0 ? 0 : std::numeric_limits<double>::infinity());
  if (space.is_rotated()) return scales;
  for (Index j = 0; j < columns; ++j)
    if (!program.is_dropped(j)) scales[j] = program.scale(j);
  return scales;
}

}  // namespace linea::programs
