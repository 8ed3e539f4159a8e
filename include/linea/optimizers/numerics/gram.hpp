// SPDX-License-Identifier: MIT
#pragma once
/// \file Σ rrᵀ of rows that are full or mostly 0, whichever way is the cheaper for them.
#include <algorithm>  // fill, min
#include <cstddef>
#include <linea/optimizers/numerics/product.hpp>
#include <vector>

namespace linea::numerics {

/// About how many operations Σ rrᵀ of such rows takes for each of them, by add_gram.
inline double gram_cost(double in_row, Index size) {
  const auto columns = static_cast<double>(size);
  return std::min(in_row * (in_row + 4) / 2, 2 * in_row + columns * (columns + 24) / 16);
}

/// The same, all columns of some rows at once, with the widest vectors.
template <class Row>
void add_full_gram(core::ColumnMatrix<double>& matrix, Index count, Row&& row) {
  constexpr Index block = 128, width = PackedRows::width;
  const Index size = matrix.rows();
  std::vector<double*> places(static_cast<std::size_t>(size));
  PackedRows packed(std::min(block, count), size);
  for (Index j = 0; j < size; ++j)
    places[static_cast<std::size_t>(j)] = packed.panel(j / width) + j % width;
  for (Index first = 0; first < count; first += block) {
    const Index in_block = std::min(block, count - first);
    if (first > 0)
      for (Index p = 0; p < packed.panels(); ++p)
        std::fill(packed.panel(p), packed.panel(p) + in_block * width, 0.0);
    for (Index k = 0; k < in_block; ++k)
      row(first + k,
          [&](Index j, double value) { places[static_cast<std::size_t>(j)][k * width] += value; });
    run_at(best_vector_level(), symmetric_product(packed, in_block, matrix));
  }
}

/// Adds Σₖ rₖrₖᵀ for `count` rows r to the lower triangle of `matrix`. row(k, put) calls put(j,
/// entry) for the entries of row k, columns ascending; `in_row` is about their number. Entry by
/// entry where that is the cheaper.
template <class Row>
void add_gram(core::ColumnMatrix<double>& matrix, Index count, double in_row, Row&& row) {
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

}  // namespace linea::numerics
