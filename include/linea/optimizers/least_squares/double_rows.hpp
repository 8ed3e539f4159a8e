// SPDX-License-Identifier: MIT
#pragma once
/// \file Samples of any scalar and layout, a block of rows at a time, for sums in double.
#include <algorithm>  // clamp, min
#include <linea/core/types.hpp>
#include <linea/rows/dense.hpp>
#include <span>
#include <type_traits>

namespace linea::least_squares {

/// Rows [first, first + count) of x. Those that the kernels cannot add up in double where they lie, for
/// their scalar or their strides, are copied.
template <class Rows>
class DoubleRows {
 public:
  explicit DoubleRows(const Rows& rows) : rows_(rows) {}

  Index first() const { return first_; }
  Index count() const { return count_; }

  /// Calls f(*this) for all rows of x, in blocks that stay in the cache.
  template <class F>
  void for_each_block(F&& f) {
    const Index most = std::clamp<Index>((is_copied ? 32768 : 4096) / rows_.cols(), 1, 128);
    for (first_ = 0; first_ < rows_.rows(); first_ += most) {
      count_ = std::min(most, rows_.rows() - first_);
      if constexpr (is_copied) {
        if (block_.size() == 0) block_.resize(count_, rows_.cols());
        for (Index k = 0; k < count_; ++k)
          copy(rows_, first_ + k, block_.data() + k * block_.cols());
      }
      f(*this);
    }
  }

  /// X·w of these rows, for w (d): (count).
  Eigen::VectorXd scores(const Eigen::VectorXd& w) const {
    Eigen::VectorXd scores(count_);
    if constexpr (is_copied)
      scores.noalias() = block_.topRows(count_) * w;
    else
      for (Index k = 0; k < count_; ++k) {
        const Index i = first_ + k;
        if constexpr (Rows::is_sparse)
          scores[k] = sum_over(i, w);
        else
          scores[k] = rows_.dot(i, w, row_ahead(rows_, i));
      }
    return scores;
  }

  /// v (d) ← v + Xᵀ·a of these rows, for a (count).
  void add(const Eigen::VectorXd& a, Eigen::VectorXd& v) const {
    if constexpr (is_copied)
      v.noalias() += block_.topRows(count_).transpose() * a;
    else
      for (Index k = 0; k < count_; ++k)
        if constexpr (Rows::is_sparse)
          rows_.for_each(first_ + k,
                         [&](Index j, auto value) { v[j] += static_cast<double>(value) * a[k]; });
        else
          rows_.add(first_ + k, a[k], v);
  }

  /// Writes row i of a dense x to out (d).
  static void copy(const Rows& rows, Index i, double* out) {
    rows.for_each(i, [out](Index j, auto value) { out[j] = static_cast<double>(value); });
  }

  /// Where the rows [first, last) of a dense x lie, if they lie in one piece; else nothing.
  static std::span<const char> bytes(const Rows& rows, Index first, Index last) {
    if constexpr (lies_together) {
      if (first >= last) return {};
      const auto* start = reinterpret_cast<const char*>(rows.start(first));
      const auto* end = reinterpret_cast<const char*>(rows.start(last - 1)) + rows.row_bytes();
      if (end - start == (last - first) * rows.row_bytes()) return {start, end};
    }
    return {};
  }

 private:
  static constexpr bool lies_together = std::is_same_v<Rows, rows::DenseRows<float, true>> ||
                                        std::is_same_v<Rows, rows::DenseRows<double, true>>;
  static constexpr bool is_copied =
      !Rows::is_sparse && !std::is_same_v<Rows, rows::DenseRows<double, true>>;

  /// The row to fetch while row i is read: some 8 KiB later, farther than the hardware looks.
  static Index row_ahead(const Rows& rows, Index i) {
    return std::min(i + 1 + 8192 / rows.row_bytes(), rows.rows() - 1);
  }

  double sum_over(Index i, const Eigen::VectorXd& w) const {
    double sum = 0;
    rows_.for_each(i, [&](Index j, auto value) { sum += static_cast<double>(value) * w[j]; });
    return sum;
  }

  const Rows& rows_;
  Index first_{0};
  Index count_{0};
  Matrix<double> block_;
};

}  // namespace linea::least_squares
