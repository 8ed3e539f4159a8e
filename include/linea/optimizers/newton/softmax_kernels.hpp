// SPDX-License-Identifier: MIT
#pragma once
/// \file The softmax: the loss of rows of scores, its derivatives, and sums over samples.
#include <algorithm>  // copy_n, fill_n, max
#include <cmath>      // abs, log, log1p
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/core/types.hpp>
#include <linea/linear_algebra/exponential.hpp>
#include <linea/linear_algebra/vector_level.hpp>
#include <linea/samples/row_block.hpp>

namespace linea::detail::newton {

using samples::Table;

/// Returns share·q(1 − q) for the absolute value of a slope, share·q or share·(1 − q).
inline double curvature_of(double size, double share) {
  return std::max(0.0, size * (1 - size / share));  // 0 if share is 0
}

/// Sums over the samples at given scores.
struct Sums {
  double value{0};             ///< mean loss
  double slope{0};             ///< slope of the mean loss along the line
  double negative_entropy{0};  ///< (1/S) Σᵢ sᵢ·Σₖ qᵢₖ·ln qᵢₖ
  Vector<double> balance{};    ///< (1/S) Σᵢ sᵢ·(qᵢ − e_yᵢ), (stride): ∇F for b
  Vector<double> right{};      ///< the part of the balance that `finish` adds (stride)

  explicit Sums(Index stride = 0) : balance(detail::filled(stride, 0.0)), right(balance) {}

  /// Completes the balance.
  void finish() {
    for (Index a = 0; a < balance.size(); ++a) balance[a] += right[a];
  }
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

/// The samples [first, last) of tables (n × stride) with k classes, as the tasks below take them.
struct SoftmaxRows {
  Index first, last;
  Index count;            ///< k
  Index stride;           ///< see samples::stride_of
  const Index* of_class;  ///< (n)
  const double* shares;   ///< sᵢ/S (n)
};

/// Evaluates the loss ln Σₖ exp(pₖ) − p_y of each row at the scores p + t·m, for run_at. Sets the
/// slopes to share·(q − e_y), followed by zeros, for the probabilities q = exp(p)/Σₗ exp(pₗ), and
/// adds to the sums. Rows of share 0 get the slopes 0 and do not count.
///
/// All numbers have a small relative error: log1p takes the sum of all exponentials except the
/// largest, and the slope of y is minus the sum of the others, which avoids cancellation where q_y
/// is near 1. Exponentials below exp(−600) count as 0, so that no slope is denormal.
class EvaluateRows {
 public:
  /// The changes m of row i begin at moves + i·move_stride. The task adds the slopes of the classes
  /// y to sums.right, and all other slopes to sums.balance.
  EvaluateRows(const SoftmaxRows& rows, const double* scores, const double* moves,
               Index move_stride, double t, double* slopes, Sums& sums)
      : rows_(rows),
        scores_(scores),
        moves_(moves),
        move_stride_(move_stride),
        t_(t),
        slopes_(slopes),
        sums_(sums),
        pads_(detail::filled(rows.stride, 0.0)),
        others_(detail::filled(2 * rows.stride, 1.0)) {
    for (Index a = rows.count; a < rows.stride; ++a)
      pads_[a] = -std::numeric_limits<double>::infinity();
    others_[rows.stride] = 0;
  }

  template <int Width>
  [[gnu::always_inline]] inline void run() const {
    samples::run_strips<Width>(*this, rows_.stride);
  }
  template <int Width>
  [[gnu::always_inline]] inline void strips() const {
    linear_algebra::PackOf<Width> along{}, products{};
    for (Index i = rows_.first; i < rows_.last; ++i) {
      double* const row = slopes_ + i * rows_.stride;
      if (rows_.shares[i] == 0)
        std::fill_n(row, rows_.stride, 0.0);
      else
        evaluate<Width>(scores_ + i * rows_.stride, moves_ + i * move_stride_, rows_.of_class[i],
                        rows_.shares[i], row, along, products);
    }
    sums_.slope += linear_algebra::sum_of(along);
    sums_.negative_entropy += linear_algebra::sum_of(products);
  }

