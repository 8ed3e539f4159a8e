// SPDX-License-Identifier: MIT
#pragma once
/// \file Sparse samples in memory or in a mapped file, passed without copies.
#include <linea/core/types.hpp>
#include <memory>
#include <utility>  // move

namespace program {

template <class T>
using EntriesViewOf = Eigen::Map<const linea::SparseMatrix<T>>;
using EntriesView = EntriesViewOf<double>;

/// Returns a view of x, which must be compressed.
template <class T>
EntriesViewOf<T> view_of(const linea::SparseMatrix<T>& x) {
  return {x.rows(), x.cols(), x.nonZeros(), x.outerIndexPtr(), x.innerIndexPtr(), x.valuePtr()};
}

/// Returns sparse samples, built row by row: fill(i, put) calls put(column, value) for the entries
/// of row i, in ascending columns. `expected` is the number of entries, or 0 if it is unknown.
template <class Fill>
linea::SparseMatrix<double> sparse_rows(linea::Index rows, linea::Index cols, Fill&& fill,
                                        linea::Index expected = 0) {
  linea::SparseMatrix<double> x(rows, cols);
  x.reserve(expected);
  for (linea::Index i = 0; i < rows; ++i) {
    x.startVec(i);
    fill(i, [&](linea::Index column, double value) { x.insertBack(i, column) = value; });
  }
  x.finalize();
  return x;
}

/// Immutable sparse samples (n × d). Copies share the data, and the last copy frees them.
class Entries {
 public:
  Entries() : Entries(linea::SparseMatrix<double>(0, 0)) {}

  Entries(linea::SparseMatrix<double>&& x) {
    auto own = std::make_shared<linea::SparseMatrix<double>>();
    own->swap(x);
    own->makeCompressed();
    view_ = std::make_shared<const EntriesView>(view_of(*own));
    owner_ = std::move(own);
  }

  /// Holds a view of data owned by `owner`.
  Entries(std::shared_ptr<const void> owner, const EntriesView& view)
      : owner_(std::move(owner)), view_(std::make_shared<const EntriesView>(view)) {}

  const EntriesView& view() const { return *view_; }
  operator const EntriesView&() const { return *view_; }

  linea::Index rows() const { return view_->rows(); }
  linea::Index cols() const { return view_->cols(); }
  linea::Index nonZeros() const { return view_->nonZeros(); }

  /// Returns the rows [begin, begin + count) with `cols` columns, which must include all entries.
  Entries part(linea::Index begin, linea::Index count, linea::Index cols) const {
    const EntriesView& all = *view_;
    const int* const starts = all.outerIndexPtr() + begin;
    return {owner_, EntriesView(count, cols, starts[count] - starts[0], starts, all.innerIndexPtr(),
                                all.valuePtr())};
  }

 private:
  std::shared_ptr<const void> owner_{};
  std::shared_ptr<const EntriesView> view_{};
};

}  // namespace program
