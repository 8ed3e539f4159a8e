// SPDX-License-Identifier: MIT
#pragma once
/// \file Hands an epoch's samples to the loop, a working set at a time, in memory where the loop reads fast.
#include <algorithm>  // clamp, max, min
#include <linea/optimizers/loop.hpp>
#include <linea/optimizers/order.hpp>
#include <linea/optimizers/training_set.hpp>
#include <utility>  // swap

namespace linea {

template <class Set>
auto labels_of(const Set& set) {
  using T = typename decltype(set.y)::Scalar;
  return Labels<T>{set.y.data(), set.weights.size() ? set.weights.data() : nullptr};
}

/// Rows whose entries lie side by side are visited in place, the next set being fetched meanwhile. Others
/// are packed first, in the order of the visits: memory for one working set, not for a copy of x.
template <class T>
class Dealer {
 public:
  /// Sets hold whole batches; the last may not.
  void begin(Epoch epoch, Index row_bytes, Index batch, Random& random) {
    epoch_ = std::move(epoch);
    batch = std::min(batch, epoch_.rows);
    const Index fitting = epoch_.set_bytes / std::max<Index>(row_bytes, 1) / batch * batch;
    set_rows_ = std::clamp(fitting, batch, epoch_.rows);
    epoch_.deal(set_rows_, random, arrivals_, visits_);
    sequence_.clear();
    visited_ = 0;
  }

  /// Calls visit(rows, labels, visits) for what comes next of a working set, at most `most` > 0 rows. Returns
  /// how many those are; 0 when all are dealt.
  template <class Rows, class Visit>
  Index next(const TrainingSet<Rows>& set, Random& random, Index most, Visit&& visit) {
    if (visited_ == sequence_.size()) {
      if (visits_.empty()) return 0;
      if constexpr (Rows::is_packed)
        for (auto& turn : visits_) turn = arrivals_[turn];
      else
        pack(set);
      std::swap(visits_, sequence_);
      visited_ = 0;
      epoch_.deal(set_rows_, random, arrivals_, visits_);
    }
    const auto count = std::min(static_cast<std::size_t>(most), sequence_.size() - visited_);
    const auto sequence = std::span<const std::uint32_t>(sequence_).subspan(visited_, count);
    const auto upcoming = std::span<const std::uint32_t>(arrivals_);
    if constexpr (Rows::is_packed)
      visit(set.rows, labels_of(set),
            Visits{sequence, upcoming.subspan(std::min(visited_, upcoming.size()))});
    else
      visit(rows_of(packed_.rows), labels_of(packed_), Visits{sequence});
    visited_ += count;
    return static_cast<Index>(count);
  }

 private:
  template <class Rows>
  void pack(const TrainingSet<Rows>& set) {
    const auto count = static_cast<Index>(visits_.size());
    slots_.resize(visits_.size());
    if (packed_.rows.rows() < count) packed_.rows.resize(count, set.rows.cols());
    packed_.y.resize(count);
    packed_.weights.resize(set.weights.size() ? count : 0);
    for (Index k = 0; k < count; ++k) {
      auto& turn = visits_[static_cast<std::size_t>(k)];
      const auto row = static_cast<Index>(arrivals_[turn]);
      slots_[turn] = static_cast<std::uint32_t>(k);
      packed_.y[k] = set.y[row];
      if (set.weights.size()) packed_.weights[k] = set.weights[row];
      turn = static_cast<std::uint32_t>(k);
    }
    set.rows.pack(arrivals_, slots_, packed_.rows);
  }

  struct Packed {
    Matrix<T> rows;
    Vector<T> y;
    Vector<T> weights;
  };

  Epoch epoch_;
  Index set_rows_{1};
  Sequence arrivals_;       // of the next working set, as memory has them
  Sequence visits_;         // and as they are to be visited
  Sequence sequence_;       // the set being visited,
  std::size_t visited_{0};  // so far
  Sequence slots_;
  Packed packed_;
};

}  // namespace linea
