// SPDX-License-Identifier: MIT
#pragma once
/// \file Products of packed matrices, and sums Σ rrᵀ over rows r, with the widest vector registers
/// of the processor.
#include <algorithm>  // copy_n, fill, fill_n, max, min
#include <cstddef>    // size_t
#include <cstdint>    // uintptr_t
#include <linea/core/types.hpp>
#include <linea/linear_algebra/vector_level.hpp>
#include <vector>

namespace linea::detail::linear_algebra {

/// A matrix (capacity × columns), stored in panels of `width` columns. In a panel the entries of a
/// row are adjacent, and the next row follows them. Columns that pad the last panel are 0.
class PackedRows {
 public:
  static constexpr Index width = 24;  // a multiple of the height and width of a full tile

  PackedRows() = default;
  PackedRows(Index capacity, Index columns)
      : capacity_(capacity),
        columns_(columns),
        panels_((columns + width - 1) / width),
        storage_(static_cast<std::size_t>(panels_ * capacity * width) + 7, 0.0) {
    const auto past = reinterpret_cast<std::uintptr_t>(storage_.data()) / sizeof(double) % 8;
    data_ = storage_.data() + (8 - past) % 8;
  }
  PackedRows(PackedRows&&) = default;  // a move does not relocate the entries: data_ stays valid
  PackedRows& operator=(PackedRows&&) = default;

  Index capacity() const { return capacity_; }
  Index columns() const { return columns_; }
  Index panels() const { return panels_; }
  double* panel(Index p) { return data_ + p * capacity_ * width; }
  const double* panel(Index p) const { return data_ + p * capacity_ * width; }
  double& operator()(Index row, Index column) {
    return panel(column / width)[row * width + column % width];
  }
  /// Replaces each entry by its square.
  void square() {
    for (Index k = 0; k < panels_ * capacity_ * width; ++k) data_[k] *= data_[k];
  }

 private:
  Index capacity_{0};
  Index columns_{0};
  Index panels_{0};
  std::vector<double> storage_{};
  double* data_{nullptr};  // aligned to 64 bytes
};

/// The task C ← C + LᵀR, for `run_at`, with the first `count` rows of L and R. C (columns of L ×
/// columns of R) is column-major with the given stride. Part::lower computes only the lower
/// triangle of a symmetric product, at half the cost. Adds the terms in the order of the rows.
class Product {
 public:
  enum class Part { whole, lower };

  Product(const PackedRows& left, const PackedRows& right, Index count, Part part, double* c,
          Index stride)
      : left_(left),
        right_(right),
        count_(count),
        lower_(part == Part::lower),
        c_(c),
        stride_(stride) {}

  template <int Width>
  [[gnu::always_inline]] inline void run() const {
    constexpr Index height = 3 * Width;
    constexpr Index columns = tile_columns<Width>;
    const Index size = left_.columns();
    // A symmetric product fills C by strips of rows, any other product by strips of columns.
    const Index strip = lower_ ? height : columns;
    const Index strips_end = lower_ ? size : right_.columns();
    for (Index start = 0; start < strips_end; start += strip) {
      const Index end = lower_ ? std::min(size, start + height) : size;
      for (Index along = 0; along < end; along += lower_ ? columns : height) {
        const Index i = lower_ ? start : along;
        const Index j = lower_ ? along : start;
        const Index vectors = (std::min(height, size - i) + Width - 1) / Width;
        if (vectors == 3)
          tile<Width, 3>(i, j);
        else if (vectors == 2)
          tile<Width, 2>(i, j);
        else
          tile<Width, 1>(i, j);
      }
    }
  }

 private:
  /// The width of a tile, which is at most three vectors high. The sums of a tile occupy 24 of 32
  /// vector registers, or 12 of 16.
#if defined(__aarch64__)
  template <int Width>
  static constexpr Index tile_columns = 8;
#else
  template <int Width>
  static constexpr Index tile_columns = Width == 8 ? 8 : 4;
#endif

  /// Updates the tile of C (Vectors·Width × tile_columns) that begins at entry (i, j). Leaves out
  /// entries outside C, and for Part::lower entries above the diagonal.
  template <int Width, int Vectors>
  [[gnu::always_inline]] inline void tile(Index i, Index j) const {
    using Pack = typename PackOf<Width>::type;
    constexpr Index columns = tile_columns<Width>;
    constexpr Index height = Vectors * Width;
    constexpr Index step = PackedRows::width;
    double* c = c_ + j * stride_ + i;
    const double* left = left_.panel(i / step) + i % step;
    const double* right = right_.panel(j / step) + j % step;
    const bool whole = i + height <= left_.columns() &&
                       (lower_ ? j + columns <= i + 1 : j + columns <= right_.columns());
    if (whole)
      for (Index column = 0; column < columns; ++column)
        for (Index k = 0; k < height; k += 8) __builtin_prefetch(c + column * stride_ + k, 1);

    Pack sum[std::size_t{columns}][std::size_t{Vectors}] = {};
    for (Index k = 0; k < count_; ++k, left += step, right += step) {
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
      return;
    }
    double entries[std::size_t{columns * height}];
#pragma GCC unroll 8
    for (Index column = 0; column < columns; ++column)
#pragma GCC unroll 3
      for (int v = 0; v < Vectors; ++v)
        *reinterpret_cast<Pack*>(entries + column * height + v * Width) = sum[column][v];
    for (Index column = 0; column < std::min(columns, right_.columns() - j); ++column)
      for (Index k = lower_ ? std::max<Index>(0, j + column - i) : 0;
           k < std::min(height, left_.columns() - i); ++k)
        c[column * stride_ + k] += entries[column * height + k];
  }

