// SPDX-License-Identifier: MIT
#pragma once
/// \file Samples by columns in double, for optimizers that change one weight at a time.
#include <algorithm>  // max, min
#include <cstdint>
#include <linea/core/types.hpp>
#include <linea/samples/training_set.hpp>
#include <numeric>  // partial_sum
#include <type_traits>
#include <vector>

namespace linea::detail::samples {

/// Two moments of a column with weights hᵢ: its mean, or 0 if the column is not centred, and its
/// scatter Σᵢ hᵢ(xᵢ − mean)².
struct ColumnMoments {
  double mean{0};
  double square{0};

  /// Sets the scatter to 0 if the standard deviation is at most 1e-10·|mean|: the column is then
  /// constant up to rounding errors.
  void judge(double total) {
    if (!(square > 1e-20 * (square + total * mean * mean))) square = 0;
  }
};

/// Columns of dense samples, in place or as a copy of 8·n·d bytes (see columns_of). A template, so
/// that Eigen's expressions are compiled only where they are used.
template <class Real = double>
class DenseColumns {
 public:
  static constexpr bool is_sparse = false;

  DenseColumns(const double* data, Index rows, Index cols, Index stride)
      : data_(data), rows_(rows), cols_(cols), stride_(stride) {}

  template <class Rows>
  explicit DenseColumns(const TrainingSet<Rows>& set)
      : copy_(set.rows.rows(), set.rows.cols()),
        rows_(set.rows.rows()),
        cols_(set.rows.cols()),
        stride_(rows_) {
    constexpr Index width = 32;  // number of columns that a pass over the rows copies
    for (Index first = 0; first < cols_; first += width)
      for (Index i = 0; i < rows_; ++i) {
        const bool is_kept = set.weight(i) > 0;
        set.rows.for_each_between(
            i, first, std::min(first + width, cols_),
            [&](Index j, auto value) { copy_(i, j) = is_kept ? static_cast<double>(value) : 0; });
      }
  }

  Index cols() const { return cols_; }
  /// Returns the number of entries that a pass over a column reads.
  Index entries(Index) const { return rows_; }

  /// Returns Σᵢ vᵢxᵢⱼ.
  double dot(Index j, const Vector<Real>& v) const { return column(j).dot(v); }

  /// Returns Σᵢ vᵢ(xᵢⱼ − mean).
  double dot(Index j, double mean, const Vector<Real>& v) const {
    if (mean == 0) return dot(j, v);
    return ((column(j).array() - mean) * v.array()).sum();
  }

  /// Sets sums[c] = Σᵢ v[4i + c](xᵢⱼ − mean) for c from 0 to 3.
  void four_dots(Index j, double mean, const double* v, double* sums) const {
    const double* const x = column(j).data();
    double a = 0, b = 0, c = 0, d = 0;
    for (Index i = 0; i < rows_; ++i, v += 4) {
      const double value = x[i] - mean;
      a += value * v[0];
      b += value * v[1];
      c += value * v[2];
      d += value * v[3];
    }
    sums[0] = a;
    sums[1] = b;
    sums[2] = c;
    sums[3] = d;
  }

  /// Sets v ← v + a·xⱼ.
  void add(Index j, double a, Vector<Real>& v) const { v += a * column(j); }

  /// Sets vᵢ ← vᵢ + a·hᵢ(xᵢⱼ − mean).
  void add(Index j, double a, double mean, const Vector<Real>& h, Vector<Real>& v) const {
    v.array() += a * h.array() * (column(j).array() - mean);
  }

  /// Returns mean and scatter of column j; `total` must be Σᵢ hᵢ.
  ColumnMoments moments(Index j, bool centred, const Vector<Real>& h, double total) const {
    ColumnMoments moments;
    if (centred) moments.mean = column(j).dot(h) / total;
    moments.square = ((column(j).array() - moments.mean).square() * h.array()).sum();
    moments.judge(total);
    return moments;
  }

 private:
  Eigen::Map<const Vector<Real>> column(Index j) const {
    return {(data_ ? data_ : copy_.data()) + j * stride_, rows_};
  }

  detail::ColumnMatrix<Real> copy_{};
  const double* data_{nullptr};
  Index rows_;
  Index cols_;
  Index stride_;
};

/// Columns of sparse samples, as a copy: 12 bytes for each stored entry and 8 for each column.
class SparseColumns {
 public:
  static constexpr bool is_sparse = true;

  SparseColumns() = default;

  template <class Rows>
  explicit SparseColumns(const TrainingSet<Rows>& set) {
    copy(set.rows.cols(), [&](auto&& f) {
      for (Index i = 0; i < set.rows.rows(); ++i)
        if (set.weight(i) > 0) set.rows.for_each(i, [&](Index j, auto value) { f(i, j, value); });
    });
  }

  /// Returns the transpose of the listed columns: column i has the entries of row i of n.
  SparseColumns transposed(const std::vector<Index>& list, Index n) const {
    SparseColumns result;
    result.copy(n, [&](auto&& f) {
      for (std::size_t k = 0; k < list.size(); ++k)
        for_each(list[k], [&](Index i, double value) { f(static_cast<Index>(k), i, value); });
    });
    return result;
  }

  Index cols() const { return static_cast<Index>(starts_.size()) - 1; }
  /// Returns the number of stored entries of column j.
  Index entries(Index j) const {
    const auto column = static_cast<std::size_t>(j);
    return static_cast<Index>(starts_[column + 1] - starts_[column]);
  }

