// SPDX-License-Identifier: MIT
#pragma once
/// \file Blocks of rows of x, the products of blocks with tables of one column for each class, and
/// the softmax.
#include <algorithm>  // copy_n, fill, fill_n, max
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

/// A block of rows of x in double: all entries row by row, or only the stored ones.
class RowBlock {
 public:
  /// `as_stored`: keep only the entries that are stored.
  RowBlock(Index columns, bool as_stored) : columns_(columns), as_stored_(as_stored) {}

  Index count() const { return count_; }
  Index columns() const { return columns_; }
  bool is_sparse() const { return as_stored_; }
  /// Returns the entries of row i. Call it only if not sparse.
  const double* row(Index i) const { return first_row_ + i * row_stride_; }
  /// Returns the distance from one row to the next.
  Index row_stride() const { return row_stride_; }
  /// If sparse, row i has the entries [start(i), start(i + 1)) of entries(), in the columns
  /// column().
  const double* entries() const { return entries_.data(); }
  Index start(Index i) const { return starts_[static_cast<std::size_t>(i)]; }
  const Index* column() const { return places_.data(); }

  /// Reads rows [first, first + count). Rows of weight 0 are read as zeros, whatever they hold.
  template <class Rows>
  void read(const samples::TrainingSet<Rows>& set, Index first, Index count) {
    count_ = count;
    const auto is_there = [&](Index i) {
      return set.weights.size() == 0 || set.weights[first + i] != 0;
    };
    if (as_stored_)
      read_stored(set.rows, first, is_there);
    else if (!finds_in_place(set, first))
      read_all(set.rows, first, is_there);
  }

  /// Replaces each entry by its square.
  void square() {
    if (!as_stored_ && first_row_ != entries_.data()) {  // the rows are those of x: copy them first
      entries_.resize(static_cast<std::size_t>(count_ * columns_));
      for (Index i = 0; i < count_; ++i)
        std::copy_n(row(i), columns_, entries_.data() + i * columns_);
      own();
    }
    for (double& entry : entries_) entry *= entry;
  }

 private:
  /// Points to the rows in x, without a copy, if they are contiguous doubles that need no change.
  /// Otherwise returns false.
  template <class Rows>
  bool finds_in_place(const samples::TrainingSet<Rows>& set, Index first) {
    if constexpr (Rows::is_packed && requires {
                    { set.rows.start(first) } -> std::same_as<const double*>;
                  }) {
      const auto& s = set.weights;
      if (set.origin || (s.size() > 0 && !(s.segment(first, count_).minCoeff() > 0))) return false;
      first_row_ = set.rows.start(first);
      row_stride_ = count_ > 1 ? set.rows.start(first + 1) - first_row_ : 0;
      return true;
    }
    return false;
  }

  void own() {
    first_row_ = entries_.data();
    row_stride_ = columns_;
  }

  template <class Rows, class IsThere>
  void read_stored(const Rows& rows, Index first, const IsThere& is_there) {
    entries_.clear();
    places_.clear();
    starts_.assign(1, 0);
    for (Index i = 0; i < count_; ++i) {
      if (is_there(i))
        rows.for_each(first + i, [&](Index j, double entry) {
          places_.push_back(static_cast<Index>(j));
          entries_.push_back(entry);
        });
      starts_.push_back(static_cast<Index>(entries_.size()));
    }
  }

  template <class Rows, class IsThere>
  void read_all(const Rows& rows, Index first, const IsThere& is_there) {
    entries_.resize(static_cast<std::size_t>(count_ * columns_));
    own();
    double* const entries = entries_.data();
    if constexpr (!Rows::is_packed && requires { rows.read(first, first, [](const auto&) {}); }) {
      rows.read(first, count_, [&](const auto& block) {
        Eigen::Map<Matrix<double>>(entries, count_, columns_) = block;
      });
    } else {
      if constexpr (Rows::is_sparse) std::fill(entries_.begin(), entries_.end(), 0.0);
      for (Index i = 0; i < count_; ++i)
        if (is_there(i))
          rows.for_each(first + i,
                        [to = entries + i * columns_](Index j, double entry) { to[j] = entry; });
    }
    for (Index i = 0; i < count_; ++i)
      if (!is_there(i)) std::fill_n(entries + i * columns_, columns_, 0.0);
  }

