// SPDX-License-Identifier: MIT
#pragma once
/// \file Sums over all samples, computed block by block on one or more threads.
#include <algorithm>  // clamp, max, min
#include <bit>        // bit_floor
#include <cstdint>
#include <linea/core/types.hpp>
#include <linea/core/workers.hpp>
#include <linea/samples/all_rows.hpp>
#include <vector>

namespace linea::detail::samples {

/// The largest number of rows of a block.
inline constexpr Index most_block = 256;

/// Returns the number of rows of a block, which stay in the cache while a pass reads them twice.
template <class Rows>
Index block_of(const Rows& rows) {
  const Index row_bytes = std::max<Index>(rows.row_bytes(), 1);
  return Rows::is_packed ? std::clamp<Index>(32768 / row_bytes, 16, most_block)
                         : std::clamp<Index>(524288 / row_bytes, 64, most_block);
}

/// Calls f(first, count) for all rows, block by block.
template <class Rows, class F>
void for_each_block(const Rows& rows, F&& f) {
  const Index block = block_of(rows);
  for (Index first = 0; first < rows.rows(); first += block)
    f(first, std::min(block, rows.rows() - first));
}

/// Calls task(part) for all parts. Each worker takes consecutive parts; without workers the calling
/// thread takes all.
template <class Task>
void for_each_part(Workers* workers, Index parts, Task&& task) {
  const auto take = [&](Index k, Index count) {
    const auto [first, last] = share_of(parts, k, count);
    for (Index part = first; part < last; ++part) task(part);
  };
  if (workers)
    workers->run([&](Index k) { take(k, workers->count()); });
  else
    take(0, 1);
}

/// Returns Σᵢ aᵢ·xᵢ (d) over all rows, also those of other processes. coefficient(i) returns aᵢ and
/// is called once for each row i of this process.
template <class Rows, class Coefficient>
auto sum_of_rows(const Rows& rows, Coefficient&& coefficient) {
  using Real = typename Rows::Scalar;
  Vector<Real> sum = Vector<Real>::Zero(rows.cols());
  for_each_block(rows, [&](Index first, Index count) {
    alignas(64) Real coefficients[most_block];
    for (Index k = 0; k < count; ++k) coefficients[k] = coefficient(first + k);
    rows.add_up(first, count, coefficients, sum);
  });
  all_of(rows).sum_entries(sum);
  return sum;
}

/// Passes over the rows of x (n × d), or of (x, 1) with a column of ones for an offset. x must
/// outlive this object.
///
/// Each share of the rows has its own sum, and these sums are added in a fixed order. The number of
/// shares depends on x alone, so the bits do not depend on the number of threads. Sums of divided
/// samples are over all parts. With several threads, each share has a vector (d or d + 1).
template <class Rows>
class Passes {
 public:
  using Real = typename Rows::Scalar;
  using Reals = Vector<Real>;

  Passes(const Rows& rows, bool with_ones, Index threads)
      : rows_(rows),
        with_ones_(with_ones),
        workers_(std::clamp<Index>(rows.rows(), 1, threads)),
        ahead_(4096 / std::max<Index>(rows.row_bytes(), 1) + 1),
        block_(block_of(rows)) {
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
    const Index all = count_of_all(rows_);
    return (all_of(rows_).sum(rows_read_) + all - 1) / all;
  }
  /// Counts one pass made by the caller.
  void count_pass() { rows_read_ += rows(); }
  /// Returns whether a pass can skip single rows.
  static constexpr bool reads_single_rows() { return Rows::is_packed; }

  /// Calls task(share, first row, last row) for all shares, on the threads.
  template <class Task>
  void for_each_share(Task&& task) {
    for_each_part(&workers_, shares_, [&](Index share) {
      const auto [first, last] = share_of(rows(), share, shares_);
      task(share, first, last);
    });
  }

  /// Sets numbers[i] = ⟨xᵢ, v⟩ for the `count` rows i with wanted(i). May set numbers of other
  /// rows, too.
  template <class Wanted>
  void score(const Reals& v, Reals& numbers, Wanted&& wanted, Index count) {
    rows_read_ += reads_single_rows() ? count : rows();
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

  /// Makes one pass. For each block sets numbers[i] = ⟨xᵢ, v⟩ for the rows with wanted(i), and
  /// calls turn(share, first, count, coefficients), which sets `count` coefficients. Sets `sum` to
  /// the sum of coefficients[k]·xᵢ with i = first + k over all blocks.
  template <class Wanted, class Turn>
  void score_and_add_up(const Reals& v, Reals& numbers, Wanted&& wanted, Index count, Turn&& turn,
                        Reals& sum) {
    rows_read_ += reads_single_rows() ? count : rows();
    accumulate(sum, [&](Index share, Index first, Index in_block, Reals& part) {
      alignas(64) Real coefficients[most_block];  // the stack of a thread may be aligned less
      score_block(v, first, in_block, numbers.data() + first, wanted);
      turn(share, first, in_block, coefficients);
      add_block(first, in_block, coefficients, part);
    });
  }

  /// Sets sum = Σᵢ numbers[i]·xᵢ∘xᵢ.
  void add_up_squares(const Reals& numbers, Reals& sum) {
    rows_read_ += rows();
    accumulate(sum, [&](Index, Index first, Index count, Reals& part) {
      const auto weights = numbers.segment(first, count);
      if constexpr (Rows::is_packed)
        for (Index k = 0; k < count; ++k) {
          const Real a = weights[k];
          rows_.for_each(first + k, [&](Index j, Real value) { part[j] += a * value * value; });
        }
      else
        rows_.read(first, count, [&](const auto& block) {
          part.head(rows_.cols()) +=
              (weights.asDiagonal() * block).cwiseProduct(block).colwise().sum().transpose();
        });
      if (with_ones_) part[rows_.cols()] += weights.sum();
    });
  }

 private:
  template <class F>
  void for_each_block(Index first, Index last, F&& f) const {
    for (; first < last; first += block_) f(first, std::min(block_, last - first));
  }

  template <class Wanted>
  void score_block(const Reals& v, Index first, Index count, Real* numbers, Wanted&& wanted) const {
    const Real one = with_ones_ ? v[rows_.cols()] : 0;
    if constexpr (Rows::is_packed) {
      for (Index k = 0; k < count; ++k) {
        const Index i = first + k;
        if (wanted(i)) numbers[k] = rows_.dot(i, v, std::min(i + ahead_, rows() - 1)) + one;
      }
    } else {
      rows_.scores(first, count, v, numbers);
      for (Index k = 0; k < count; ++k) numbers[k] += one;
    }
  }

  void add_block(Index first, Index count, const Real* numbers, Reals& sum) const {
    rows_.add_up(first, count, numbers, sum);
    if (with_ones_) sum[rows_.cols()] += Eigen::Map<const Reals>(numbers, count).sum();
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
    all_of(rows_).sum_entries(sum);
  }

  Rows rows_;
  bool with_ones_;
  Workers workers_;
  Index ahead_;
  Index block_;
  Index shares_{1};
  std::vector<Reals> parts_{};
  Index rows_read_{0};
};

}  // namespace linea::detail::samples
