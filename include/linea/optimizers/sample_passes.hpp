// SPDX-License-Identifier: MIT
#pragma once
/// \file Passes over samples as a matrix: X·v, Xᵀ·a, and both in one, with numbers and sums in double.
#include <algorithm>  // clamp, max, min
#include <bit>        // bit_floor
#include <cstdint>
#include <linea/core/workers.hpp>
#include <linea/rows/in_double.hpp>
#include <utility>  // declval
#include <vector>

namespace linea {

/// x (n × d), dense or sparse, or (x, 1), with a column of ones for an offset. x must outlive it.
///
/// Sums over the rows are taken share by share, and those added up in order. How many shares there are depends on
/// x alone, so the bits do not depend on the number of threads. Memory: some numbers a column, and with threads
/// as many for each share.
template <Samples X>
class SamplePasses {
 public:
  static constexpr Index most_block = 256;

  SamplePasses(const X& x, bool with_ones, Index threads)
      : x_(x),
        rows_(rows_in_double(x)),
        with_ones_(with_ones),
        workers_(std::min(threads, x.rows())) {
    const Index row_bytes = std::max<Index>(rows_.row_bytes(), 1);
    ahead_ = 4096 / row_bytes + 1;
    block_ = Rows::is_packed ? std::clamp<Index>(32768 / row_bytes, 16, most_block)
                             : std::clamp<Index>(524288 / row_bytes, 64, most_block);
    // To clear and add up a share's sums costs 2d: no more than a quarter of what its rows cost.
    const Index most = std::clamp<Index>(rows_.entries() / (8 * x.cols()), 1, 64);
    shares_ = static_cast<Index>(std::bit_floor(static_cast<std::uint64_t>(most)));
    parts_.resize(workers_.count() > 1 ? static_cast<std::size_t>(shares_) : 1,
                  Eigen::VectorXd(cols()));
  }

  Index rows() const { return rows_.rows(); }
  /// d, or d + 1.
  Index cols() const { return rows_.cols() + (with_ones_ ? 1 : 0); }
  Index shares() const { return shares_; }
  /// How often x has been read, in whole or in parts that make up a whole.
  Index passes() const { return (rows_read_ + rows() - 1) / rows(); }
  /// Is a row that is not wanted left unread?
  static constexpr bool reads_single_rows() { return Rows::is_packed; }

  /// task(share, first row, last row) for all shares, on the threads.
  template <class Task>
  void for_each_share(Task&& task) {
    workers_.run([&](Index k) {
      const auto [first_share, last_share] = share_of(shares_, k, workers_.count());
      for (Index share = first_share; share < last_share; ++share) {
        const auto [first, last] = share_of(rows(), share, shares_);
        task(share, first, last);
      }
    });
  }

  /// numbers[i] = ⟨xᵢ, v⟩ for the rows with wanted(i), `count` in number; others are left alone or get the same.
  template <class Wanted>
  void score(const Eigen::VectorXd& v, Eigen::VectorXd& numbers, Wanted&& wanted, Index count) {
    rows_read_ += reads_single_rows() ? count : rows();
    for_each_share([&](Index, Index first, Index last) {
      for_each_block(first, last, [&](Index i, Index in_block) {
        score_block(v, i, in_block, numbers.data() + i, wanted);
      });
    });
  }

  /// sum = Σᵢ numbers[i]·xᵢ. Rows whose number is 0 need not be read.
  void add_up(const Eigen::VectorXd& numbers, Eigen::VectorXd& sum) {
    rows_read_ += rows();
    accumulate(sum, [&](Index, Index first, Index count, Eigen::VectorXd& part) {
      add_block(first, count, numbers.data() + first, part);
    });
  }

  /// The two in one, block by block: numbers[i] = ⟨xᵢ, v⟩ for the rows with wanted(i), then
  /// turn(share, first, count, coefficients), which sets that many, then sum = Σᵢ coefficients[i]·xᵢ.
  template <class Wanted, class Turn>
  void score_and_add_up(const Eigen::VectorXd& v, Eigen::VectorXd& numbers, Wanted&& wanted,
                        Index count, Turn&& turn, Eigen::VectorXd& sum) {
    rows_read_ += reads_single_rows() ? count : rows();
    accumulate(sum, [&](Index share, Index first, Index in_block, Eigen::VectorXd& part) {
      double coefficients[most_block];
      score_block(v, first, in_block, numbers.data() + first, wanted);
      turn(share, first, in_block, coefficients);
      add_block(first, in_block, coefficients, part);
    });
  }

