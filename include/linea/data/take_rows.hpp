// SPDX-License-Identifier: MIT
#pragma once
/// \file Copies of selected rows. Throws std::invalid_argument for a row that is not in [0, n), and
/// for a column of sparse x that is not in [0, d).
#include <cstddef>
#include <linea/core/by_rows.hpp>
#include <linea/core/numbers.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <span>
#include <type_traits>  // remove_cvref

namespace linea {

namespace detail {

inline void require_rows(std::span<const Index> rows, Index n) {
  for (const Index row : rows)
    require(0 <= row && row < n, "take_rows: row ", row, ", but x has ", n, " rows");
}

/// Returns column j. Throws unless it is in [0, d).
inline Index column_within(Index row, Index j, Index d) {
  require(0 <= j && j < d, "take_rows: row ", row, " of x names column ", j, ", but x has ", d,
          " columns");
  return j;
}

}  // namespace detail

/// Copies the given rows of dense x, in the given order, to a Matrix<T>.
template <DenseSamples X>
  requires(X::ColsAtCompileTime != 1)
Matrix<scalar_t<X>> take_rows(const X& x, std::span<const Index> rows) {
  detail::require_rows(rows, x.rows());
  Matrix<scalar_t<X>> taken(static_cast<Index>(rows.size()), x.cols());
  for (std::size_t k = 0; k < rows.size(); ++k) taken.row(static_cast<Index>(k)) = x.row(rows[k]);
  return taken;
}

/// Copies the given elements of a vector or a list of numbers, such as targets, to a vector of the
/// same numbers.
template <Numbers V>
  requires(NumberRange<V> || V::ColsAtCompileTime == 1)
auto take_rows(const V& numbers, std::span<const Index> rows) {
  const auto& all = detail::vector_of(numbers);
  detail::require_rows(rows, all.size());
  Vector<typename std::remove_cvref_t<decltype(all)>::Scalar> taken(
      static_cast<Index>(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) taken[static_cast<Index>(k)] = all.coeff(rows[k]);
  return taken;
}

/// Copies rows of sparse x to a compressed SparseMatrix<T, J> with the same stored entries.
template <SparseSamples X>
SparseMatrix<scalar_t<X>, typename X::StorageIndex> take_rows(const X& given,
                                                              std::span<const Index> rows) {
  using J = typename X::StorageIndex;
  const auto& x = detail::by_rows(given);
  detail::require_rows(rows, x.rows());
  SparseMatrix<scalar_t<X>, J> taken(static_cast<Index>(rows.size()), x.cols());
  J* const starts = taken.outerIndexPtr();
  Index entries = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto [begin, end] = detail::entries_of_row("take_rows", x, rows[k]);
    entries += end - begin;
    starts[k + 1] = static_cast<J>(entries);
  }
  taken.resizeNonZeros(entries);
  Index at = 0;
  for (const Index row : rows) {
    const auto [begin, end] = detail::entries_of_row("take_rows", x, row);
    for (Index k = begin; k < end; ++k, ++at) {
      taken.innerIndexPtr()[at] =
          static_cast<J>(detail::column_within(row, x.innerIndexPtr()[k], x.cols()));
      taken.valuePtr()[at] = x.valuePtr()[k];
    }
  }
  return taken;
}

/// Copies rows of a view to a SparseMatrix<T>.
template <SampleView X>
SparseMatrix<scalar_t<X>> take_rows(const X& x, std::span<const Index> rows) {
  detail::require_rows(rows, x.rows());
  SparseMatrix<scalar_t<X>> taken(static_cast<Index>(rows.size()), x.cols());
  const auto from = rows_of(x);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto row = static_cast<Index>(k);
    taken.startVec(row);
    from.for_each(rows[k], [&](Index j, auto value) {
      taken.insertBack(row, detail::column_within(rows[k], j, x.cols())) = value;
    });
  }
  taken.finalize();
  return taken;
}

}  // namespace linea
