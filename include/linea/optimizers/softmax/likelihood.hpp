// SPDX-License-Identifier: MIT
#pragma once
/// \file The softmax of a row of scores: loss, probabilities, slopes and curvature.
#include <algorithm>  // fill, max
#include <cmath>      // exp, log, log1p
#include <linea/core/types.hpp>

namespace linea::softmax {

/// ln Σₖ exp(pₖ) − p_y, with −H = Σₖ qₖ·ln qₖ for the probabilities qₖ = exp(pₖ)/Σ.
struct RowLoss {
  double loss{0};
  double negative_entropy{0};
};

/// Sets the probabilities q (stride) of the scores p (k), zeros behind them, and answers the loss
/// of class y. Each is accurate relative to its own size: the largest term of Σ exp is left out of
/// the sum that ln(1 + sum) takes.
inline RowLoss evaluate_row(const double* p, Index k, Index y, double* q, Index stride) {
  Index top = 0;
  for (Index a = 1; a < k; ++a)
    if (p[a] > p[top]) top = a;
  double rest = 0;
  double product = 0;  // Σ exp(pₐ − p_top)·(pₐ − p_top)
  for (Index a = 0; a < k; ++a) {
    const double below = p[a] - p[top];
    q[a] = std::exp(below);
    if (a == top) continue;
    rest += q[a];
    if (q[a] > 0) product += q[a] * below;
  }
  const double log_sum = std::log1p(rest);
  const double scale = 1 / (1 + rest);
  for (Index a = 0; a < k; ++a) q[a] *= scale;
  for (Index a = k; a < stride; ++a) q[a] = 0;
  return {log_sum - (p[y] - p[top]), product * scale - log_sum};
}

/// The slopes share·(q − e_y) of the loss of class y, (stride). That of y is minus the sum of the
/// others, so that no digits are lost where q_y is near 1.
inline void slopes_of(const double* q, Index k, Index y, double share, double* slopes,
                      Index stride) {
  double others = 0;
  for (Index a = 0; a < k; ++a) {
    slopes[a] = share * q[a];
    if (a != y) others += slopes[a];
  }
  slopes[y] = -others;
  for (Index a = k; a < stride; ++a) slopes[a] = 0;
}

/// moves ← share·(diag q − qqᵀ)·moves, (stride): the second derivative of the loss, times the
/// moves. It is blind to what all moves have in common, so that of y is subtracted first.
inline void bend_row(const double* q, Index k, Index y, double share, double* moves) {
  const double common = moves[y];
  double mean = 0;
  for (Index a = 0; a < k; ++a) {
    moves[a] -= common;
    mean += q[a] * moves[a];
  }
  for (Index a = 0; a < k; ++a) moves[a] = share * q[a] * (moves[a] - mean);
}

}  // namespace linea::softmax
