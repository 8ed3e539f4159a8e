// SPDX-License-Identifier: MIT
#pragma once
/// \file Rows of a dense matrix with any strides, read without a copy.
#include <algorithm>  // max, min
#include <concepts>   // same_as
#include <cstdint>
#include <linea/core/rows.hpp>
#include <linea/core/types.hpp>
#include <linea/rows/kernels.hpp>
#include <span>
#include <type_traits>  // decay

namespace linea::detail::rows {

/// Rows of a dense matrix. With `Contiguous` the entries of a row are adjacent, as the kernels
/// require. Otherwise an epoch packs the rows that it visits next.
///
/// Entries are stored as T, converted to U as they are read, and summed in U. With an origin o, row
/// i reads as xᵢ − o, subtracted in U.
template <Scalar T, bool Contiguous, Scalar U = T>
class DenseRows {
 public:
  using Scalar = U;
  static constexpr bool is_sparse = false;
  static constexpr bool is_packed = Contiguous;

  template <DenseSamples X>
  explicit DenseRows(const X& x)
      : data_(x.data()),
        rows_(x.rows()),
        cols_(x.cols()),
        row_stride_(X::IsRowMajor ? x.outerStride() : x.innerStride()),
        column_stride_(X::IsRowMajor ? x.innerStride() : x.outerStride()) {}

  /// Returns the same rows minus `origin` (d), or without an origin for nullptr. `origin` must
  /// outlive the result.
  DenseRows relative_to(const U* origin) const {
    DenseRows moved = *this;
    moved.origin_ = origin;
    return moved;
  }

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Index entries() const { return rows_ * cols_; }
  /// Returns the number of bytes of a row as an epoch reads it, in place or packed.
  Index row_bytes() const { return cols_ * static_cast<Index>(Contiguous ? sizeof(T) : sizeof(U)); }
  const T* start(Index i) const { return data_ + i * row_stride_; }
  /// Returns the entries of row i, if they are adjacent and need no change, or else nullptr.
  const U* in_place(Index i) const requires std::same_as<T, U> {
    return Contiguous && !origin_ ? start(i) : nullptr;
  }

  /// Returns ⟨xᵢ, w⟩.
  U dot(Index i, const Vector<U>& w) const { return dot(i, w, i); }

  /// Returns ⟨xᵢ, w⟩. If Contiguous, also fetches row `ahead` into the cache.
  U dot(Index i, const Vector<U>& w, Index ahead) const {
    if constexpr (Contiguous)
      return rows::dot<U>(start(i), w.data(), cols_, start(ahead), origin_);
    else if (origin_) [[unlikely]]
      return (row(i) - origin()).dot(w);
    else
      return row(i).dot(w);
  }

  /// Sets v ← v + a·xᵢ.
  void add(Index i, U a, Vector<U>& v) const {
    if constexpr (Contiguous)
      rows::add(start(i), a, v.data(), cols_, origin_);
    else if (origin_) [[unlikely]]
      v += a * (row(i) - origin());
    else
      v.noalias() += a * row(i);
  }

  /// Calls add(i, a, v) and returns dot(k, v, ahead), in one pass over v. The results have the same
  /// bits as those of two calls.
  U add_then_dot(Index i, U a, Vector<U>& v, Index k, Index ahead) const requires Contiguous {
    return rows::add_then_dot(start(i), a, v.data(), start(k), cols_, start(ahead), origin_);
  }

  U squared_norm(Index i) const {
    if constexpr (Contiguous)
      if (!origin_) [[likely]]
        return rows::dot<U>(start(i), start(i), cols_, start(i));
    U sum{0};
    for_each(i, [&](Index, U entry) { sum += entry * entry; });
    return sum;
  }

  /// Copies row arrivals[k] of x to row places[k] of `packed`, for all k: fast if many consecutive
  /// arrivals are consecutive rows of x.
  void pack(std::span<const std::uint32_t> arrivals, std::span<const std::uint32_t> places,
            Matrix<U>& packed) const {
    // `tile` columns fill one cache line of a packed row. Each step also fetches the next tile.
    constexpr Index tile = rows::line_bytes / static_cast<Index>(sizeof(U));
    constexpr auto line = static_cast<std::size_t>(rows::line_bytes) / sizeof(T);
    for (std::size_t k = 0; k < arrivals.size();) {
      std::size_t run = 1;
      while (k + run < arrivals.size() && arrivals[k + run] == arrivals[k] + run) ++run;
      const T* from = start(static_cast<Index>(arrivals[k]));
      for (Index j = 0; j < cols_; j += tile, from += tile * column_stride()) {
        const Index width = std::min(tile, cols_ - j);
        const Index coming = std::min(tile, cols_ - j - width);
        for (std::size_t r = 0; r < run; ++r) {
          const T* entry = from + static_cast<Index>(r) * row_stride_;
          if (r % line == 0)
            for (Index c = 0; c < coming; ++c)
              __builtin_prefetch(entry + (tile + c) * column_stride());
          U* to = &packed(static_cast<Index>(places[k + r]), j);
          if (width == tile)
            for (Index c = 0; c < tile; ++c) to[c] = static_cast<U>(entry[c * column_stride()]);
          else
            for (Index c = 0; c < width; ++c) to[c] = static_cast<U>(entry[c * column_stride()]);
        }
      }
      k += run;
    }
    if (origin_) [[unlikely]]
      for (std::size_t k = 0; k < arrivals.size(); ++k)
        packed.row(static_cast<Index>(places[k])).head(cols_) -= origin().transpose();
  }

