// SPDX-License-Identifier: MIT
#pragma once
/// \file Blocks of rows of x, the products of blocks with tables of one column for each class, and
/// the softmax.
#include <algorithm>  // max
#include <cmath>      // abs, exp, log, log1p
#include <concepts>   // same_as
#include <cstddef>    // size_t
#include <linea/core/types.hpp>
#include <linea/linear_algebra/vector_level.hpp>
#include <linea/samples/training_set.hpp>
#include <vector>

namespace linea::detail::newton {

/// One row for each sample (scores, probabilities) or each feature (weights), one column for each
/// class. Columns that pad the last vector register are 0.
using Table = Matrix<double>;

/// Returns the number of columns of a table for `classes` classes: 2, 4 or a multiple of 8.
inline Index stride_of(Index classes) {
  if (classes <= 4) return classes <= 2 ? 2 : 4;
  return (classes + 7) / 8 * 8;
}

/// A block of rows of x in double: only the stored entries if x is sparse, else all entries.
struct RowBlock {
  Index columns;
  bool is_sparse;
  Index count{0};  ///< number of rows
  /// If x is dense, the entries of row i begin at rows + i·row_stride.
  const double* rows{nullptr};
  Index row_stride{0};
  /// If x is sparse, row i has the entries [starts[i], starts[i + 1]), in the columns `places`.
  std::vector<double> entries{};
  std::vector<Index> places{}, starts{};

  /// Reads rows [first, first + count_of_rows).
  template <class Rows>
  void read(const samples::TrainingSet<Rows>& set, Index first, Index count_of_rows) {
    count = count_of_rows;
    if constexpr (Rows::is_sparse)
      read_stored(set.rows, first);
    else if (!finds_in_place(set, first))
      read_all(set.rows, first);
  }

 private:
  template <class Rows>
  void read_stored(const Rows& x, Index first) {
    entries.clear();
    places.clear();
    starts.assign(1, 0);
    for (Index i = 0; i < count; ++i) {
      x.for_each(first + i, [&](Index j, double entry) {
        places.push_back(j);
        entries.push_back(entry);
      });
      starts.push_back(static_cast<Index>(entries.size()));
    }
  }

  /// Points to the rows in x, without a copy, if they are contiguous doubles that need no change.
  /// Otherwise returns false.
  template <class Rows>
  bool finds_in_place(const samples::TrainingSet<Rows>& set, Index first) {
    if constexpr (Rows::is_packed && requires {
                    { set.rows.start(first) } -> std::same_as<const double*>;
                  }) {
      if (set.origin) return false;
      rows = set.rows.start(first);
      row_stride = count > 1 ? set.rows.start(first + 1) - rows : 0;
      return true;
    }
    return false;
  }

  template <class Rows>
  void read_all(const Rows& x, Index first) {
    entries.resize(static_cast<std::size_t>(count * columns));
    rows = entries.data();
    row_stride = columns;
    if constexpr (!Rows::is_packed && requires { x.read(first, first, [](const auto&) {}); }) {
      x.read(first, count, [&](const auto& block) {
        Eigen::Map<Matrix<double>>(entries.data(), count, columns) = block;
      });
    } else {
      for (Index i = 0; i < count; ++i)
        x.for_each(first + i,
                   [to = entries.data() + i * columns](Index j, double entry) { to[j] = entry; });
    }
  }
};

/// One of the two products below for the rows of a block. Pass it to linear_algebra::run_at.
///
///     scores   P = X·W + 1bᵀ, (count × stride)
///     sums     W ← W + XᵀP, (d × stride)
///
/// P has a row for each row of the block, and W has a row for each column of x. Both products
/// process strips of one or two vector registers of classes, and four rows of dense x at a time.
template <bool is_score>
class Product {
 public:
  /// `offset` is the row bᵀ (stride), which only scores read.
  Product(const RowBlock& block, double* weights, const double* offset, double* scores,
          Index stride)
      : block_(block), weights_(weights), offset_(offset), scores_(scores), stride_(stride) {}

  template <int Width>
  [[gnu::always_inline]] inline void run() const {
    if (stride_ % Width == 0) return run_strips<Width>();
    if constexpr (Width > 4)
      if (stride_ % 4 == 0) return run_strips<4>();
    if constexpr (Width > 2) run_strips<2>();
  }

 private:
  template <int Width>
  [[gnu::always_inline]] inline void run_strips() const {
    Index first = 0;
    for (; first + 2 * Width <= stride_; first += 2 * Width) run_strip<Width, 2>(first);
    if (first < stride_) run_strip<Width, 1>(first);
  }

  /// Computes the product for classes [first, first + Vectors·Width).
  template <int Width, int Vectors>
  [[gnu::always_inline]] inline void run_strip(Index first) const {
    Index i = 0;
    if (block_.is_sparse) {
      for (; i < block_.count; ++i) run_rows<Width, Vectors, 1, true>(first, i);
      return;
    }
    for (; i + 4 <= block_.count; i += 4) run_rows<Width, Vectors, 4, false>(first, i);
    for (; i < block_.count; ++i) run_rows<Width, Vectors, 1, false>(first, i);
  }

  /// Computes the product for these classes and for `Rows` rows, from row i on.
  template <int Width, int Vectors, int Rows, bool is_sparse>
  [[gnu::always_inline]] inline void run_rows(Index first, Index i) const {
    using Pack = typename linear_algebra::PackOf<Width>::type;
    double* const scores = scores_ + i * stride_ + first;
    const double* const start = is_score ? offset_ + first : scores;
    Pack p[std::size_t{Rows}][std::size_t{Vectors}];
#pragma GCC unroll 4
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 2
      for (int v = 0; v < Vectors; ++v)
        p[r][v] = *reinterpret_cast<const Pack*>(start + (is_score ? 0 : r * stride_) + v * Width);
    const auto row = static_cast<std::size_t>(i);
    const double* const x = is_sparse ? block_.entries.data() : block_.rows + i * block_.row_stride;
    const Index* const places = block_.places.data();
    const Index next = block_.row_stride;
    const Index end = is_sparse ? block_.starts[row + 1] : block_.columns;
    for (Index k = is_sparse ? block_.starts[row] : 0; k < end; ++k) {
      double* const w = weights_ + (is_sparse ? places[k] : k) * stride_ + first;
#pragma GCC unroll 2
      for (int v = 0; v < Vectors; ++v) {
        Pack weights = *reinterpret_cast<const Pack*>(w + v * Width);
#pragma GCC unroll 4
        for (int r = 0; r < Rows; ++r) {
          if constexpr (is_score)
            p[r][v] += weights * x[k + r * next];
          else
            weights += p[r][v] * x[k + r * next];
        }
        if constexpr (!is_score) *reinterpret_cast<Pack*>(w + v * Width) = weights;
      }
    }
    if constexpr (is_score) {
#pragma GCC unroll 4
      for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 2
        for (int v = 0; v < Vectors; ++v)
          *reinterpret_cast<Pack*>(scores + r * stride_ + v * Width) = p[r][v];
    }
  }

  const RowBlock& block_;
  double* weights_;
  const double* offset_;
  double* scores_;
  Index stride_;
};

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
inline void bend_row(const double* slopes, Index y, double share, const double* moves,
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
