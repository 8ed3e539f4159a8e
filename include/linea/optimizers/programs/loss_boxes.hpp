// SPDX-License-Identifier: MIT
#pragma once
/// \file From a loss, its targets and a penalty to what a LossProgram is made of.
#include <linea/core/penalty.hpp>
#include <linea/optimizers/programs/loss_program.hpp>

namespace linea::programs {

/// The boxes of all targets y (n), of a BoxLoss.
template <class L>
Boxes boxes_of(const L& loss, const Vector<double>& y) {
  Boxes boxes;
  for (Index i = 0; i < y.size(); ++i) {
    const auto pieces = loss.dual_boxes(y[i]);
    boxes.pieces = static_cast<Index>(pieces.size());
    for (const DualBox& box : pieces) boxes.boxes.push_back(box);
  }
  return boxes;
}

/// l1 and l2 of the penalty l1·‖w‖₁ + l2/2·‖w‖².
struct PenaltyParts {
  double l1;
  double l2;
};
template <class P>
PenaltyParts parts_of(const P& penalty) {
  double l1 = 0;
  if constexpr (ThresholdPenalty<P>) l1 = penalty.threshold(1.0);
  return {l1, strong_convexity_of(penalty)};
}

}  // namespace linea::programs