  /// Returns whether all entries are in range. Reads them in memory order.
  bool all_in_range() const {
    const bool by_rows = column_stride() <= row_stride_;
    const Index lines = by_rows ? rows_ : cols_;
    const Index length = by_rows ? cols_ : rows_;
    const Index apart = by_rows ? row_stride_ : column_stride();
    const Index step = by_rows ? column_stride() : row_stride_;
    if (step == 1 && apart == length) return rows::all_in_range(data_, lines * length);
    bool inside = true;
    for (Index line = 0; line < lines && inside; ++line) {
      const T* entry = data_ + line * apart;
      if (step == 1)
        inside = rows::all_in_range(entry, length);
      else
        for (Index k = 0; k < length; ++k) inside &= rows::all_in_range(entry + k * step, 1);
    }
    return inside;
  }

  /// Calls f(j, xᵢⱼ) for every entry of row i, in column order.
  template <class F>
  void for_each(Index i, F&& f) const {
    for_each_between(i, 0, cols_, f);
  }

  /// Calls f(j, xᵢⱼ) for the columns j in [first, last) of row i.
  template <class F>
  void for_each_between(Index i, Index first, Index last, F&& f) const {
    const T* entry = start(i);
    for (Index j = first; j < last; ++j)
      f(j, static_cast<U>(entry[j * column_stride()]) - (origin_ ? origin_[j] : 0));
  }

  /// Sets scores[k] = ⟨x_{first+k}, w⟩ for `count` rows.
  void scores(Index first, Index count, const Vector<U>& w, U* scores) const {
    if constexpr (Contiguous) {
      const Index ahead = 4096 / std::max<Index>(row_bytes(), 1) + 1;
      for (Index k = first; k < first + count; ++k)
        scores[k - first] = dot(k, w, std::min(k + ahead, rows_ - 1));
    } else {
      Eigen::Map<Vector<U>> all(scores, count);
      read(first, count, [&](const auto& block) { all.noalias() = block * w.head(cols_); });
    }
  }

  /// Sets v ← v + Σₖ coefficients[k]·x_{first+k} for `count` rows.
  void add_up(Index first, Index count, const U* coefficients, Vector<U>& v) const {
    if constexpr (Contiguous) {
      for (Index k = 0; k < count; ++k)
        if (coefficients[k] != 0) add(first + k, coefficients[k], v);
    } else {
      const Eigen::Map<const Vector<U>> all(coefficients, count);
      read(first, count,
           [&](const auto& block) { v.head(cols_).noalias() += block.transpose() * all; });
    }
  }

  /// Calls f with rows [first, first + count) as one column-major Eigen expression (count × d).
  template <class F>
  void read(Index first, Index count, F&& f) const requires(!Contiguous) {
    using Moved = detail::ColumnMatrix<U>;
    if (origin_) [[unlikely]] {
      Moved moved(count, cols_);
      for (Index k = 0; k < count; ++k)
        for_each(first + k, [&](Index j, U entry) { moved(k, j) = entry; });
      const Eigen::OuterStride<> stride(count);
      return f(Eigen::Map<const Moved, 0, Eigen::OuterStride<>>(moved.data(), count, cols_, stride)
                   .template cast<U>());
    }
    const auto block = [&](const auto& stride) {
      using Block = detail::ColumnMatrix<T>;
      const Eigen::Map<const Block, 0, std::decay_t<decltype(stride)>> rows(start(first), count,
                                                                            cols_, stride);
      f(rows.template cast<U>());
    };
    if (row_stride_ == 1)
      block(Eigen::OuterStride<>(column_stride_));
    else
      block(Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>(column_stride_, row_stride_));
  }

 private:
  static constexpr int inner_stride = Contiguous ? 1 : Eigen::Dynamic;

  Index column_stride() const { return Contiguous ? 1 : column_stride_; }
  auto row(Index i) const {
    return Eigen::Map<const Vector<T>, 0, Eigen::InnerStride<inner_stride>>(
               start(i), cols_, Eigen::InnerStride<inner_stride>(column_stride()))
        .template cast<U>();
  }

  Eigen::Map<const Vector<U>> origin() const { return {origin_, cols_}; }

  const T* data_;
  const U* origin_{nullptr};
  Index rows_;
  Index cols_;
  Index row_stride_;
  Index column_stride_;
};

}  // namespace linea::detail::rows