  const PackedRows& left_;
  const PackedRows& right_;
  Index count_;
  bool lower_;
  double* c_;
  Index stride_;
};

/// Returns the task C ← C + AᵀA for the lower triangle of C (columns × columns), where A is the
/// first `count` rows of `rows`.
inline Product symmetric_product(const PackedRows& rows, Index count,
                                 detail::ColumnMatrix<double>& c) {
  return {rows, rows, count, Product::Part::lower, c.data(), c.rows()};
}

/// Computes c ← LᵀR for the first `count` rows of L and R. Allocates only if the size of c changes.
inline void multiply(const PackedRows& left, const PackedRows& right, Index count,
                     detail::ColumnMatrix<double>& c) {
  if (c.rows() != left.columns() || c.cols() != right.columns())
    c = detail::ColumnMatrix<double>(left.columns(), right.columns());
  std::fill(c.data(), c.data() + c.size(), 0.0);
  run_at(best_vector_level(),
         Product(left, right, count, Product::Part::whole, c.data(), c.rows()));
}

/// Packs the rows of a (count × columns) into `rows`. Allocates only if the size of `rows` changes.
template <class A>
void pack(const A& a, PackedRows& rows) {
  if (rows.capacity() != a.rows() || rows.columns() != a.cols())
    rows = PackedRows(a.rows(), a.cols());
  constexpr Index width = PackedRows::width;
  for (Index p = 0; p < rows.panels(); ++p) {
    double* const panel = rows.panel(p);
    const Index first = p * width;
    const Index count = std::min(width, a.cols() - first);
    if constexpr (bool(A::IsRowMajor)) {
      for (Index i = 0; i < a.rows(); ++i)
        for (Index j = 0; j < count; ++j) panel[i * width + j] = a(i, first + j);
    } else {
      for (Index j = 0; j < count; ++j)
        for (Index i = 0; i < a.rows(); ++i) panel[i * width + j] = a(i, first + j);
    }
  }
}

/// Returns the rows of a (count × columns), packed.
template <class A>
PackedRows packed(const A& a) {
  PackedRows rows;
  pack(a, rows);
  return rows;
}

/// Returns the approximate time of add_gram per row, in scalar multiply-adds.
inline double gram_cost(double in_row, Index size) {
  const auto columns = static_cast<double>(size);
  return std::min(in_row * (in_row + 4) / 2, 2 * in_row + columns * (columns + 24) / 16);
}

/// Computes the same sums as add_gram, always by products of packed rows.
template <class Row>
void add_full_gram(detail::ColumnMatrix<double>& matrix, Index count, Row&& row) {
  constexpr Index block = 128, width = PackedRows::width;
  const Index size = matrix.rows();
  PackedRows packed(std::min(block, count), size);
  const Index panels = packed.panels();
  std::vector<double> entries(static_cast<std::size_t>(panels * width));
  for (Index first = 0; first < count; first += block) {
    const Index in_block = std::min(block, count - first);
    for (Index k = 0; k < in_block; ++k) {
      double* const to = panels == 1 ? packed.panel(0) + k * width : entries.data();
      std::fill_n(to, panels * width, 0.0);
      row(first + k, [to](Index j, double value) { to[j] += value; });
      for (Index p = 0; p < panels && panels > 1; ++p)
        std::copy_n(to + p * width, width, packed.panel(p) + k * width);
    }
    run_at(best_vector_level(), symmetric_product(packed, in_block, matrix));
  }
}

/// Adds Σₖ rₖrₖᵀ for `count` rows r to the lower triangle of `matrix`. row(k, put) calls
/// put(j, entry) for the entries of row k, in ascending order of columns j. `in_row` is the mean
/// number of entries of a row. Adds entry by entry where this is faster than packing the rows.
template <class Row>
void add_gram(detail::ColumnMatrix<double>& matrix, Index count, double in_row, Row&& row) {
  const Index size = matrix.rows();
  if (gram_cost(in_row, size) < in_row * (in_row + 4) / 2) return add_full_gram(matrix, count, row);
  struct Entry {
    Index column;
    double value;
  };
  std::vector<Entry> entries(static_cast<std::size_t>(size));
  for (Index k = 0; k < count; ++k) {
    std::size_t length = 0;
    row(k, [&](Index j, double value) {
      if (length == entries.size()) entries.resize(2 * length);
      entries[length++] = {j, value};
    });
    const Entry* const last = entries.data() + length;
    for (const Entry* b = entries.data(); b < last; ++b) {
      double* const column = matrix.data() + b->column * size;
      for (const Entry* a = b; a < last; ++a) column[a->column] += b->value * a->value;
    }
  }
}

}  // namespace linea::detail::linear_algebra