  /// Returns Σᵢ vᵢxᵢⱼ.
  double dot(Index j, const Eigen::VectorXd& v) const {
    const std::size_t first = starts_[static_cast<std::size_t>(j)];
    const std::size_t count = starts_[static_cast<std::size_t>(j) + 1] - first;
    const double* const values = values_.data() + first;
    const std::uint32_t* const rows = rows_.data() + first;
    double sums[4] = {0, 0, 0, 0};  // four independent sums: the processor overlaps their additions
    std::size_t k = 0;
    for (; k + 4 <= count; k += 4)
      for (std::size_t c = 0; c < 4; ++c) sums[c] += values[k + c] * v[rows[k + c]];
    for (; k < count; ++k) sums[0] += values[k] * v[rows[k]];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }

  /// Sets sums[c] = Σᵢ v[4i + c]·xᵢⱼ for c from 0 to 3.
  void four_dots(Index j, const double* v, double* sums) const {
    double a = 0, b = 0, c = 0, d = 0;
    for_each(j, [&](Index i, double value) {
      a += value * v[4 * i];
      b += value * v[4 * i + 1];
      c += value * v[4 * i + 2];
      d += value * v[4 * i + 3];
    });
    sums[0] = a;
    sums[1] = b;
    sums[2] = c;
    sums[3] = d;
  }

  /// Sets v ← v + a·xⱼ.
  void add(Index j, double a, Eigen::VectorXd& v) const {
    add_each(j, v, [&](Index, double value) { return a * value; });
  }

  /// Sets vᵢ ← vᵢ + a·hᵢxᵢⱼ.
  void add(Index j, double a, const Eigen::VectorXd& h, Eigen::VectorXd& v) const {
    add_each(j, v, [&](Index i, double value) { return a * h[i] * value; });
  }

  /// Returns mean and scatter of column j; `total` must be Σᵢ hᵢ.
  ColumnMoments moments(Index j, bool centred, const Eigen::VectorXd& h, double total) const {
    ColumnMoments moments;
    if (centred) moments.mean = dot(j, h) / total;
    double present = 0;
    for_each(j, [&](Index i, double value) {
      const double deviation = value - moments.mean;
      moments.square += h[i] * deviation * deviation;
      present += h[i];
    });
    moments.square += std::max(total - present, 0.0) * moments.mean * moments.mean;
    moments.judge(total);
    return moments;
  }

 private:
  /// Copies all entries (row, column, value) that `for_each_entry` yields, of `cols` columns.
  template <class F>
  void copy(Index cols, const F& for_each_entry) {
    const auto at = [](Index k) { return static_cast<std::size_t>(k); };
    starts_.assign(at(cols) + 1, 0);
    for_each_entry([&](Index, Index j, auto) { ++starts_[at(j) + 1]; });
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    rows_.resize(starts_.back());
    values_.resize(starts_.back());
    std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
    for_each_entry([&](Index i, Index j, auto value) {
      rows_[next[at(j)]] = static_cast<std::uint32_t>(i);
      values_[next[at(j)]++] = static_cast<double>(value);
    });
  }

  template <class F>
  void for_each(Index j, F&& f) const {
    const auto column = static_cast<std::size_t>(j);
    for (std::size_t k = starts_[column]; k < starts_[column + 1]; ++k)
      f(static_cast<Index>(rows_[k]), values_[k]);
  }

  /// Adds change(i, xᵢⱼ) to vᵢ for each entry of column j, four at a time: the four loads need not
  /// wait for a store.
  template <class F>
  void add_each(Index j, Eigen::VectorXd& v, const F& change) const {
    const auto column = static_cast<std::size_t>(j);
    const auto sum = [&](std::size_t k) {
      const auto i = static_cast<Index>(rows_[k]);
      return v[i] + change(i, values_[k]);
    };
    std::size_t k = starts_[column];
    const std::size_t end = starts_[column + 1];
    for (; k + 4 <= end; k += 4) {
      const double sums[4] = {sum(k), sum(k + 1), sum(k + 2), sum(k + 3)};
      for (std::size_t c = 0; c < 4; ++c) v[rows_[k + c]] = sums[c];
    }
    for (; k < end; ++k) v[rows_[k]] = sum(k);
  }

  std::vector<std::size_t> starts_{};
  std::vector<std::uint32_t> rows_{};
  std::vector<double> values_{};
};

/// Returns Σᵢ vᵢxᵢⱼ for every column j (d).
template <class Columns>
auto dots_of(const Columns& columns, const Vector<detail::DoubleFor<Columns>>& v) {
  Vector<detail::DoubleFor<Columns>> dots(columns.cols());
  for (Index j = 0; j < dots.size(); ++j) dots[j] = columns.dot(j, v);
  return dots;
}

/// Returns the columns of validated x, which must outlive them. They are in place if x is dense,
/// column-major with inner stride 1 and of double, and the set has neither an origin nor weights of
/// 0. Otherwise they are a copy, in which rows of weight 0, whose entries may be huge, are zero.
template <Samples X, class Rows>
auto columns_of(const X& x, const TrainingSet<Rows>& set) {
  if constexpr (Rows::is_sparse) {
    return SparseColumns(set);
  } else {
    if constexpr (DenseSamples<X> && std::is_same_v<scalar_t<X>, double>)
      if constexpr (!bool(X::IsRowMajor))
        if (x.innerStride() == 1 && !set.origin && !(set.weights.array() == 0).any())
          return DenseColumns<>(x.data(), x.rows(), x.cols(), x.outerStride());
    return DenseColumns<>(set);
  }
}

}  // namespace linea::detail::samples
