// SPDX-License-Identifier: MIT
#pragma once
/// \file Samples by columns in double, for optimizers that change one weight at a time.
#include <algorithm>  // max, min
#include <cstddef>    // size_t
#include <cstdint>
#include <linea/core/types.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/rows/kernels.hpp>
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

/// The columns of samples, in double: dense, in place or as a copy of 8·n·d bytes, or sparse, as a
/// copy with 12 bytes for each stored entry and 8 for each column. See columns_of.
class Columns {
 public:
  using Reals = Vector<double>;

  Columns() = default;
  Columns(Columns&&) = default;
  Columns& operator=(Columns&&) = default;

  /// Dense columns in place, `stride` entries apart.
  Columns(const double* data, Index rows, Index cols, Index stride)
      : rows_(rows), cols_(cols), stride_(stride), data_(data) {}

  /// Copies the rows. Rows of weight 0, whose entries may be huge, become 0.
  template <class Rows>
  explicit Columns(const TrainingSet<Rows>& set)
      : is_sparse_(Rows::is_sparse), rows_(set.rows.rows()), cols_(set.rows.cols()) {
    if constexpr (Rows::is_sparse)
      copy_sparse([&](auto&& f) {
        for (Index i = 0; i < rows_; ++i)
          if (set.weight(i) > 0) set.rows.for_each(i, [&](Index j, auto value) { f(i, j, value); });
      });
    else
      copy_dense(set);
  }

  /// Returns the transpose of the listed columns of sparse x: column i has the entries of row i.
  Columns transposed(const std::vector<Index>& list) const {
    Columns result;
    result.is_sparse_ = true;
    result.rows_ = static_cast<Index>(list.size());
    result.cols_ = rows_;
    result.copy_sparse([&](auto&& f) {
      for (std::size_t k = 0; k < list.size(); ++k)
        for_each(list[k], [&](Index i, double value) { f(static_cast<Index>(k), i, value); });
    });
    return result;
  }

  bool is_sparse() const { return is_sparse_; }
  Index cols() const { return cols_; }
  /// Returns the number of stored entries of column j.
  Index entries(Index j) const {
    return is_sparse_ ? static_cast<Index>(starts_[at(j) + 1] - starts_[at(j)]) : rows_;
  }

