// SPDX-License-Identifier: MIT
#pragma once
/// \file Passes over all samples, block by block on one or more threads.
#include <algorithm>  // clamp, fill_n, max, min
#include <bit>        // bit_floor
#include <cstdint>
#include <linea/core/numbers.hpp>
#include <linea/core/types.hpp>
#include <linea/core/workers.hpp>
#include <linea/linear_algebra/vector_level.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/samples/blocks.hpp>
#include <linea/samples/row_block.hpp>
#include <linea/samples/row_blocks.hpp>
#include <vector>

namespace linea::detail::samples {

/// Passes over the rows of x (n × d), or of (x, 1) with a column of ones for an offset, that
/// multiply x by vectors, or by tables with `stride` columns, see stride_of. x must outlive this
/// object.
///
/// Each share of the rows has its own sum, and these sums are added in a fixed order. The number of
/// shares depends on x alone, so the bits do not depend on the number of threads. Sums of divided
/// samples are over all parts. With several threads, each share has a table (cols() × stride).
class Passes {
 public:
  using Reals = Vector<double>;

  Passes(const RowBlocks& rows, bool with_ones, Index threads, Index stride = 1)
      : rows_(rows),
        with_ones_(with_ones),
        stride_(stride),
        workers_(std::clamp<Index>(rows.rows(), 1, threads)),
        block_(stride > 1 ? block_for_tables() : block_of(rows.row_bytes(), rows.is_packed())) {
    // Clearing and adding the sum of a share costs 2d. If there are several shares, each has at
    // least 8d entries, so that 2d is at most a quarter of the cost of the entries. Products with
    // tables are faster for each entry.
    const Index least = stride > 1 ? 64 : 8;
    const Index most = std::clamp<Index>(rows_.entries() / least / rows.cols(), 1, 64);
    shares_ = static_cast<Index>(std::bit_floor(static_cast<std::uint64_t>(most)));
    spaces_.resize(workers_.count() > 1 ? static_cast<std::size_t>(shares_) : 1);
    for (Workspace& space : spaces_) space.sum.resize(cols() * stride);
  }