 private:
  /// Adds the terms of sums.slope and Σ share·Σₖ qₖ·(pₖ − maximum) to `along` and `products`.
  /// Masks are factors from memory, and no vector is loaded soon after one of its entries is
  /// stored: the processor would wait for the store.
  template <int Width>
  [[gnu::always_inline]] inline void evaluate(const double* p, const double* m, Index y,
                                              double share, double* row,
                                              linear_algebra::PackOf<Width>& along,
                                              linear_algebra::PackOf<Width>& products) const {
    using linear_algebra::pack_at;
    using Pack = typename linear_algebra::PackOf<Width>::type;
    const Index stride = rows_.stride;
    const Pack zero{}, one = zero + 1, least = zero - 600;

    Pack most = zero - std::numeric_limits<double>::infinity();
    for (Index a = 0; a < stride; a += Width) {
      Pack score = pack_at<Width>(p + a).lanes + pack_at<Width>(pads_.data() + a).lanes;
      if (t_ != 0) score += t_ * pack_at<Width>(m + a).lanes;
      pack_at<Width>(row + a).lanes = score;
      most = most > score ? most : score;
    }
    double top = most[0];
    for (int k = 1; k < Width; ++k) top = top > most[k] ? top : most[k];
    const double of_y = row[y] - top;

    // One class with the largest score is left out of `rest`. Comparisons are false for NaN, which
    // is then kept.
    linear_algebra::PackOf<Width> rests{}, tops{}, entropies{};
    for (Index a = 0; a < stride; a += Width) {
      const Pack score = pack_at<Width>(row + a).lanes - top;
      const Pack below = least > score ? least : score;
      pack_at<Width>(row + a).lanes = below;
      linear_algebra::exponentiate<Width>(row + a);
      const Pack power = least > score ? zero : pack_at<Width>(row + a).lanes;
      pack_at<Width>(row + a).lanes = power;
      entropies.lanes += power * below;
      rests.lanes += below == zero ? zero : power;
      tops.lanes += below == zero ? one : zero;
    }
    const double rest = linear_algebra::sum_of(rests) + (linear_algebra::sum_of(tops) - 1);
    const double log_sum = rest < 0.5 ? std::log1p(rest) : std::log(1 + rest);
    const double factor = share / (1 + rest);
    const double wrong = factor * (of_y == 0 ? rest : 1 + rest - row[y]);

    const double* const others = others_.data() + stride - y;  // 0 for y, else 1
    double* const balance = sums_.balance.data();
    const double of_right = m[y];
    for (Index a = 0; a < stride; a += Width) {
      const Pack slope =
          pack_at<Width>(row + a).lanes * (factor * pack_at<Width>(others + a).lanes);
      pack_at<Width>(row + a).lanes = slope;
      pack_at<Width>(balance + a).lanes += slope;
      along.lanes += slope * (pack_at<Width>(m + a).lanes - of_right);
    }
    row[y] = -wrong;
    products.lanes += factor * entropies.lanes;
    sums_.right[y] -= wrong;
    sums_.value += share * (log_sum - of_y);
    sums_.negative_entropy -= share * log_sum;
  }

  SoftmaxRows rows_;
  const double* scores_;
  const double* moves_;
  Index move_stride_;
  double t_;
  double* slopes_;
  Sums& sums_;
  Vector<double> pads_;    // 0 for classes, −∞ for the columns that pad them (stride)
  Vector<double> others_;  // 1, but 0 in the middle (2·stride)
};

/// Computes products ← share·(diag q − qqᵀ)·moves for each row, for run_at: the second derivative
/// of the loss times the moves, from the slopes of EvaluateRows. A constant added to all moves has
/// no effect, so the task first subtracts the move of the class with the largest q. If this q is 1,
/// the products are exactly 0. Rows of share 0 get the products 0.
class CurvatureRows {
 public:
  /// Slopes, moves and products begin at row `first`.
  CurvatureRows(const SoftmaxRows& rows, const double* slopes, const double* moves,
                double* products)
      : rows_(rows), slopes_(slopes), moves_(moves), products_(products) {}

  template <int Width>
  [[gnu::always_inline]] inline void run() const {
    samples::run_strips<Width>(*this, rows_.stride);
  }
  template <int Width>
  [[gnu::always_inline]] inline void strips() const {
    for (Index i = rows_.first; i < rows_.last; ++i) {
      const Index at = (i - rows_.first) * rows_.stride;
      multiply<Width>(slopes_ + at, rows_.of_class[i], rows_.shares[i], moves_ + at,
                      products_ + at);
    }
  }

 private:
  template <int Width>
  [[gnu::always_inline]] inline void multiply(const double* slopes, Index y, double share,
                                              const double* moves, double* products) const {
    using linear_algebra::pack_at;
    const Index stride = rows_.stride;
    if (share == 0) {
      std::fill_n(products, stride, 0.0);
      return;
    }
    std::copy_n(slopes, stride, products);
    products[y] += share;  // products is now share·q
    Index top = y;
    double most = products[y];
    for (Index a = 0; most < share / 2 && a < rows_.count; ++a) {
      top = products[a] > most ? a : top;
      most = std::max(most, products[a]);
    }
    const double common = moves[top];
    linear_algebra::PackOf<Width> sums{};
    for (Index a = 0; a < stride; a += Width)
      sums.lanes += pack_at<Width>(products + a).lanes * (pack_at<Width>(moves + a).lanes - common);
    const double mean = linear_algebra::sum_of(sums) / share;
    for (Index a = 0; a < stride; a += Width)
      pack_at<Width>(products + a).lanes *= pack_at<Width>(moves + a).lanes - common - mean;
  }

  SoftmaxRows rows_;
  const double* slopes_;
  const double* moves_;
  double* products_;
};

}  // namespace linea::detail::newton
