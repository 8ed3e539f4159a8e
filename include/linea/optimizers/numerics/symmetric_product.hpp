// SPDX-License-Identifier: MIT
#pragma once
/// \file The symmetric product AᵀA of a block of rows, with the widest vectors that the machine has.
#include <algorithm>  // max, min
#include <linea/optimizers/numerics/packed_rows.hpp>
#include <linea/optimizers/numerics/vector_level.hpp>
#include <span>

namespace linea::numerics {

/// C ← C + AᵀA in the lower triangle of C (columns × columns), for the first `count` rows A of `rows`.
/// Each entry is the sum over the rows in their order. Meanwhile `ahead` is brought into the second-level
/// cache, a line now and then, so that memory is busy while the processor is. Cost: count·columns² additions and as many
/// multiplications, half of what a product without symmetry takes.
class SymmetricProduct {
 public:
  SymmetricProduct(const PackedRows& rows, Index count, Eigen::Ref<Eigen::MatrixXd> c,
                   std::span<const char> ahead = {})
      : rows_(rows),
        count_(count),
        size_(rows.columns()),
        c_(c.data()),
        stride_(c.outerStride()),
        ahead_(ahead) {}

  template <int Width>
  [[gnu::always_inline]] inline void run() const {
    constexpr Index height = 3 * Width;
    constexpr Index columns = tile_columns<Width>;
    Index steps = 0;
    for (Index i = 0; i < size_; i += height)
      steps += count_ * ((std::min(size_, i + height) + columns - 1) / columns);
    const Index step = steps > 0 ? static_cast<Index>(ahead_.size()) / steps : 0;
    const char* ahead = ahead_.data();
    for (Index i = 0; i < size_; i += height) {
      const Index vectors = (std::min(height, size_ - i) + Width - 1) / Width;
      const Index last = std::min(size_, i + vectors * Width);
      for (Index j = 0; j < last; j += columns, ahead += count_ * step) {
        if (vectors == 3)
          tile<Width, 3>(i, j, ahead, step);
        else if (vectors == 2)
          tile<Width, 2>(i, j, ahead, step);
        else
          tile<Width, 1>(i, j, ahead, step);
      }
    }
  }

 private:
  /// With `Vectors` = 3, three quarters of 32 registers hold sums, or of 16.
#if defined(__aarch64__)
  template <int Width>
  static constexpr Index tile_columns = 8;
#else
  template <int Width>
  static constexpr Index tile_columns = Width == 8 ? 8 : 4;
#endif

  /// The entries of C from (i, j) on, Vectors·Width × tile_columns, as far as they are in the triangle.
  template <int Width, int Vectors>
  [[gnu::always_inline]] inline void tile(Index i, Index j, const char* ahead,
                                          Index ahead_step) const {
    using Pack = typename PackOf<Width>::type;
    constexpr Index columns = tile_columns<Width>;
    constexpr Index height = Vectors * Width;
    constexpr Index step = PackedRows::width;
    double* c = c_ + j * stride_ + i;
    const double* left = rows_.panel(i / step) + i % step;
    const double* right = rows_.panel(j / step) + j % step;
    const bool whole = j + columns <= i + 1 && i + height <= size_;
    if (whole)
      for (Index column = 0; column < columns; ++column)
        for (Index k = 0; k < height; k += 8) __builtin_prefetch(c + column * stride_ + k, 1);

    Pack sum[columns][Vectors] = {};
    for (Index k = 0; k < count_; ++k, left += step, right += step, ahead += ahead_step) {
      __builtin_prefetch(ahead, 0, 2);
#pragma GCC unroll 8
      for (Index column = 0; column < columns; ++column)
#pragma GCC unroll 3
        for (int v = 0; v < Vectors; ++v)
          sum[column][v] += *reinterpret_cast<const Pack*>(left + v * Width) * right[column];
    }

    if (whole) {
#pragma GCC unroll 8
      for (Index column = 0; column < columns; ++column)
#pragma GCC unroll 3
        for (int v = 0; v < Vectors; ++v)
          *reinterpret_cast<Pack*>(c + column * stride_ + v * Width) += sum[column][v];
    } else {
      double entries[columns * height];
#pragma GCC unroll 8
      for (Index column = 0; column < columns; ++column)
#pragma GCC unroll 3
        for (int v = 0; v < Vectors; ++v)
          *reinterpret_cast<Pack*>(entries + column * height + v * Width) = sum[column][v];
      for (Index column = 0; column < std::min(columns, size_ - j); ++column)
        for (Index k = std::max<Index>(0, j + column - i); k < std::min(height, size_ - i); ++k)
          c[column * stride_ + k] += entries[column * height + k];
    }
  }

  const PackedRows& rows_;
  Index count_;
  Index size_;
  double* c_;
  Index stride_;
  std::span<const char> ahead_;
};

}  // namespace linea::numerics
