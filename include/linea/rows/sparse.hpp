// SPDX-License-Identifier: MIT
#pragma once
/// \file Rows of a row-major sparse matrix, compressed or not, read without a copy.
#include <cstdint>
#include <limits>
#include <linea/core/rows.hpp>
#include <linea/core/types.hpp>
#include <linea/rows/kernels.hpp>
#include <memory>   // shared_ptr
#include <utility>  // move

namespace linea::detail::rows {

/// Rows of a sparse matrix. Entries are stored as T, converted to U as they are read, and summed in
/// U.
///
/// With an origin o, a stored entry reads as xᵢⱼ − oⱼ, subtracted in U, and any other entry as 0.
/// The result is the row xᵢ − o if oⱼ = 0 for every column that some row does not store.
template <Scalar T, class J, Scalar U = T>
class SparseRows {
 public:
  using Scalar = U;
  static constexpr bool is_sparse = true;
  static constexpr bool is_packed = true;

  template <SparseSamples X>
  explicit SparseRows(const X& x)
      : values_(x.valuePtr()),
        columns_(x.innerIndexPtr()),
        starts_(x.outerIndexPtr()),
        counts_(x.innerNonZeroPtr()),
        rows_(x.rows()),
        cols_(x.cols()),
        most_entries_(claimed_entries(x)) {}

  /// Makes rows that share ownership of their matrix.
  explicit SparseRows(std::shared_ptr<const SparseMatrix<T, J>> owned) : SparseRows(*owned) {
    owned_ = std::move(owned);
  }

  /// Makes a single row; `range` = {0, count} must outlive this object.
  SparseRows(const T* values, const J* columns, const J* range, Index cols)
      : values_(values), columns_(columns), starts_(range), rows_(1), cols_(cols) {}

  /// Returns the same rows minus `origin` (d), or without an origin for nullptr. `origin` must
  /// outlive the result.
  SparseRows relative_to(const U* origin) const {
    SparseRows moved = *this;
    moved.origin_ = origin;
    return moved;
  }

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Index entries() const {
    if (is_compressed()) return end() - begin();
    Index entries = 0;
    for (Index i = 0; i < rows_; ++i) entries += end(i) - begin(i);
    return entries;
  }
  Index row_bytes() const {
    constexpr std::int64_t each = sizeof(T) + sizeof(J);  // the total may overflow an Index
    return rows_ ? static_cast<Index>(entries() * each / rows_) : 0;
  }

  /// Fetches the beginning of row i from the second-level cache into the first.
  void fetch_start(Index i) const {
    __builtin_prefetch(values_ + begin(i));
    __builtin_prefetch(columns_ + begin(i));
  }

  U dot(Index i, const Vector<U>& w) const { return dot(i, w, i); }

  /// Returns ⟨xᵢ, w⟩. Without an origin, also fetches row `ahead` into the second-level cache,
  /// unless it is row i.
  U dot(Index i, const Vector<U>& w, Index ahead) const {
    if (origin_) [[unlikely]] {
      U sum{0};
      for_each(i, [&](Index j, U value) { sum += value * w[j]; });
      return sum;
    }
    const Index last = end(i);
    const U* weights = w.data();
    Pack sums[2] = {};
    const auto gather = [&](Index k, Pack& sum) { sum += gathered(k, weights) * loaded(k); };
    Index k = begin(i);
    Index fetched = begin(ahead);
    const Index all_fetched = ahead == i ? fetched : end(ahead);
    for (; k + 4 * lanes <= last; k += 4 * lanes) {
      if (fetched < all_fetched) {
        fetch(fetched);
        fetched += 4 * lanes;
      }
      gather(k, sums[0]);
      gather(k + lanes, sums[1]);
      gather(k + 2 * lanes, sums[0]);
      gather(k + 3 * lanes, sums[1]);
    }
    for (; fetched < all_fetched; fetched += 4 * lanes) fetch(fetched);
    for (; k + lanes <= last; k += lanes) gather(k, sums[0]);
    const Pack sum = sums[0] + sums[1];
    U total{0};
    for (Index lane = 0; lane < lanes; ++lane) total += sum[lane];
    for (; k < last; ++k) total += value(k) * weights[columns_[k]];
    return total;
  }

  void add(Index i, U a, Vector<U>& v) const {
    if (origin_) [[unlikely]]
      return for_each(i, [&](Index j, U value) { v[j] += a * value; });
    const Index last = end(i);
    U* weights = v.data();
    Index k = begin(i);
    for (; k + lanes <= last; k += lanes) {  // the products do not depend on loads of weights
      const Pack products = a * loaded(k);
      for (Index lane = 0; lane < lanes; ++lane) weights[columns_[k + lane]] += products[lane];
    }
    for (; k < last; ++k) weights[columns_[k]] += a * value(k);
  }

  U squared_norm(Index i) const {
    if (origin_) [[unlikely]] {
      U sum{0};
      for_each(i, [&](Index, U value) { sum += value * value; });
      return sum;
    }
    const Index last = end(i);
    Pack sums[2] = {};
    const auto square = [&](Index k, Pack& sum) {
      const Pack pack = loaded(k);
      sum += pack * pack;
    };
    Index k = begin(i);
    for (; k + 2 * lanes <= last; k += 2 * lanes) {
      square(k, sums[0]);
      square(k + lanes, sums[1]);
    }
    const Pack sum = sums[0] + sums[1];
    U total{0};
    for (Index lane = 0; lane < lanes; ++lane) total += sum[lane];
    for (; k < last; ++k) total += value(k) * value(k);
    return total;
  }

