// SPDX-License-Identifier: MIT
#pragma once
/// \file Blocks of rows of x in double, and their products with tables of several columns.
#include <cstddef>  // size_t
#include <linea/core/types.hpp>
#include <linea/linear_algebra/vector_level.hpp>
#include <vector>

namespace linea::detail::samples {

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
  Index count{0}, columns{0};
  bool is_sparse{false};
  /// If x is dense, the entries of row i begin at rows + i·row_stride.
  const double* rows{nullptr};
  Index row_stride{0};
  /// If x is sparse, row i has the entries [starts[i], starts[i + 1]), in the columns `places`.
  std::vector<double> entries{};
  std::vector<Index> places{}, starts{};

  /// Calls f(j, xᵢⱼ) for the entries of row i.
  template <class F>
  void for_each(Index i, F&& f) const {
    if (!is_sparse)
      for (Index j = 0; j < columns; ++j) f(j, rows[i * row_stride + j]);
    else
      for (auto k = static_cast<std::size_t>(starts[static_cast<std::size_t>(i)]);
           k < static_cast<std::size_t>(starts[static_cast<std::size_t>(i) + 1]); ++k)
        f(places[k], entries[k]);
  }
};

/// Returns the best level whose vectors divide the stride of a table, or the baseline.
inline linear_algebra::VectorLevel level_for(Index stride) {
  using linear_algebra::VectorLevel;
  if (stride % 8 == 0 && linear_algebra::is_offered(VectorLevel::avx512))
    return VectorLevel::avx512;
  if (stride % 4 == 0 && linear_algebra::is_offered(VectorLevel::avx2)) return VectorLevel::avx2;
  return VectorLevel::baseline;
}

/// Calls task.strips<W>() at the level `level_for` of the stride. W is Width, or a smaller width if
/// the vectors of the baseline do not divide the stride.
template <int Width, class Task>
[[gnu::always_inline]] inline void run_strips(const Task& task, Index stride) {
  constexpr bool is_baseline = Width == linear_algebra::baseline_width;
  if (!is_baseline || stride % Width == 0) return task.template strips<Width>();
  if constexpr (is_baseline && Width > 4)
    if (stride % 4 == 0) return task.template strips<4>();
  if constexpr (is_baseline && Width > 2) task.template strips<2>();
}

/// One of the two products below for the rows of a block. Pass it to linear_algebra::run_at, with
/// the level_for the stride.
///
///     scores   P = X·W + 1bᵀ, (count × stride)
///     sums     W ← W + XᵀP, (d × stride)
///
/// P has a row for each row of the block, and W has a row for each column of x. Both products
/// process strips of one or two vector registers of classes, and four or eight rows of dense x at a
/// time.
template <bool is_score>
class TableProduct {
 public:
  /// `offset` is the row bᵀ (stride), which only scores read.
  TableProduct(const RowBlock& block, double* weights, const double* offset, double* scores,
               Index stride)
      : block_(block), weights_(weights), offset_(offset), scores_(scores), stride_(stride) {}

  template <int Width>
  [[gnu::always_inline]] inline void run() const {
    run_strips<Width>(*this, stride_);
  }
  template <int Width>
  [[gnu::always_inline]] inline void strips() const {
    Index first = 0;
    for (; first + 2 * Width <= stride_; first += 2 * Width) run_strip<Width, 2>(first);
    if (first < stride_) run_strip<Width, 1>(first);
  }

 private:
  /// Computes the product for classes [first, first + Vectors·Width).
  template <int Width, int Vectors>
  [[gnu::always_inline]] inline void run_strip(Index first) const {
    Index i = 0;
    if (block_.is_sparse) {
      for (; i < block_.count; ++i) run_rows<Width, Vectors, 1, true>(first, i);
      return;
    }
    if constexpr (Width == 8)  // with 32 registers
      for (; i + 8 <= block_.count; i += 8) run_rows<Width, Vectors, 8, false>(first, i);
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
#pragma GCC unroll 8
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
#pragma GCC unroll 8
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
#pragma GCC unroll 8
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

}  // namespace linea::detail::samples
