// SPDX-License-Identifier: MIT
#pragma once
/// \file The two products of rows of x with tables, with the widest vectors that the machine has.
#include <cstddef>  // size_t
#include <linea/optimizers/numerics/vector_level.hpp>
#include <linea/optimizers/softmax/table.hpp>

namespace linea::softmax {

/// One of the two products for the rows of a block. A task for numerics::run_at.
///
///     scores   P = X·W + 1bᵀ, (count × stride)
///     sums     W ← W + XᵀP, (d × stride)
///
/// P has a row for each row of the block, W one for each column. Both go through strips of one or
/// two vector registers of classes, and four rows of dense x at a time.
template <bool is_score>
class Product {
 public:
  /// `offset` has the row b; sums take no notice of it.
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

  /// Classes [first, first + Vectors·Width).
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
  using PackOf = typename numerics::PackOf<Width>::type;
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

}  // namespace linea::softmax