  Index rows() const { return rows_.rows(); }
  /// Returns d, or d + 1 with a column of ones.
  Index cols() const { return rows_.cols() + (with_ones_ ? 1 : 0); }
  Index stride() const { return stride_; }
  Index shares() const { return shares_; }
  /// Returns the number of rows read so far, divided by the number of rows and rounded up.
  Index passes() const {
    const Index read = static_cast<Index>(rows_.sum(static_cast<double>(rows_read_)));
    return (read + rows_.all_rows() - 1) / rows_.all_rows();
  }
  /// Counts one pass made by the caller.
  void count_pass() { rows_read_ += rows(); }
  /// Calls task(part) for each of `parts` parts, on the threads.
  template <class Task>
  void for_each_part(Index parts, Task&& task) {
    samples::for_each_part(&workers_, parts, task);
  }
  /// Calls task(share, first row, last row) for all shares, on the threads.
  template <class Task>
  void for_each_share(Task&& task) {
    for_each_part(shares_, [&](Index share) {
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
  /// Makes one pass. Calls turn(share, first, scores, numbers) for each block of rows, with their
  /// scores X·v for a table v, and a table of the same size to write to.
  template <class Turn>
  void visit_scores(const Table& v, Turn&& turn) {
    count_pass();
    for_each_share([&](Index share, Index first, Index last) {
      Workspace& space = space_of(share);
      for_each_block(first, last, [&](Index i, Index count) {
        score_rows(v, i, count, space);
        turn(share, i, space.scores, space.numbers);
      });
    });
  }
  /// Sets numbers (n × stride) = X·v for a table v.
  void score(const Table& v, Table& numbers) {
    count_pass();
    numbers.resize(rows(), stride_);
    for_each_share([&](Index share, Index first, Index last) {
      RowBlock& block = space_of(share).block;
      for_each_block(first, last, [&](Index i, Index count) {
        rows_.read(i, count, block);
        score_block(v, block, numbers.data() + i * stride_);
      });
    });
  }

  /// Sets sum = Σᵢ numbers[i]·xᵢ. May skip rows whose number is 0.
  void add_up(const Reals& numbers, Reals& sum) {
    count_pass();
    accumulate(sum, [&](Index, Index first, Index count, Workspace& space) {
      add_block(first, count, numbers.data() + first, space.sum);
    });
  }
  /// Sets sum = XᵀC for the table C (n × stride) whose row i is numbers[i] at of_class[i], else 0.
  void add_up_classes(const Reals& numbers, const Vector<Index>& of_class, Table& sum) {
    count_pass();
    accumulate(sum, [&](Index, Index first, Index count, Workspace& space) {
      rows_.read(first, count, space.block);
      for (Index k = 0; k < count; ++k) {
        const double a = numbers[first + k];
        double* const column = space.sum.data() + of_class[first + k];
        space.block.for_each(k, [&](Index j, double x) { column[j * stride_] += a * x; });
        if (with_ones_) column[rows_.cols() * stride_] += a;
      }
    });
  }
  /// Sets sum = XᵀC for a table C (n × stride).
  void add_up(const Table& numbers, Table& sum) {
    count_pass();
    accumulate(sum, [&](Index, Index first, Index count, Workspace& space) {
      rows_.read(first, count, space.block);
      add_block(space.block, numbers.data() + first * stride_, space.sum);
    });
  }

  /// Makes one pass. For each block sets numbers[i] = ⟨xᵢ, v⟩ as `score` does, and calls
  /// turn(share, first, count, coefficients), which sets `count` coefficients. Sets `sum` to the
  /// sum of coefficients[k]·xᵢ with i = first + k over all blocks.
  template <class Turn>
  void score_and_add_up(const Reals& v, Reals& numbers, const double* wanted, Index count,
                        Turn&& turn, Reals& sum) {
    count_rows(count);
    accumulate(sum, [&](Index share, Index first, Index in_block, Workspace& space) {
      alignas(64) double coefficients[most_block];  // the stack of a thread may be aligned less
      score_block(v, first, in_block, numbers.data() + first, wanted);
      turn(share, first, in_block, coefficients);
      add_block(first, in_block, coefficients, space.sum);
    });
  }
  /// Sets sum = XᵀC in one pass. turn(first, scores, numbers) sets `numbers` to rows first, first +
  /// 1, … of C, from the same rows of X·v, of which `scores` has a block.
  template <class Turn>
  void score_and_add_up(const Table& v, Turn&& turn, Table& sum) {
    count_pass();
    accumulate(sum, [&](Index, Index first, Index count, Workspace& space) {
      score_rows(v, first, count, space);
      turn(first, space.scores, space.numbers);
      add_block(space.block, space.numbers.data(), space.sum);
    });
  }

  /// Sets sum = Σᵢ numbers[i]·xᵢ∘xᵢ.
  void add_up_squares(const Reals& numbers, Reals& sum) {
    count_pass();
    accumulate(sum, [&](Index, Index first, Index count, Workspace& space) {
      rows_.read(first, count, space.block);
      for (Index k = 0; k < count; ++k) {
        const double a = numbers[first + k];
        space.block.for_each(k, [&](Index j, double x) { space.sum[j] += a * x * x; });
      }
      if (with_ones_) space.sum[rows_.cols()] += sum_of(numbers.data() + first, count);
    });
  }

 private:
  template <class F>
  void for_each_block(Index first, Index last, F&& f) const {
    for (; first < last; first += block_) f(first, std::min(block_, last - first));
  }

  /// Returns the number of rows of a block that stays in the cache between two products with
  /// tables.
  Index block_for_tables() const {
    const std::int64_t all_bytes = std::int64_t{8} * rows_.entries();
    const std::int64_t bytes = all_bytes / std::max<Index>(rows(), 1) + 8 * stride_;
    return std::clamp<Index>(detail::to<Index>(131072 / bytes) / 8 * 8, 8, most_block);
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
  void score_block(const Table& v, const RowBlock& block, double* numbers) const {
    const double* offset = with_ones_ ? v.data() + rows_.cols() * stride_ : no_offset_.data();
    auto* weights = const_cast<double*>(v.data());  // scores only read the weights
    linear_algebra::run_at(level_, TableProduct<true>(block, weights, offset, numbers, stride_));
  }

  void add_block(Index first, Index count, const double* numbers, Reals& sum) const {
    rows_.add_up(first, count, numbers, sum);
    if (with_ones_) sum[rows_.cols()] += sum_of(numbers, count);
  }
  void add_block(const RowBlock& block, const double* numbers, Reals& sum) const {
    auto* scores = const_cast<double*>(numbers);  // sums only read the scores
    linear_algebra::run_at(level_,
                           TableProduct<false>(block, sum.data(), nullptr, scores, stride_));
    if (!with_ones_) return;
    double* const ones = sum.data() + rows_.cols() * stride_;
    for (Index i = 0; i < block.count; ++i)
      for (Index k = 0; k < stride_; ++k) ones[k] += numbers[i * stride_ + k];
  }

  /// The sum of a share, and tables for its blocks. On one thread all shares use the same space.
  struct Workspace {
    Reals sum{};
    RowBlock block{};
    Table scores{}, numbers{};
  };
  Workspace& space_of(Index share) {
    return spaces_[spaces_.size() == 1 ? 0 : static_cast<std::size_t>(share)];
  }

  /// Sets the scores of rows [first, first + count), and the size of the numbers.
  void score_rows(const Table& v, Index first, Index count, Workspace& space) const {
    space.scores.resize(count, stride_);
    space.numbers.resize(count, stride_);
    rows_.read(first, count, space.block);
    score_block(v, space.block, space.scores.data());
  }

  void resize(Reals& sum) const { sum.resize(cols()); }
  void resize(Table& sum) const { sum.resize(cols(), stride_); }

  /// Sets `sum` to the sum over all rows. f(share, first, count, space) adds the terms of `count`
  /// rows, from row `first` on, to the sum of the workspace.
  template <class Sum, class F>
  void accumulate(Sum& sum, F&& f) {
    const bool together = workers_.count() == 1;
    resize(sum);
    std::fill_n(sum.data(), sum.size(), 0.0);
    const auto add = [&](const Reals& part, Index first, Index last) {
      for (Index k = first; k < last; ++k) sum.data()[k] += part[k];
    };
    for_each_share([&](Index share, Index first, Index last) {
      Workspace& space = space_of(share);
      std::fill_n(space.sum.data(), space.sum.size(), 0.0);
      for_each_block(first, last, [&](Index i, Index count) { f(share, i, count, space); });
      if (together) add(space.sum, 0, sum.size());
    });
    if (!together)
      workers_.run([&](Index k) {
        const auto [first, last] = share_of(sum.size(), k, workers_.count());
        for (const Workspace& space : spaces_) add(space.sum, first, last);
      });
    rows_.sum(sum.data(), sum.size());
  }

  const RowBlocks& rows_;
  bool with_ones_;
  Index stride_;
  Workers workers_;
  Index block_;
  Index shares_{1};
  std::vector<Workspace> spaces_{};
  linear_algebra::VectorLevel level_{level_for(stride_)};
  Reals no_offset_{detail::filled(stride_, 0.0)};
  Index rows_read_{0};
};

}  // namespace linea::detail::samples
