// SPDX-License-Identifier: MIT
#pragma once
/// \file The softmax: the loss of a row of scores, its derivatives, and sums over samples.
#include <algorithm>  // max
#include <cmath>      // abs, exp, log1p
#include <linea/core/types.hpp>
#include <linea/samples/row_block.hpp>

namespace linea::detail::newton {

using samples::Table;

/// The loss ln Σₖ exp(pₖ) − p_y of a sample, and its negative entropy Σₖ qₖ·ln qₖ for the
/// probabilities qₖ = exp(pₖ)/Σₗ exp(pₗ).
struct RowLoss {
  double loss{0};
  double negative_entropy{0};
};

/// Sets `slopes` (stride) to share·(q − e_y), followed by zeros, for the probabilities q of the
/// scores p (k), and returns the loss of class y. All numbers have a small relative error: log1p
/// takes the sum of all exponentials except the largest, and the slope of y is minus the sum of the
/// others, which avoids cancellation where q_y is near 1.
inline RowLoss evaluate_row(const double* p, Index k, Index y, double share, double* slopes,
                            Index stride) {
  Index top = 0;
  for (Index a = 1; a < k; ++a)
    if (p[a] > p[top]) top = a;
  double rest = 0;
  double product = 0;  // Σ exp(pₐ − p_top)·(pₐ − p_top)
  for (Index a = 0; a < k; ++a) {
    const double below = p[a] - p[top];
    slopes[a] = std::exp(below);
    if (a == top) continue;
    rest += slopes[a];
    if (slopes[a] > 0) product += slopes[a] * below;
  }
  const double log_sum = std::log1p(rest);
  const double scale = 1 / (1 + rest);
  double others = 0;
  for (Index a = 0; a < k; ++a) {
    slopes[a] *= share * scale;
    if (a != y) others += slopes[a];
  }
  slopes[y] = -others;
  for (Index a = k; a < stride; ++a) slopes[a] = 0;
  return {log_sum - (p[y] - p[top]), product * scale - log_sum};
}

/// Returns share·q(1 − q) for the absolute value of a slope, share·q or share·(1 − q).
inline double curvature_of(double size, double share) {
  return std::max(0.0, size * (1 - size / share));  // 0 if share is 0
}

/// Computes products ← share·(diag q − qqᵀ)·moves, (stride): the second derivative of the loss
/// times the moves, from the slopes of evaluate_row for class y. A constant added to all moves has
/// no effect, so the function first subtracts the move of the class with the largest q. If this q
/// is 1, the products are exactly 0.
inline void hessian_product_of_row(const double* slopes, Index y, double share, const double* moves,
                                   double* products, Index stride) {
  for (Index a = 0; a < stride; ++a) products[a] = slopes[a];
  products[y] += share;  // products is now share·q
  Index top = y;
  double most = products[y];
  for (Index a = 0; most < share / 2 && a < stride; ++a) {
    top = products[a] > most ? a : top;
    most = std::max(most, products[a]);
  }
  const double common = moves[top];
  double sum = 0;
  for (Index a = 0; a < stride; ++a) sum += products[a] * (moves[a] - common);
  const double mean = share > 0 ? sum / share : 0;
  for (Index a = 0; a < stride; ++a) products[a] *= moves[a] - common - mean;
}

/// Sums over the samples at given scores.
struct Sums {
  double value{0};             ///< mean loss
  double slope{0};             ///< slope of the mean loss along the line
  double negative_entropy{0};  ///< (1/S) Σᵢ sᵢ·Σₖ qᵢₖ·ln qᵢₖ
  Vector<double> balance{};    ///< (1/S) Σᵢ sᵢ·(qᵢ − e_yᵢ), (stride): ∇F for b

  void operator+=(const Sums& other) {
    value += other.value;
    slope += other.slope;
    negative_entropy += other.negative_entropy;
    for (Index a = 0; a < balance.size(); ++a) balance[a] += other.balance[a];
  }
  /// Returns the largest absolute entry of the balance.
  double imbalance() const {
    double most = 0;
    for (const double one : balance) most = std::max(most, std::abs(one));
    return most;
  }
};

}  // namespace linea::detail::newton
