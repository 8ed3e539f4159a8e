// SPDX-License-Identifier: MIT
#pragma once
/// \file The offset that is best for some weights.
#include <linea/optimizers/numerics/line_search.hpp>
#include <linea/optimizers/smooth/risk_of_scores.hpp>

namespace linea::smooth {

/// By what to move all scores (n) for the mean loss to be least, to rounding; `size` is about that
/// of the move or of the scores. Uses `at`.
template <class Risk>
double best_move(const Risk& risk, const Vector<core::DoubleFor<Risk>>& scores, double size,
                 typename Risk::Samplewise& at) {
  const auto fall = [&](double move) {
    risk.template evaluate<true>(scores.array() + move, at);
    return -at.slopes.sum();
  };
  fall(0);
  double move = 0;
  // Twice, as slopes far from the best move say little of how small they are to be.
  for (int round = 0; round < 2; ++round) {
    const double small = 1e-15 * at.slopes.cwiseAbs().sum();
    move = numerics::falling_root(fall, move, 1e-3 * size, small);
  }
  return move;
}

}  // namespace linea::smooth
