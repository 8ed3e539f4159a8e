// SPDX-License-Identifier: MIT
#pragma once
/// \file Views of the rows of a matrix and of single samples, and the validation of their entries.
#include <linea/core/by_rows.hpp>
#include <linea/core/require.hpp>
#include <linea/core/validate.hpp>
#include <linea/rows/dense.hpp>
#include <linea/rows/sparse.hpp>
#include <memory>  // make_shared
#include <string_view>
#include <vector>

namespace linea {

namespace detail::rows {

/// Returns a view of the rows of x with entries of type U. x must outlive the view. For a
/// column-major sparse x the view owns a row-major copy; all other views copy no entries.
template <Scalar U, DenseSamples X>
auto rows_as(const X& x) {
  constexpr bool contiguous = X::IsRowMajor && X::InnerStrideAtCompileTime == 1;
  return DenseRows<scalar_t<X>, contiguous, U>(x);
}

template <Scalar U, SparseSamples X>
auto rows_as(const X& x) {
  using T = scalar_t<X>;
  using J = typename X::StorageIndex;
  if constexpr (is_column_major_sparse<X>)
    return SparseRows<T, J, U>(std::make_shared<const SparseMatrix<T, J>>(detail::by_rows(x)));
  else
    return SparseRows<T, J, U>(x);
}

/// Returns one sample, a row or a dense column vector (d), as a row with entries of type U.
template <Scalar U, SampleMatrix X>
auto row_as(const X& sample) {
  if constexpr (X::ColsAtCompileTime == 1 && X::RowsAtCompileTime != 1)
    return rows_as<U>(sample.transpose());
  else
    return rows_as<U>(sample);
}

}  // namespace detail::rows

/// Returns a view of the rows of x with entries of the scalar type of x.
template <SampleMatrix X>
auto rows_of(const X& x) {
  return detail::rows::rows_as<scalar_t<X>>(x);
}

/// Returns one sample, a row or a dense column vector (d), as a row.
template <SampleMatrix X>
  requires(DenseSamples<X> || !bool(X::IsVectorAtCompileTime))
auto row_of(const X& sample) { return detail::rows::row_as<scalar_t<X>>(sample); }

namespace detail::rows {

/// A sparse vector as the only row of a sparse matrix. The class cannot be copied because its base
/// class points to range_.
template <Scalar T, class J>
class SparseVectorRow : public SparseRows<T, J> {
 public:
  template <SparseExpression X>
  explicit SparseVectorRow(const X& sample)
      : SparseRows<T, J>(sample.valuePtr(), sample.innerIndexPtr(), range_, sample.size()) {
    const J* const starts = sample.outerIndexPtr();  // none of an Eigen::SparseVector
    const J* const counts = sample.innerNonZeroPtr();
    range_[0] = starts ? starts[0] : 0;
    range_[1] = starts && !counts ? starts[1] : range_[0] + static_cast<J>(sample.nonZeros());
  }
  SparseVectorRow(const SparseVectorRow&) = delete;
  SparseVectorRow& operator=(const SparseVectorRow&) = delete;

 private:
  J range_[2]{};
};

}  // namespace detail::rows

/// Returns a sparse vector, a row of a row-major sparse matrix, or a column of a column-major one,
/// as a row. Transposes of these are accepted, too.
template <SparseExpression X>
  requires(bool(X::IsVectorAtCompileTime) && Scalar<typename X::Scalar>)
auto row_of(const X& sample) {
  return detail::rows::SparseVectorRow<typename X::Scalar, typename X::StorageIndex>(sample);
}

/// Returns a row of a Map or Ref of sparse samples, which Eigen does not regard as compressed.
template <SparseExpression X, int Cols>
  requires(bool(X::IsRowMajor) && !SparseExpression<Eigen::Block<X, 1, Cols, true>>)
auto row_of(const Eigen::Block<X, 1, Cols, true>& sample) {
  using Row = SparseMatrix<typename X::Scalar, typename X::StorageIndex>;
  const auto& x = sample.nestedExpression();
  const Index i = sample.startRow();
  const auto* const counts = x.innerNonZeroPtr();
  return rows_of(Eigen::Map<const Row>(1, x.cols(), x.nonZeros(), x.outerIndexPtr() + i,
                                       x.innerIndexPtr(), x.valuePtr(),
                                       counts ? counts + i : nullptr));
}

/// One sample (d) with entries of type T: a row or column vector, a row of a matrix, a sparse
/// vector, or in_double of one of these.
template <class X, class T>
concept SingleSample = requires(const X& sample) {
  row_of(sample);
}
&&std::same_as<typename X::Scalar, T>;

namespace detail::rows {

/// Throws if an entry is not finite or above largest_number. The message names its row and column,
/// counted from 0. Cost: O(entries).
template <class Rows>
void require_entries(std::string_view function, const Rows& rows) {
  if (rows.all_in_range()) [[likely]]
    return;
  for (Index i = 0; i < rows.rows(); ++i)
    rows.for_each(i, [&](Index j, auto value) {
      require_in_range(function, static_cast<double>(value), "x(", i, ", ", j, ")");
    });
}

/// Throws if a sparse row has a column twice: dot products would add the two entries, but sums of
/// squares would not. (Eigen's setFromTriplets adds up such entries.) Also throws if a column is
/// not in [0, d) or rows overlap, as in a Map of invalid arrays. Call this function before reading
/// entries.
template <class Rows>
void require_distinct(std::string_view function, const Rows& rows) {
  if constexpr (Rows::is_sparse) {
    if (rows.all_ascending()) [[likely]]
      return;
    if constexpr (requires { rows.first_misplaced(); })
      require(rows.first_misplaced() == rows.rows(), function, ": row ", rows.first_misplaced(),
              " of x overlaps the row before it, or ends behind the last entry");
    std::vector<Index> row_of_column;
    for (Index i = 0; i < rows.rows(); ++i) {
      Index before = -1;
      bool ascending = true;
      rows.for_each(i, [&](Index j, auto) {
        require(0 <= j && j < rows.cols(), function, ": row ", i, " of x names column ", j,
                ", but x has ", rows.cols(), " columns");
        ascending = ascending && before < j;
        before = j;
      });
      if (ascending) [[likely]]
        continue;
      row_of_column.resize(static_cast<std::size_t>(rows.cols()), -1);
      rows.for_each(i, [&](Index j, auto) {
        auto& last = row_of_column[static_cast<std::size_t>(j)];
        require(last != i, function, ": row ", i, " of x names column ", j, " twice");
        last = i;
      });
    }
  }
}

/// Returns rows_of(x) for a call that needs no finite entries. Throws as require_distinct does, so
/// that no row reads beyond the d weights.
template <AnySamples X>
auto valid_rows(std::string_view function, const X& x) {
  auto rows = rows_of(x);
  require_distinct(function, rows);
  return rows;
}

}  // namespace detail::rows

}  // namespace linea
