// SPDX-License-Identifier: MIT
#pragma once
/// \file Passes over all samples, block by block on one or more threads.
#include <algorithm>  // clamp, min
#include <bit>        // bit_floor
#include <cstdint>
#include <linea/core/types.hpp>
#include <linea/core/workers.hpp>
#include <linea/samples/passes.hpp>
#include <linea/samples/row_blocks.hpp>
#include <vector>

namespace linea::detail::samples {

/// Passes over the rows of x (n × d), or of (x, 1) with a column of ones for an offset. x must
/// outlive this object.
///
/// Each share of the rows has its own sum, and these sums are added in a fixed order. The number of
/// shares depends on x alone, so the bits do not depend on the number of threads. Sums of divided
/// samples are over all parts. With several threads, each share has a vector (d or d + 1).
class Passes {
 public:
  using Reals = Vector<double>;

  Passes(const RowBlocks& rows, bool with_ones, Index threads)
      : rows_(rows),
        with_ones_(with_ones),
        workers_(std::clamp<Index>(rows.rows(), 1, threads)),
        block_(block_of(rows.row_bytes(), rows.is_packed())) {
    // Clearing and adding the sum of a share costs 2d. If there are several shares, each has at
    // least 8d entries, so that 2d is at most a quarter of the cost of the entries.
    const Index most = std::clamp<Index>(rows_.entries() / 8 / rows.cols(), 1, 64);
    shares_ = static_cast<Index>(std::bit_floor(static_cast<std::uint64_t>(most)));
    parts_.resize(workers_.count() > 1 ? static_cast<std::size_t>(shares_) : 1, Reals(cols()));
  }

  Index rows() const { return rows_.rows(); }
  /// Returns d, or d + 1 with a column of ones.
  Index cols() const { return rows_.cols() + (with_ones_ ? 1 : 0); }
  Index shares() const { return shares_; }
  /// Returns the number of rows read so far, divided by the number of rows and rounded up.
  Index passes() const {
    const Index read = static_cast<Index>(rows_.sum(static_cast<double>(rows_read_)));
    return (read + rows_.all_rows() - 1) / rows_.all_rows();
  }
  /// Counts one pass made by the caller.
  void count_pass() { rows_read_ += rows(); }
  /// Calls task(share, first row, last row) for all shares, on the threads.
  template <class Task>
  void for_each_share(Task&& task) {
    for_each_part(&workers_, shares_, [&](Index share) {
      const auto [first, last] = share_of(rows(), share, shares_);
      task(share, first, last);
    });
  }

  /// Sets numbers[i] = ⟨xᵢ, v⟩ for the `count` rows i with wanted[i] ≠ 0, and possibly for others.
  /// `wanted` is (n), or null for all rows.
  void score(const Reals& v, Reals& numbers, const double* wanted, Index count) {
    count_rows(count);
    for_each_share([&](Index, Index first, Index last) {
      for_each_block(first, last, [&](Index i, Index in_block) {
        score_block(v, i, in_block, numbers.data() + i, wanted);
      });
    });
  }

  /// Sets sum = Σᵢ numbers[i]·xᵢ. May skip rows whose number is 0.
  void add_up(const Reals& numbers, Reals& sum) {
    rows_read_ += rows();
    accumulate(sum, [&](Index, Index first, Index count, Reals& part) {
      add_block(first, count, numbers.data() + first, part);
    });
  }

  /// Makes one pass. For each block sets numbers[i] = ⟨xᵢ, v⟩ as `score` does, and calls turn(share, first, count, coefficients), which sets `count` coefficients. Sets `sum` to
  /// the sum of coefficients[k]·xᵢ with i = first + k over all blocks.
  template <class Turn>
  void score_and_add_up(const Reals& v, Reals& numbers, const double* wanted, Index count,
                        Turn&& turn, Reals& sum) {
    count_rows(count);
    accumulate(sum, [&](Index share, Index first, Index in_block, Reals& part) {
      alignas(64) double coefficients[most_block];  // the stack of a thread may be aligned less
      score_block(v, first, in_block, numbers.data() + first, wanted);
      turn(share, first, in_block, coefficients);
      add_block(first, in_block, coefficients, part);
    });
  }

  /// Sets sum = Σᵢ numbers[i]·xᵢ∘xᵢ.
  void add_up_squares(const Reals& numbers, Reals& sum) {
    rows_read_ += rows();
    accumulate(sum, [&](Index, Index first, Index count, Reals& part) {
      rows_.add_squares(first, count, numbers.data() + first, part);
      if (with_ones_) part[rows_.cols()] += sum_of(numbers.data() + first, count);
    });
  }

 private:
  template <class F>
  void for_each_block(Index first, Index last, F&& f) const {
    for (; first < last; first += block_) f(first, std::min(block_, last - first));
  }

  static double sum_of(const double* numbers, Index count) {
    return Eigen::Map<const Reals>(numbers, count).sum();
  }

  void count_rows(Index wanted) { rows_read_ += rows_.is_packed() ? wanted : rows(); }

  void score_block(const Reals& v, Index first, Index count, double* numbers,
                   const double* wanted) const {
    rows_.scores(first, count, v, wanted ? wanted + first : nullptr, numbers);
    if (!with_ones_) return;
    const double one = v[rows_.cols()];
    for (Index k = 0; k < count; ++k)
      if (!wanted || wanted[first + k] != 0 || !rows_.is_packed()) numbers[k] += one;
  }

  void add_block(Index first, Index count, const double* numbers, Reals& sum) const {
    rows_.add_up(first, count, numbers, sum);
    if (with_ones_) sum[rows_.cols()] += sum_of(numbers, count);
  }

  /// Sets `sum` to the sum over all rows. f(share, first, count, part) adds the terms of `count`
  /// rows, from row `first` on, to `part`.
  template <class F>
  void accumulate(Reals& sum, F&& f) {
    const bool together = workers_.count() == 1;
    sum.setZero(cols());
    for_each_share([&](Index share, Index first, Index last) {
      auto& part = parts_[together ? 0 : static_cast<std::size_t>(share)];
      part.setZero();
      for_each_block(first, last, [&](Index i, Index count) { f(share, i, count, part); });
      if (together) sum += part;
    });
    if (!together)
      workers_.run([&](Index k) {
        const auto [first, last] = share_of(cols(), k, workers_.count());
        for (const auto& part : parts_)
          sum.segment(first, last - first) += part.segment(first, last - first);
      });
    rows_.sum(sum.data(), sum.size());
  }

  const RowBlocks& rows_;
  bool with_ones_;
  Workers workers_;
  Index block_;
  Index shares_{1};
  std::vector<Reals> parts_{};
  Index rows_read_{0};
};

}  // namespace linea::detail::samples
