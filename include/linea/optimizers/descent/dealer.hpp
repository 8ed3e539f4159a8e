// SPDX-License-Identifier: MIT
#pragma once
/// \file Hands the rows of an epoch to the loop, one working set after the other.
#include <algorithm>  // clamp, max, min
#include <linea/core/order.hpp>
#include <linea/optimizers/descent/visits.hpp>
#include <utility>  // move, swap

namespace linea::descent {

/// A working set is so many rows of an epoch as fit the cache. Where the entries of a row lie side
/// by side, the rows are visited in place, and meanwhile the next set is fetched into the cache.
/// Otherwise the set is first copied, in the order of its visits. So memory is needed for one set,
/// not for a copy of x.
template <class T>
class Dealer {
 public:
  /// Begins an epoch over rows of `row_bytes` bytes. Every working set but the last holds whole
  /// batches of `batch` rows.
  void begin(Epoch epoch, Index row_bytes, Index batch, Random& random) {
    epoch_ = std::move(epoch);
    batch = std::min(batch, epoch_.rows);
    const Index fitting = epoch_.set_bytes / std::max<Index>(row_bytes, 1) / batch * batch;
    set_rows_ = std::clamp(fitting, batch, epoch_.rows);
    epoch_.deal(set_rows_, random, arrivals_, visits_);
    sequence_.clear();
    visited_ = 0;
  }

  /// Calls visit(rows, visits, origins) once, for the next rows of the current working set, at most
  /// `most` > 0 of them. It is given either the rows themselves and no origins, or copies of them:
  /// copy i is then of row origins[i]. Returns how many rows were visited; 0 when the epoch is
  /// over.
  template <class Rows, class Visit>
  Index next(const Rows& rows, Random& random, Index most, Visit&& visit) {
    if (visited_ == sequence_.size()) {
      if (visits_.empty()) return 0;
      if constexpr (Rows::is_packed)
        for (auto& row : visits_) row = arrivals_[row];
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
  /// Copies the next set, row of visit k to row k, and lets the visits and origins_ say so.
  template <class Rows>
  void pack(const Rows& rows) {
    slots_.resize(visits_.size());
    origins_.resize(visits_.size());
    for (std::uint32_t k = 0; k < visits_.size(); ++k) {
      auto& arrival = visits_[k];
      origins_[k] = arrivals_[arrival];
      slots_[arrival] = k;
      arrival = k;
    }
    const auto count = static_cast<Index>(visits_.size());
    if (packed_.rows() < count) packed_.resize(count, rows.cols());
    rows.pack(arrivals_, slots_, packed_);
  }

  Epoch epoch_;
  Index set_rows_{1};
  Sequence arrivals_;       // rows of the next working set, in the order in which memory has them
  Sequence visits_;         // visit k of the next set is of arrivals_[visits_[k]]
  Sequence sequence_;       // rows of the current set, in the order of their visits
  std::size_t visited_{0};  // how many of them have been visited
  Sequence slots_;          // arrivals_[k] is copied to row slots_[k] of packed_
  Sequence origins_;        // row k of packed_ is a copy of row origins_[k]
  Matrix<T> packed_;
};

}  // namespace linea::descent
