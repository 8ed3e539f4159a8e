// SPDX-License-Identifier: MIT
#pragma once
/// \file The course that training takes through the samples: epoch after epoch, set after set, step after step.
#include <algorithm>  // max, min
#include <concepts>
#include <cstdint>
#include <linea/optimizers/loop/dealer.hpp>
#include <utility>  // move

namespace linea::loop {

/// How a learner goes through samples.
template <Order O>
struct Routine {
  O order{};
  Index batch{1};
  bool average{false};
  std::uint64_t seed{0};
  double batch_growth{1};  ///< the batch of an epoch over that of the epoch before
};

/// Which rows an epoch visits, in which sets, and how many to a step. All that follows from the routine, from n and
/// from the size of a row: learners may share a course wherever `leads_as` says that theirs are the same.
template <class T, Order O>
class Itinerary {
 public:
  explicit Itinerary(const Routine<O>& routine)
      : order_(routine.order),
        random_(routine.seed),
        batch_(static_cast<double>(routine.batch)),
        batch_growth_(routine.batch_growth) {}

  /// Before the first epoch on a set.
  template <class Rows>
  void fit(const samples::TrainingSet<Rows>& set) {
    row_bytes_ = set.rows.row_bytes();
    if constexpr (requires { order_.fitted_to(set.y, row_bytes_, Index{}); })
      order_ = order_.fitted_to(set.y, row_bytes_,
                                std::max(O::largest_chunk, set.rows.stretch_rows() * row_bytes_));
    else if constexpr (takes_targets)
      order_ = order_.fitted_to(set.y, row_bytes_);
  }

  /// Does a course of the same routine, fitted to other targets of the same rows, visit the same samples? An order
  /// that is fitted to targets and cannot be compared does not know.
  bool leads_as(const Itinerary& other) const {
    if constexpr (takes_targets && std::equality_comparable<O>)
      return order_ == other.order_;
    else
      return !takes_targets;
  }

  Index batch_of(Index n) const {
    return batch_ < static_cast<double>(n) ? static_cast<Index>(batch_) : n;
  }

  Epoch drawn_epoch(Index n) {
    Epoch epoch;
    order_.draw(epoch, n, row_bytes_, random_);
    return epoch;
  }
  std::uint64_t drawn_seed() { return random_(); }

  void begin_epoch(Epoch epoch) {
    const Index batch = batch_of(epoch.rows);
    dealer_.begin(std::move(epoch), row_bytes_, batch, random_);
  }
  /// With a share of an epoch that another course has drawn.
  void begin_epoch(Epoch share, std::uint64_t seed) {
    random_ = Random(seed);
    begin_epoch(std::move(share));
  }

  /// Deals the next `count` rows, fewer at the end, to `visit` (see Dealer::next), at most `most` at a time. Returns how many.
  template <class Rows, class Visit>
  Index deal(const Rows& rows, Index count, Index most, Visit&& visit) {
    Index dealt = 0;
    while (dealt < count) {
      const Index next = dealer_.next(rows, random_, std::min(most, count - dealt), visit);
      if (next == 0) break;
      dealt += next;
    }
    return dealt;
  }

  void end_epoch() { batch_ = std::min(batch_ * batch_growth_, 0x1p62); }

 private:
  static constexpr bool takes_targets = requires(const O& order, const Vector<T>& y) {
    order.fitted_to(y, Index{});
  };

  O order_;
  Index row_bytes_{0};
  Random random_;
  double batch_;  // of the next epoch, before rounding down
  double batch_growth_;
  Dealer<T> dealer_;
};

}  // namespace linea::loop
