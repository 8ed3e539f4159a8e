// SPDX-License-Identifier: MIT
#pragma once
/// \file Passes over the samples for all classes at once: each pass reads x once.
#include <algorithm>  // clamp, fill_n, max, min
#include <bit>        // bit_floor
#include <cstdint>
#include <linea/core/workers.hpp>
#include <linea/optimizers/newton/softmax_kernels.hpp>
#include <linea/samples/passes.hpp>
#include <vector>

namespace linea::detail::newton {

/// Passes over the rows of x (n × d), or of (x, 1) if `with_ones`, which multiply x by tables of k
/// classes. The set must outlive this object.
///
/// Like samples::Passes, the class computes sums share by share. The number of shares depends on x
/// alone, so the bits do not depend on the number of threads. Memory: one table (cols × stride), or
/// with several threads one for each share.
template <class Rows>
class TablePasses {
 public:
  TablePasses(const samples::TrainingSet<Rows>& set, bool with_ones, Index classes, Index threads)
      : set_(set),
        with_ones_(with_ones),
        stride_(stride_of(classes)),
        workers_(std::clamp<Index>(set.rows.rows(), 1, threads)) {
    const Index most = std::clamp<Index>(set.rows.entries() / 8 / set.rows.cols(), 1, 64);
    shares_ = static_cast<Index>(std::bit_floor(static_cast<std::uint64_t>(most)));
    parts_.resize(workers_.count() > 1 ? static_cast<std::size_t>(shares_) : 1);
    for (Table& part : parts_) part.resize(cols(), stride_);
  }

  Index rows() const { return set_.rows.rows(); }
  /// Returns d, or d + 1 for rows of (x, 1).
  Index cols() const { return set_.rows.cols() + (with_ones_ ? 1 : 0); }
  Index stride() const { return stride_; }
  Index shares() const { return shares_; }
  /// Returns the number of times that x has been read.
  Index passes() const { return passes_; }
  void count_pass() { ++passes_; }

  /// Calls task(part) for each of `parts` parts, on the threads.
  template <class Task>
  void for_each_part(Index parts, Task&& task) {
    samples::for_each_part(&workers_, parts, task);
  }

  /// Calls task(share, first row, last row) for each share, on the threads.
  template <class Task>
  void for_each_share(Task&& task) {
    for_each_part(shares_, [&](Index share) {
      const auto [first, last] = share_of(rows(), share, shares_);
      task(share, first, last);
    });
  }

  /// Computes scores (n × stride) = X·theta, for theta (cols × stride). The scores of samples of
  /// weight 0 are 0.
  void score(const Table& theta, Table& scores) {
    ++passes_;
    scores.resize(rows(), stride_);
    for_each_share([&](Index, Index first, Index last) {
      for_each_block(first, last, [&](const RowBlock& block, Index i) {
        score_block(block, i, theta, scores.data() + i * stride_);
      });
    });
  }

  /// Computes sum (cols × stride) = XᵀC, for C (n × stride).
  void add_up(const Table& numbers, Table& sum) {
    accumulate(sum, [&](const RowBlock& block, Index first, Table& part) {
      add_block(block, numbers.data() + first * stride_, part);
    });
  }

  /// Computes sum = XᵀC in one pass. turn(first, scores, numbers) must set `numbers` to rows first,
  /// first + 1, … of C, from the same rows of X·theta, of which `scores` has a block.
  template <class Turn>
  void score_and_add_up(const Table& theta, Turn&& turn, Table& sum) {
    accumulate(sum, [&](const RowBlock& block, Index first, Table& part) {
      Table scores(block.count, stride_), numbers(block.count, stride_);
      score_block(block, first, theta, scores.data());
      turn(first, scores, numbers);
      add_block(block, numbers.data(), part);
    });
  }

 private:
  template <class F>
  void for_each_block(Index first, Index last, F&& f) const {
    RowBlock block{set_.rows.cols(), Rows::is_sparse};
    const Index size = block_size();
    for (; first < last; first += size) {
      block.read(set_, first, std::min(size, last - first));
      f(block, first);
    }
  }

  /// Returns the number of rows of a block, which stay in the cache between two products.
  Index block_size() const {
    const std::int64_t all_bytes = std::int64_t{8} * set_.rows.entries();
    const std::int64_t bytes = all_bytes / std::max<Index>(rows(), 1) + 8 * stride_;
    return std::clamp<Index>(detail::to<Index>(131072 / bytes) / 4 * 4, 8, samples::most_block);
  }

  void score_block(const RowBlock& block, Index first, const Table& theta, double* own) const {
    const double* offset =
        with_ones_ ? theta.data() + set_.rows.cols() * stride_ : no_offset_.data();
    auto* weights = const_cast<double*>(theta.data());  // scores only read the weights
    linear_algebra::run_at(level_, Product<true>(block, weights, offset, own, stride_));
    for (Index i = 0; i < block.count; ++i)
      if (set_.weight(first + i) == 0) std::fill_n(own + i * stride_, stride_, 0.0);
  }

  void add_block(const RowBlock& block, const double* numbers, Table& sum) const {
    auto* scores = const_cast<double*>(numbers);  // sums only read the scores
    linear_algebra::run_at(level_, Product<false>(block, sum.data(), nullptr, scores, stride_));
    if (!with_ones_) return;
    double* const ones = sum.data() + set_.rows.cols() * stride_;
    for (Index i = 0; i < block.count; ++i)
      for (Index k = 0; k < stride_; ++k) ones[k] += numbers[i * stride_ + k];
  }

  template <class F>
  void accumulate(Table& sum, F&& f) {
    ++passes_;
    const bool together = workers_.count() == 1;
    sum.setZero(cols(), stride_);
    for_each_share([&](Index share, Index first, Index last) {
      Table& part = parts_[together ? 0 : static_cast<std::size_t>(share)];
      part.setZero();
      for_each_block(first, last, [&](const RowBlock& block, Index i) { f(block, i, part); });
      if (together) sum += part;
    });
    if (!together)
      workers_.run([&](Index k) {
        const auto [first, last] = share_of(sum.size(), k, workers_.count());
        for (const Table& part : parts_)
          for (Index i = first; i < last; ++i) sum.data()[i] += part.data()[i];
      });
  }

  const samples::TrainingSet<Rows>& set_;
  bool with_ones_;
  Index stride_;
  Workers workers_;
  linear_algebra::VectorLevel level_{linear_algebra::best_vector_level()};
  Index shares_{1};
  std::vector<Table> parts_{};
  Vector<double> no_offset_{Vector<double>::Zero(stride_)};
  Index passes_{0};
};

}  // namespace linea::detail::newton
