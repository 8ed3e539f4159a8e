// SPDX-License-Identifier: MIT
#pragma once
/// \file Row-major copies of sparse samples that are stored by columns (CSC in SciPy), and the
/// entries of one row.
#include <limits>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <string_view>
#include <utility>  // pair

namespace linea::detail {

/// Returns a compressed row-major copy of column-major sparse x (n × d), with ascending columns in
/// each row. Returns any other x itself. O(non-zeros + n + d). Throws std::invalid_argument if a
/// column overlaps the previous column, ends behind the last entry, or has an entry whose row is
/// not in [0, n).
template <class X>
decltype(auto) by_rows(const X& x) {
  if constexpr (is_column_major_sparse<X>) {
    using J = typename X::StorageIndex;
    const J* const starts = x.outerIndexPtr();
    const J* const counts = x.innerNonZeroPtr();  // nullptr if x is compressed
    const J* const rows = x.innerIndexPtr();
    const auto end = [&](Index j) -> Index {
      return counts ? starts[j] + counts[j] : starts[j + 1];
    };
    const Index most = counts ? std::numeric_limits<Index>::max() : x.nonZeros();
    SparseMatrix<scalar_t<X>, J> copy(x.rows(), x.cols());
    J* const places = copy.outerIndexPtr();
    for (Index j = 0, last = 0; j < x.cols(); last = end(j), ++j) {
      require(last <= starts[j] && starts[j] <= end(j) && end(j) - starts[0] <= most,
              "rows_of: column ", j,
              " of x overlaps the column before it, or ends behind the last entry");
      for (Index k = starts[j]; k < end(j); ++k) {
        require(0 <= rows[k] && rows[k] < x.rows(), "rows_of: column ", j, " of x names row ",
                rows[k], ", but x has ", x.rows(), " rows");
        ++places[rows[k]];
      }
    }
    for (Index i = 0; i < x.rows(); ++i) places[i + 1] = static_cast<J>(places[i + 1] + places[i]);
    copy.resizeNonZeros(places[x.rows()]);
    // Here places[i] is the end of row i. The loop decreases it to the start of row i.
    for (Index j = x.cols() - 1; j >= 0; --j)
      for (Index k = end(j) - 1; k >= starts[j]; --k) {
        const J place = --places[rows[k]];
        copy.innerIndexPtr()[place] = static_cast<J>(j);
        copy.valuePtr()[place] = x.valuePtr()[k];
      }
    return copy;
  } else {
    return (x);
  }
}

/// Returns the range [begin, end) of the entries of row i of row-major sparse x. Throws
/// std::invalid_argument if they are not entries of x, as in a Map of invalid arrays. O(1).
template <class X>
std::pair<Index, Index> entries_of_row(std::string_view function, const X& x, Index i) {
  const auto* const starts = x.outerIndexPtr();
  const auto* const counts = x.innerNonZeroPtr();  // nullptr if x is compressed
  const Index begin = starts[i];
  const Index end = counts ? begin + counts[i] : starts[i + 1];
  require(starts[0] <= begin && begin <= end && (counts || end - starts[0] <= x.nonZeros()),
          function, ": row ", i, " of x overlaps the row before it, or ends behind the last entry");
  return {begin, end};
}

}  // namespace linea::detail
