// SPDX-License-Identifier: MIT
#pragma once
/// \file Rows of a row-major sparse matrix, compressed or not, read in place.
#include <linea/core/types.hpp>

namespace linea {

/// Entries that name the same column twice count as their sum in `dot` and `add`.
template <Scalar T, class I>
class SparseRows {
 public:
  using Scalar = T;
  static constexpr bool is_sparse = true;
  static constexpr bool is_packed = true;

  template <SparseSamples X>
  explicit SparseRows(const X& x)
      : values_(x.valuePtr()),
        columns_(x.innerIndexPtr()),
        starts_(x.outerIndexPtr()),
        counts_(x.innerNonZeroPtr()),
        rows_(x.rows()),
        cols_(x.cols()) {}

  /// One row given by its parts; `range` = {0, count} must outlive this object.
  SparseRows(const T* values, const I* columns, const I* range, Index cols)
      : values_(values), columns_(columns), starts_(range), rows_(1), cols_(cols) {}

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Index entries() const {
    Index entries = 0;
    for (Index i = 0; i < rows_; ++i) entries += end(i) - begin(i);
    return entries;
  }
  /// The mean over the rows.
  Index row_bytes() const {
    return rows_ ? entries() * static_cast<Index>(sizeof(T) + sizeof(I)) / rows_ : 0;
  }

  T dot(Index i, const Vector<T>& w) const { return dot(i, w, i); }

  /// The same, and fetches row `ahead` into the cache meanwhile.
  T dot(Index i, const Vector<T>& w, Index ahead) const {
    fetch(ahead);
    const Index last = end(i);
    const T* weights = w.data();
    T sums[4] = {};
    Index k = begin(i);
    for (; k + 4 <= last; k += 4)
      for (Index lane = 0; lane < 4; ++lane)
        sums[lane] += values_[k + lane] * weights[columns_[k + lane]];
    for (; k < last; ++k) sums[0] += values_[k] * weights[columns_[k]];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }

  void add(Index i, T a, Vector<T>& v) const {
    const Index last = end(i);
    const T* values = values_;
    const I* columns = columns_;
    T* weights = v.data();
    for (Index k = begin(i); k < last; ++k) weights[columns[k]] += a * values[k];
  }

  T squared_norm(Index i) const {
    T sum{0};
    for (Index k = begin(i); k < end(i); ++k) sum += values_[k] * values_[k];
    return sum;
  }

  /// Calls f(j, xᵢⱼ) for every stored entry of row i.
  template <class F>
  void for_each(Index i, F&& f) const {
    for (Index k = begin(i); k < end(i); ++k) f(static_cast<Index>(columns_[k]), values_[k]);
  }

  /// The same for the columns in [first, last) only; scans the row.
  template <class F>
  void for_each_between(Index i, Index first, Index last, F&& f) const {
    for_each(i, [&](Index j, T value) {
      if (first <= j && j < last) f(j, value);
    });
  }

  void scores(Index first, Index count, const Vector<T>& w, Vector<T>& scores) const {
    for (Index k = 0; k < count; ++k) scores[k] = dot(first + k, w);
  }

 private:
  Index begin(Index i) const { return static_cast<Index>(starts_[i]); }
  Index end(Index i) const {
    return counts_ ? begin(i) + static_cast<Index>(counts_[i]) : static_cast<Index>(starts_[i + 1]);
  }

  void fetch(Index i) const {
    const Index first = begin(i);
    const Index last = end(i);
    for (Index k = first; k < last; k += 64 / static_cast<Index>(sizeof(T)))
      __builtin_prefetch(values_ + k, 0, 2);
    for (Index k = first; k < last; k += 64 / static_cast<Index>(sizeof(I)))
      __builtin_prefetch(columns_ + k, 0, 2);
  }

  const T* values_;
  const I* columns_;
  const I* starts_;
  const I* counts_{nullptr};  // of an uncompressed matrix, whose rows have gaps between them
  Index rows_;
  Index cols_;
};

}  // namespace linea
