// SPDX-License-Identifier: MIT
#pragma once
/// \file Copies of selected rows.
#include <cstddef>
#include <linea/core/by_rows.hpp>
#include <linea/core/types.hpp>
#include <span>
#include <type_traits>  // remove_cvref

namespace linea {

/// Copies the given rows of dense x, in the given order, to a Matrix<T>.
template <DenseSamples X>
Matrix<scalar_t<X>> take_rows(const X& x, std::span<const Index> rows) {
  Matrix<scalar_t<X>> taken(static_cast<Index>(rows.size()), x.cols());
  for (std::size_t k = 0; k < rows.size(); ++k) taken.row(static_cast<Index>(k)) = x.row(rows[k]);
  return taken;
}

/// Copies rows of sparse x to a compressed SparseMatrix<T, J> with the same stored entries.
template <SparseSamples X>
SparseMatrix<scalar_t<X>, typename X::StorageIndex> take_rows(const X& given,
                                                              std::span<const Index> rows) {
  using J = typename X::StorageIndex;
  const auto& x = detail::by_rows(given);
  using Entry = typename std::remove_cvref_t<decltype(x)>::InnerIterator;
  SparseMatrix<scalar_t<X>, J> taken(static_cast<Index>(rows.size()), x.cols());
  J* const starts = taken.outerIndexPtr();
  Index entries = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (Entry entry(x, rows[k]); entry; ++entry) ++entries;
    starts[k + 1] = static_cast<J>(entries);
  }
  taken.resizeNonZeros(entries);
  Index at = 0;
  for (const Index row : rows)
    for (Entry entry(x, row); entry; ++entry, ++at) {
      taken.innerIndexPtr()[at] = static_cast<J>(entry.col());
      taken.valuePtr()[at] = entry.value();
    }
  return taken;
}

/// Copies rows of a view to a SparseMatrix<T>.
template <SampleView X>
SparseMatrix<scalar_t<X>> take_rows(const X& x, std::span<const Index> rows) {
  SparseMatrix<scalar_t<X>> taken(static_cast<Index>(rows.size()), x.cols());
  const auto from = rows_of(x);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto row = static_cast<Index>(k);
    taken.startVec(row);
    from.for_each(rows[k], [&](Index j, auto value) { taken.insertBack(row, j) = value; });
  }
  taken.finalize();
  return taken;
}

}  // namespace linea