  Index columns_;
  bool as_stored_;
  Index count_{0};
  const double* first_row_{nullptr};
  Index row_stride_{0};
  std::vector<double> entries_{};
  std::vector<Index> places_{};
  std::vector<Index> starts_{};
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
    if (block_.is_sparse()) {
      for (; i < block_.count(); ++i) run_sparse_row<Width, Vectors>(first, i);
      return;
    }
    for (; i + 4 <= block_.count(); i += 4) run_rows<Width, Vectors, 4>(first, i);
    for (; i < block_.count(); ++i) run_rows<Width, Vectors, 1>(first, i);
  }

  template <int Width>
  using PackOf = typename linear_algebra::PackOf<Width>::type;
  template <int Width, int Vectors, int Rows>
  using Packs = PackOf<Width>[std::size_t{Rows}][std::size_t{Vectors}];

  [[gnu::always_inline]] inline double* score(Index i, Index first) const {
    return scores_ + i * stride_ + first;
  }

  template <int Width, int Vectors, int Rows>
  [[gnu::always_inline]] inline void load_scores(Index first, Index i,
                                                 Packs<Width, Vectors, Rows>& p) const {
    using Pack = PackOf<Width>;
#pragma GCC unroll 4
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 2
      for (int v = 0; v < Vectors; ++v) {
        if constexpr (is_score)
          p[r][v] = *reinterpret_cast<const Pack*>(offset_ + first + v * Width);
        else
          p[r][v] = *reinterpret_cast<const Pack*>(score(i + r, first) + v * Width);
      }
  }

  template <int Width, int Vectors, int Rows>
  [[gnu::always_inline]] inline void store_scores(Index first, Index i,
                                                  const Packs<Width, Vectors, Rows>& p) const {
    using Pack = PackOf<Width>;
#pragma GCC unroll 4
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 2
      for (int v = 0; v < Vectors; ++v)
        *reinterpret_cast<Pack*>(score(i + r, first) + v * Width) = p[r][v];
  }

  template <int Width, int Vectors, int Rows>
  [[gnu::always_inline]] inline void run_rows(Index first, Index i) const {
    using Pack = PackOf<Width>;
    Packs<Width, Vectors, Rows> p;
    load_scores<Width, Vectors, Rows>(first, i, p);
    const Index d = block_.columns();
    const double* x = block_.row(i);
    const Index next = block_.row_stride();
    double* w = weights_ + first;
    for (Index j = 0; j < d; ++j, ++x, w += stride_)
#pragma GCC unroll 2
      for (int v = 0; v < Vectors; ++v) {
        Pack weights = *reinterpret_cast<const Pack*>(w + v * Width);
#pragma GCC unroll 4
        for (int r = 0; r < Rows; ++r) {
          if constexpr (is_score)
            p[r][v] += weights * x[r * next];
          else
            weights += p[r][v] * x[r * next];
        }
        if constexpr (!is_score) *reinterpret_cast<Pack*>(w + v * Width) = weights;
      }
    if constexpr (is_score) store_scores<Width, Vectors, Rows>(first, i, p);
  }

  template <int Width, int Vectors>
  [[gnu::always_inline]] inline void run_sparse_row(Index first, Index i) const {
    using Pack = PackOf<Width>;
    Packs<Width, Vectors, 1> p;
    load_scores<Width, Vectors, 1>(first, i, p);
    for (Index k = block_.start(i); k < block_.start(i + 1); ++k) {
      const double x = block_.entries()[k];
      double* w = weights_ + static_cast<Index>(block_.column()[k]) * stride_ + first;
#pragma GCC unroll 2
      for (int v = 0; v < Vectors; ++v) {
        if constexpr (is_score)
          p[0][v] += *reinterpret_cast<const Pack*>(w + v * Width) * x;
        else
          *reinterpret_cast<Pack*>(w + v * Width) += p[0][v] * x;
      }
    }
    if constexpr (is_score) store_scores<Width, Vectors, 1>(first, i, p);
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

/// Sets q (stride) to the probabilities of the scores p (k), followed by zeros, and returns the
/// loss of class y. Loss and probabilities have a small relative error: log1p takes the sum of all
/// exponentials except the largest.
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

/// Computes the slopes share·(q − e_y) of the loss of class y, (stride). The slope of y is minus
/// the sum of the others, which avoids cancellation where q_y is near 1.
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

/// Computes moves ← share·(diag q − qqᵀ)·moves, (stride): the second derivative of the loss times
/// the moves. A constant added to all moves has no effect, so the function first subtracts the move
/// of class y.
inline void bend_row(const double* q, Index k, Index y, double share, double* moves) {
  const double common = moves[y];
  double mean = 0;
  for (Index a = 0; a < k; ++a) {
    moves[a] -= common;
    mean += q[a] * moves[a];
  }
  for (Index a = 0; a < k; ++a) moves[a] = share * q[a] * (moves[a] - mean);
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