  /// Returns whether all stored entries are in range.
  bool all_in_range() const {
    if (is_compressed()) return rows::all_in_range(values_ + begin(), end() - begin());
    for (Index i = 0; i < rows_; ++i)
      if (!rows::all_in_range(values_ + begin(i), end(i) - begin(i))) return false;
    return true;
  }

  /// Returns whether rows do not overlap, and the columns of every row are in [0, d) and ascend
  /// strictly.
  bool all_ascending() const {
    if (first_misplaced() < rows_) return false;
    bool inside = true;
    Index between_rows = 0;  // descents between the last column of a row and the first of the next
    for (Index i = 0; i < rows_; ++i) {
      const Index k = begin(i);
      if (k == end(i)) continue;
      inside &= columns_[k] >= 0 && static_cast<Index>(columns_[end(i) - 1]) < cols_;
      if (k > begin()) between_rows += columns_[k - 1] >= columns_[k];
    }
    if (is_compressed())
      return inside && rows::descents(columns_ + begin(), end() - begin()) == between_rows;
    for (Index i = 0; i < rows_; ++i)
      if (rows::descents(columns_ + begin(i), end(i) - begin(i)) > 0) return false;
    return inside;
  }

  /// Returns the first row that begins before its predecessor ends, has a negative number of
  /// entries, or ends after the last entry of a compressed Map, or rows() if there is none.
  Index first_misplaced() const {
    Index last = 0;
    for (Index i = 0; i < rows_; ++i) {
      if (begin(i) < last || end(i) < begin(i) || end(i) - begin() > most_entries_) return i;
      last = end(i);
    }
    return rows_;
  }

  /// Calls f(j, xᵢⱼ) for every stored entry of row i.
  template <class F>
  void for_each(Index i, F&& f) const {
    const Index last = end(i);
    if (origin_) [[unlikely]]
      for (Index k = begin(i); k < last; ++k)
        f(static_cast<Index>(columns_[k]), value(k) - origin_[columns_[k]]);
    else
      for (Index k = begin(i); k < last; ++k) f(static_cast<Index>(columns_[k]), value(k));
  }

  /// Calls f(j, xᵢⱼ) for the stored columns j in [first, last) of row i. Scans the whole row.
  template <class F>
  void for_each_between(Index i, Index first, Index last, F&& f) const {
    for_each(i, [&](Index j, U value) {
      if (first <= j && j < last) f(j, value);
    });
  }

  void scores(Index first, Index count, const Vector<U>& w, U* scores) const {
    for (Index k = 0; k < count; ++k) scores[k] = dot(first + k, w);
  }

  void add_up(Index first, Index count, const U* coefficients, Vector<U>& v) const {
    for (Index k = 0; k < count; ++k)
      if (coefficients[k] != 0) add(first + k, coefficients[k], v);
  }

 private:
  // Larger registers gain nothing, because weights are gathered one by one.
  typedef U Pack __attribute__((vector_size(16)));
  static constexpr Index lanes = 16 / static_cast<Index>(sizeof(U));

  /// Returns the number of entries of a compressed Map; other matrices have no limit.
  template <class X>
  static Index claimed_entries(const X&) {
    return std::numeric_limits<Index>::max();
  }
  template <class X>
  static Index claimed_entries(const Eigen::Map<X>& x) {
    return x.isCompressed() ? x.nonZeros() : std::numeric_limits<Index>::max();
  }

  /// Returns the weights of the entries from k on, as many as a pack holds. Written without a loop,
  /// because GCC 12 would insert the weights into the pack one after the other.
  Pack gathered(Index k, const U* weights) const {
    const J* j = columns_ + k;
    if constexpr (lanes == 4)
      return Pack{weights[j[0]], weights[j[1]], weights[j[2]], weights[j[3]]};
    else
      return Pack{weights[j[0]], weights[j[1]]};
  }
  Pack loaded(Index k) const { return rows::load<Pack, U>(values_ + k); }
  U value(Index k) const { return static_cast<U>(values_[k]); }

  Index begin(Index i) const { return static_cast<Index>(starts_[i]); }
  Index end(Index i) const {
    return counts_ ? begin(i) + static_cast<Index>(counts_[i]) : static_cast<Index>(starts_[i + 1]);
  }

  bool is_compressed() const { return !counts_; }
  Index begin() const { return rows_ ? begin(0) : 0; }
  Index end() const { return rows_ ? end(rows_ - 1) : 0; }

  /// Fetches a cache line of values and one of columns.
  void fetch(Index k) const {
    __builtin_prefetch(values_ + k, 0, 2);
    __builtin_prefetch(columns_ + k, 0, 2);
  }

  const T* values_;
  const U* origin_{nullptr};
  const J* columns_;
  const J* starts_;
  const J* counts_{nullptr};  // lengths of the rows; nullptr if there are no gaps between rows
  Index rows_;
  Index cols_;
  Index most_entries_{std::numeric_limits<Index>::max()};
  std::shared_ptr<const SparseMatrix<T, J>> owned_{};
};

}  // namespace linea::detail::rows
