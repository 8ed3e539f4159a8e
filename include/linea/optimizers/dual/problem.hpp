// SPDX-License-Identifier: MIT
#pragma once
/// \file What dual coordinate ascent maximises, behind virtual functions.
#include <linea/core/observer.hpp>
#include <linea/core/types.hpp>
#include <linea/samples/all_rows.hpp>
#include <linea/samples/best_constant.hpp>
#include <linea/samples/loss_blocks.hpp>
#include <linea/samples/row_blocks.hpp>
#include <linea/samples/training_set.hpp>

namespace linea::detail::dual {

/// The objective mean loss + λ/2·‖w‖², λ > 0, for rows, targets y (n) and sample weights (n) of
/// mean 1 or none. The samples are validated, and centred if the offset is free.
struct DualProblem {
  const samples::LossBlocks& loss;
  const samples::RowBlocks& rows;
  const Vector<double>&y, &weights;
  double lambda;
  bool has_offset;

  Index samples() const { return rows.rows(); }
  double weight(Index i) const { return weights.size() > 0 ? weights[i] : 1; }
};

/// Returns the scores of a point (n).
inline Vector<double> scores_at(const DualProblem& of, const Point<double>& point) {
  Vector<double> scores = samples::scores_of(of.rows, point.weights);
  for (double& score : scores) score += point.offset;
  return scores;
}

/// A loss and rows behind virtual functions.
template <class L, class Rows>
struct DualBlocks {
  samples::LossBlocksOf<L> loss_blocks;
  samples::RowBlocksOf<Rows> row_blocks;
  DualProblem problem;

  DualBlocks(const L& of, const samples::TrainingSet<Rows>& set, double lambda, bool has_offset)
      : loss_blocks(of), row_blocks(set.rows), problem{loss_blocks, row_blocks, set.y,
                                                       set.weights, lambda,     has_offset} {}
};

}  // namespace linea::detail::dual
