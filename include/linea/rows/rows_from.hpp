// SPDX-License-Identifier: MIT
#pragma once
/// \file Samples that a function produces entry by entry, without a matrix.
#include <cstdint>
#include <linea/core/require.hpp>
#include <linea/core/rows.hpp>
#include <linea/core/types.hpp>
#include <linea/rows/kernels.hpp>
#include <utility>  // move

namespace linea {

/// A function f(i, entry) that calls entry(j, xᵢⱼ) for the non-zero entries of row i in ascending
/// order of columns.
template <class F, class T>
concept RowFunction = detail::CopyConstructible<F> &&
    requires(const F& f, Index i, EntryVisitor<T> entry) {
  f(i, entry);
};

/// Samples (n × d) that a RowFunction produces. The object is x and the rows of x at the same time
/// (see RowsOf). Every pass calls the function for every row. See rows_from.
template <Scalar T, RowFunction<T> F>
class RowsFrom {
 public:
  using Scalar = T;
  static constexpr bool is_sparse = true;
  static constexpr bool is_packed = true;

  RowsFrom(Index rows, Index cols, F f) : rows_(rows), cols_(cols), f_(std::move(f)) {
    require(rows >= 0 && cols >= 0, "rows_from: ", rows, " rows of ", cols);
    for (Index i = 0; i < rows; ++i)
      for_each(i, [&](Index j, T) {
        require(j >= 0 && j < cols, "rows_from: row ", i, " names column ", j, " of ", cols);
        ++entries_;
      });
  }

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Index entries() const { return entries_; }
  Index row_bytes() const {
    constexpr std::int64_t each = sizeof(T) + sizeof(int);
    return rows_ ? detail::to<Index>(entries_ * each / rows_) : 0;
  }

  template <class V>
  void for_each(Index i, V&& visit) const {
    f_(i, visit);
  }
  template <class V>
  void for_each_between(Index i, Index first, Index last, V&& visit) const {
    for_each(i, [&](Index j, T value) {
      if (first <= j && j < last) visit(j, value);
    });
  }

  T dot(Index i, const Vector<T>& w) const {
    T sum{0};
    for_each(i, [&](Index j, T value) { sum += value * w[j]; });
    return sum;
  }
  T dot(Index i, const Vector<T>& w, Index) const { return dot(i, w); }
  void add(Index i, T a, Vector<T>& v) const {
    for_each(i, [&](Index j, T value) { v[j] += a * value; });
  }
  T squared_norm(Index i) const {
    T sum{0};
    for_each(i, [&](Index, T value) { sum += value * value; });
    return sum;
  }
  void scores(Index first, Index count, const Vector<T>& w, T* scores) const {
    for (Index k = 0; k < count; ++k) scores[k] = dot(first + k, w);
  }
  void add_up(Index first, Index count, const T* coefficients, Vector<T>& v) const {
    for (Index k = 0; k < count; ++k)
      if (coefficients[k] != T(0)) add(first + k, coefficients[k], v);
  }

  const F& function() const { return f_; }

  bool all_in_range() const {
    bool inside = true;
    for (Index i = 0; i < rows_; ++i)
      for_each(i, [&](Index, T value) { inside &= detail::rows::all_in_range(&value, 1); });
    return inside;
  }
  bool all_ascending() const {
    bool ascending = true;
    for (Index i = 0; i < rows_; ++i) {
      Index before = -1;
      for_each(i, [&](Index j, T) {
        ascending &= before < j;
        before = j;
      });
    }
    return ascending;
  }

 private:
  Index rows_;
  Index cols_;
  F f_;
  Index entries_{0};
};

template <class T, class F>
inline constexpr bool is_sample_view<RowsFrom<T, F>> = true;

template <class T, class F>
RowsFrom<T, F> rows_of(const RowsFrom<T, F>& x) {
  return x;
}

/// Returns samples x (n × d). f(i, entry) must call entry(j, xᵢⱼ) for each non-zero entry of row i.
/// Every optimizer accepts such samples. Throws std::invalid_argument for a negative n or d, and
/// for a column that is not in [0, d).
///
///     const auto x = rows_from<double>(n, d, [&](Index i, auto&& entry) { entry(word[i], 1.0); });
template <Scalar T, RowFunction<T> F>
RowsFrom<T, F> rows_from(Index n, Index d, F f) {
  return {n, d, std::move(f)};
}

}  // namespace linea