  /// Returns Σᵢ vᵢxᵢⱼ.
  double dot(Index j, const Reals& v) const {
    if (!is_sparse_) return linear_algebra::dot(column(j), v.data(), rows_);
    const double* const values = values_.data() + starts_[at(j)];
    const std::uint32_t* const rows = places_.data() + starts_[at(j)];
    const std::size_t count = at(entries(j));
    double sums[4] = {0, 0, 0, 0};  // four independent sums: the processor overlaps their additions
    std::size_t k = 0;
    for (; k + 4 <= count; k += 4)
      for (std::size_t c = 0; c < 4; ++c) sums[c] += values[k + c] * v[rows[k + c]];
    for (; k < count; ++k) sums[0] += values[k] * v[rows[k]];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }
  /// Returns dot(j, v) for every column j (d).
  Reals dots(const Reals& v) const {
    Reals dots(cols_);
    for (Index j = 0; j < cols_; ++j) dots[j] = dot(j, v);
    return dots;
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
  void add(Index j, double a, Reals& v) const {
    if (is_sparse_)
      add_each(j, v, [&](Index, double value) { return a * value; });
    else
      rows::add(column(j), a, v.data(), rows_);
  }
  /// Sets vᵢ ← vᵢ + a·hᵢxᵢⱼ.
  void add(Index j, double a, const Reals& h, Reals& v) const {
    if (is_sparse_) return add_each(j, v, [&](Index i, double value) { return a * h[i] * value; });
    const double* const x = column(j);
    Index i = 0;
    for (; i + Pack::lanes <= rows_; i += Pack::lanes)
      Pack::store(&v[i], Pack::load(&v[i]) + a * Pack::load(&h[i]) * Pack::load(x + i));
    for (; i < rows_; ++i) v[i] += a * h[i] * x[i];
  }

  /// Returns mean and scatter of column j; `total` must be Σᵢ hᵢ.
  ColumnMoments moments(Index j, bool centred, const Reals& h, double total) const {
    ColumnMoments moments;
    if (centred) moments.mean = dot(j, h) / total;
    if (is_sparse_) {
      double present = 0;
      for_each(j, [&](Index i, double value) {
        const double deviation = value - moments.mean;
        moments.square += h[i] * deviation * deviation;
        present += h[i];
      });
      moments.square += std::max(total - present, 0.0) * moments.mean * moments.mean;
    } else {
      const double* const x = column(j);
      typename Pack::Type first{}, second{};
      const auto add = [&](Index i, auto& sum) {
        const auto deviation = Pack::load(x + i) - moments.mean;
        sum += Pack::load(&h[i]) * deviation * deviation;
      };
      Index i = 0;
      for (; i + 2 * Pack::lanes <= rows_; i += 2 * Pack::lanes) {
        add(i, first);
        add(i + Pack::lanes, second);
      }
      for (; i < rows_; ++i) moments.square += h[i] * (x[i] - moments.mean) * (x[i] - moments.mean);
      moments.square += rows::sum_of<double>(first + second);
    }
    moments.judge(total);
    return moments;
  }

 private:
  using Pack = rows::Pack<double>;  // GCC 12 does not vectorize these loops at -O2

  static std::size_t at(Index k) { return static_cast<std::size_t>(k); }
  const double* column(Index j) const { return (data_ ? data_ : values_.data()) + j * stride_; }

  template <class Rows>
  void copy_dense(const TrainingSet<Rows>& set) {
    stride_ = rows_;
    values_.resize(at(rows_ * cols_));
    constexpr Index width = 32;  // number of columns that a pass over the rows copies
    for (Index first = 0; first < cols_; first += width)
      for (Index i = 0; i < rows_; ++i) {
        if (!(set.weight(i) > 0)) continue;
        set.rows.for_each_between(
            i, first, std::min(first + width, cols_),
            [&](Index j, auto value) { values_[at(j * rows_ + i)] = static_cast<double>(value); });
      }
  }
  /// Copies all entries (row, column, value) that `for_each_entry` yields.
  template <class F>
  void copy_sparse(const F& for_each_entry) {
    starts_.assign(at(cols_) + 1, 0);
    for_each_entry([&](Index, Index j, auto) { ++starts_[at(j) + 1]; });
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    places_.resize(starts_.back());
    values_.resize(starts_.back());
    std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
    for_each_entry([&](Index i, Index j, auto value) {
      places_[next[at(j)]] = static_cast<std::uint32_t>(i);
      values_[next[at(j)]++] = static_cast<double>(value);
    });
  }

  template <class F>
  void for_each(Index j, F&& f) const {
    const double* const x = column(j);
    if (is_sparse_)
      for (std::size_t k = starts_[at(j)]; k < starts_[at(j) + 1]; ++k)
        f(static_cast<Index>(places_[k]), values_[k]);
    else
      for (Index i = 0; i < rows_; ++i) f(i, x[i]);
  }

  /// Adds change(i, xᵢⱼ) to vᵢ for each entry of sparse column j, four at a time: the four loads
  /// need not wait for a store.
  template <class F>
  void add_each(Index j, Reals& v, const F& change) const {
    const auto sum = [&](std::size_t k) {
      const auto i = static_cast<Index>(places_[k]);
      return v[i] + change(i, values_[k]);
    };
    std::size_t k = starts_[at(j)];
    const std::size_t end = starts_[at(j) + 1];
    for (; k + 4 <= end; k += 4) {
      const double sums[4] = {sum(k), sum(k + 1), sum(k + 2), sum(k + 3)};
      for (std::size_t c = 0; c < 4; ++c) v[places_[k + c]] = sums[c];
    }
    for (; k < end; ++k) v[places_[k]] = sum(k);
  }

  bool is_sparse_{false};
  Index rows_{0}, cols_{0}, stride_{0};
  const double* data_{nullptr};   // dense columns in place
  std::vector<double> values_{};  // copied columns: all entries of dense x, or the stored ones
  std::vector<std::size_t> starts_{};
  std::vector<std::uint32_t> places_{};
};

/// Returns the columns of validated x, which must outlive them. They are in place if x is dense,
/// column-major with inner stride 1 and of double, and the set has neither an origin nor weights of
/// 0. Otherwise they are a copy.
template <Samples X, class Rows>
Columns columns_of(const X& x, const TrainingSet<Rows>& set) {
  if constexpr (DenseSamples<X> && std::is_same_v<scalar_t<X>, double>)
    if constexpr (!bool(X::IsRowMajor))
      if (x.innerStride() == 1 && !set.origin && !(set.weights.array() == 0).any())
        return {x.data(), x.rows(), x.cols(), x.outerStride()};
  return Columns(set);
}

}  // namespace linea::detail::samples
