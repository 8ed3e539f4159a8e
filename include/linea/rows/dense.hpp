// SPDX-License-Identifier: MIT
#pragma once
/// \file Rows of a dense matrix, read in place whatever its strides.
#include <algorithm>  // min
#include <linea/core/types.hpp>

namespace linea {

/// `Contiguous`: the entries of a row lie side by side (row-major, inner stride 1), which the
/// compiler turns into vector code. Otherwise they lie `column_stride` scalars apart.
template <Scalar T, bool Contiguous>
class DenseRows {
 public:
  using Scalar = T;
  static constexpr bool is_sparse = false;

  template <DenseSamples X>
  explicit DenseRows(const X& x)
      : data_(x.data()),
        rows_(x.rows()),
        cols_(x.cols()),
        row_stride_(X::IsRowMajor ? x.outerStride() : x.innerStride()),
        column_stride_(X::IsRowMajor ? x.innerStride() : x.outerStride()) {}

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Index row_bytes() const { return cols_ * static_cast<Index>(sizeof(T)); }

  /// ⟨xᵢ, w⟩.
  T dot(Index i, const Vector<T>& w) const { return row(i).dot(w); }

  /// v ← v + a·xᵢ.
  void add(Index i, T a, Vector<T>& v) const { v.noalias() += a * row(i); }

  T squared_norm(Index i) const { return row(i).squaredNorm(); }

  /// Calls f(j, xᵢⱼ) for every entry of row i, in column order.
  template <class F>
  void for_each(Index i, F&& f) const {
    const T* entry = start(i);
    for (Index j = 0; j < cols_; ++j) f(j, entry[j * column_stride()]);
  }

  /// The same for the columns in [first, last) only.
  template <class F>
  void for_each_between(Index i, Index first, Index last, F&& f) const {
    const T* entry = start(i);
    for (Index j = first; j < last; ++j) f(j, entry[j * column_stride()]);
  }

  /// scores[k] = ⟨x_{first+k}, w⟩ for count rows.
  void scores(Index first, Index count, const Vector<T>& w, Vector<T>& scores) const {
    if constexpr (Contiguous) {
      for (Index k = 0; k < count; ++k) scores[k] = dot(first + k, w);
    } else {
      const Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>, 0,
                       Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>
          block(start(first), count, cols_, {column_stride_, row_stride_});
      scores.head(count).noalias() = block * w;
    }
  }

  void prefetch(Index i) const {
    if constexpr (Contiguous) {
      const auto* line = reinterpret_cast<const char*>(start(i));
      const Index bytes = std::min<Index>(row_bytes(), 1024);
      for (Index offset = 0; offset < bytes; offset += 64) __builtin_prefetch(line + offset);
    }
  }

 private:
  static constexpr int inner_stride = Contiguous ? 1 : Eigen::Dynamic;

  Index column_stride() const { return Contiguous ? 1 : column_stride_; }
  const T* start(Index i) const { return data_ + i * row_stride_; }
  auto row(Index i) const {
    return Eigen::Map<const Vector<T>, 0, Eigen::InnerStride<inner_stride>>(
        start(i), cols_, Eigen::InnerStride<inner_stride>(column_stride()));
  }

  const T* data_;
  Index rows_;
  Index cols_;
  Index row_stride_;
  Index column_stride_;
};

}  // namespace linea