  /// sum = Σᵢ numbers[i]·xᵢ∘xᵢ.
  void add_up_squares(const Eigen::VectorXd& numbers, Eigen::VectorXd& sum) {
    rows_read_ += rows();
    accumulate(sum, [&](Index, Index first, Index count, Eigen::VectorXd& part) {
      const auto weights = numbers.segment(first, count);
      if constexpr (Rows::is_packed)
        for (Index k = 0; k < count; ++k) {
          const double a = weights[k];
          rows_.for_each(first + k, [&](Index j, double value) { part[j] += a * value * value; });
        }
      else
        part.head(rows_.cols()).noalias() +=
            stretch(first, count).cwiseAbs2().transpose() * weights;
      if (with_ones_) part[rows_.cols()] += weights.sum();
    });
  }

 private:
  static auto rows_in_double(const X& x) {
    if constexpr (SampleMatrix<X>)
      return rows_as<double>(x);
    else
      return rows_of(x);
  }
  using Rows = decltype(rows_in_double(std::declval<const X&>()));

  /// Rows of a dense x that do not lie packed, as one expression, which Eigen reads column by column.
  auto stretch(Index first, Index count) const {
    if constexpr (SampleMatrix<X>)
      return x_.middleRows(first, count).matrix().template cast<double>();
    else
      return x_.matrix().middleRows(first, count).matrix().template cast<double>();
  }

  template <class F>
  void for_each_block(Index first, Index last, F&& f) const {
    for (; first < last; first += block_) f(first, std::min(block_, last - first));
  }

  template <class Wanted>
  void score_block(const Eigen::VectorXd& v, Index first, Index count, double* numbers,
                   Wanted&& wanted) const {
    const Index d = rows_.cols();
    const double one = with_ones_ ? v[d] : 0;
    if constexpr (Rows::is_packed) {
      for (Index k = 0; k < count; ++k) {
        const Index i = first + k;
        if (wanted(i)) numbers[k] = rows_.dot(i, v, std::min(i + ahead_, rows() - 1)) + one;
      }
    } else {
      Eigen::Map<Eigen::VectorXd> products(numbers, count);
      products.noalias() = stretch(first, count) * v.head(d);
      products.array() += one;
    }
  }

  void add_block(Index first, Index count, const double* numbers, Eigen::VectorXd& sum) const {
    const Index d = rows_.cols();
    const Eigen::Map<const Eigen::VectorXd> coefficients(numbers, count);
    if constexpr (Rows::is_packed) {
      for (Index k = 0; k < count; ++k)
        if (numbers[k] != 0) rows_.add(first + k, numbers[k], sum);
    } else {
      sum.head(d).noalias() += stretch(first, count).transpose() * coefficients;
    }
    if (with_ones_) sum[d] += coefficients.sum();
  }

  /// sum = the sums over all rows, to which f(share, first, count, part) adds those of a block.
  template <class F>
  void accumulate(Eigen::VectorXd& sum, F&& f) {
    const bool together = workers_.count() == 1;
    sum.setZero(cols());
    for_each_share([&](Index share, Index first, Index last) {
      auto& part = parts_[together ? 0 : static_cast<std::size_t>(share)];
      part.setZero();
      for_each_block(first, last, [&](Index i, Index count) { f(share, i, count, part); });
      if (together) sum += part;
    });
    if (together) return;
    workers_.run([&](Index k) {
      const auto [first, last] = share_of(cols(), k, workers_.count());
      for (const auto& part : parts_)
        sum.segment(first, last - first) += part.segment(first, last - first);
    });
  }

  const X& x_;
  Rows rows_;
  bool with_ones_;
  Workers workers_;
  Index ahead_;
  Index block_;
  Index shares_;
  std::vector<Eigen::VectorXd> parts_;
  Index rows_read_{0};
};

}  // namespace linea
