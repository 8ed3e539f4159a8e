// SPDX-License-Identifier: MIT
#pragma once
/// \file Hands an epoch's samples to the loop, a working set at a time, in memory where the loop reads fast.
#include <algorithm>  // clamp, max, min
#include <linea/core/order.hpp>
#include <linea/optimizers/loop/visit.hpp>
#include <linea/samples/training_set.hpp>
#include <utility>  // swap

namespace linea::loop {

template <class Set>
auto labels_of(const Set& set) {
  using T = typename decltype(set.y)::Scalar;
  return Labels<T>{set.y.data(), set.weights.size() ? set.weights.data() : nullptr};
}

/// The labels of copied rows: row i is a copy of row origins[i] of the set.
template <class T>
class CopiedLabels {
 public:
  /// Those of the rows visited; the others are left as they are. Valid until the next call.
  template <class Rows>
  Labels<T> of(const samples::TrainingSet<Rows>& set, const Visits& visits,
               const Sequence& origins) {
    const bool weighted = set.weights.size() > 0;
    y_.resize(static_cast<Index>(origins.size()));
    weights_.resize(weighted ? y_.size() : 0);
    for (const auto row : visits.rows) {
      y_[row] = set.y[origins[row]];
      if (weighted) weights_[row] = set.weights[origins[row]];
    }
    return {y_.data(), weighted ? weights_.data() : nullptr};
  }

 private:
  Vector<T> y_;
  Vector<T> weights_;
};

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

  /// Calls visit(rows, visits, origins) for what comes next of a working set, at most `most` > 0 rows: the rows
  /// given, and no origins, or copies of them, copy i that of row origins[i]. Returns how many rows those are; 0
  /// when all are dealt.
  template <class Rows, class Visit>
  Index next(const Rows& rows, Random& random, Index most, Visit&& visit) {
    if (visited_ == sequence_.size()) {
      if (visits_.empty()) return 0;
      if constexpr (Rows::is_packed)
        for (auto& turn : visits_) turn = arrivals_[turn];
      else
        pack(rows);
      std::swap(visits_, sequence_);
      visited_ = 0;
      epoch_.deal(set_rows_, random, arrivals_, visits_);
    }
    const auto count = std::min(static_cast<std::size_t>(most), sequence_.size() - visited_);
    const auto sequence = std::span<const std::uint32_t>(sequence_).subspan(visited_, count);
    const auto upcoming = std::span<const std::uint32_t>(arrivals_);
    if constexpr (Rows::is_packed)
      visit(rows, Visits{sequence, upcoming.subspan(std::min(visited_, upcoming.size()))},
            origins_);
    else
      visit(rows_of(packed_), Visits{sequence}, origins_);
    visited_ += count;
    return static_cast<Index>(count);
  }

 private:
  template <class Rows>
  void pack(const Rows& rows) {
    slots_.resize(visits_.size());
    origins_.resize(visits_.size());
    for (std::uint32_t k = 0; k < visits_.size(); ++k) {
      auto& turn = visits_[k];
      origins_[k] = arrivals_[turn];
      slots_[turn] = k;
      turn = k;
    }
    const auto count = static_cast<Index>(visits_.size());
    if (packed_.rows() < count) packed_.resize(count, rows.cols());
    rows.pack(arrivals_, slots_, packed_);
  }

  Epoch epoch_;
  Index set_rows_{1};
  Sequence arrivals_;       // of the next working set, as memory has them
  Sequence visits_;         // and as they are to be visited
  Sequence sequence_;       // the set being visited,
  std::size_t visited_{0};  // so far
  Sequence slots_;
  Sequence origins_;
  Matrix<T> packed_;
};

}  // namespace linea::loop
