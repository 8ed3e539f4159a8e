// SPDX-License-Identifier: MIT
#pragma once
/// \file From a matrix to its rows: the one place where layouts part ways.
#include <cmath>  // isfinite
#include <linea/core/require.hpp>
#include <linea/rows/dense.hpp>
#include <linea/rows/sparse.hpp>
#include <string_view>

namespace linea {

/// A light view of the rows of x, which must outlive it. No entry is copied.
template <DenseSamples X>
auto rows_of(const X& x) {
  constexpr bool contiguous = X::IsRowMajor && X::InnerStrideAtCompileTime == 1;
  return DenseRows<scalar_t<X>, contiguous>(x);
}

template <SparseSamples X>
auto rows_of(const X& x) {
  return SparseRows<scalar_t<X>, typename X::StorageIndex>(x);
}

/// A column vector (d) is one sample, as if it were a row.
template <DenseSamples X>
  requires(X::ColsAtCompileTime == 1 && X::RowsAtCompileTime != 1)
auto row_of(const X& sample) { return rows_of(sample.transpose()); }

template <DenseSamples X>
  requires(X::ColsAtCompileTime != 1)
auto row_of(const X& sample) { return rows_of(sample); }

template <SparseSamples X>
auto row_of(const X& sample) {
  return rows_of(sample);
}

/// Refuses rows that are not finite, naming row and column from 0. Costs one pass: an entry that is
/// not finite makes the squared norm of its row so.
template <class Rows>
void require_finite(std::string_view function, const Rows& rows) {
  for (Index i = 0; i < rows.rows(); ++i) {
    if (std::isfinite(rows.squared_norm(i))) [[likely]]
      continue;
    rows.for_each(i, [&](Index j, auto value) {
      require(std::isfinite(value), function, ": x(", i, ", ", j, ") is not finite");
    });
  }
}

}  // namespace linea
