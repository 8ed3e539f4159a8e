// SPDX-License-Identifier: MIT
#pragma once
/// \file The way of a training run through the samples: which rows, in which order, how many a
/// step.
#include <algorithm>  // max, min
#include <concepts>
#include <cstdint>
#include <linea/optimizers/descent/dealer.hpp>
#include <linea/samples/row_order.hpp>
#include <utility>  // move

namespace linea::descent {

/// How a learner visits samples.
template <Order O>
struct VisitOptions {
  O order{};
  Index batch{1};       ///< samples a step
  bool average{false};  ///< keep the mean of the iterates?
  std::uint64_t seed{0};
  double batch_growth{1};  ///< the batch of an epoch over that of the epoch before
};

/// The visits of one learner, epoch after epoch. They follow from the options, from n, from the
/// size of a row and, for orders that look at them, from the samples. Learners on the same rows may
/// follow the itinerary of one of them where `leads_as` says that it is theirs as well.
template <class T, Order O>
class Itinerary {
 public:
  explicit Itinerary(const VisitOptions<O>& options)
      : order_(options.order),
        random_(options.seed),
        batch_(static_cast<double>(options.batch)),
        batch_growth_(options.batch_growth) {}

  /// Lets the order look at the samples. To be called before the first epoch on a set.
  template <class Rows>
  void fit(const samples::TrainingSet<Rows>& set) {
    row_bytes_ = set.rows.row_bytes();
    if (set.rows.rows() == 0) return;
    if constexpr (requires { order_.fitted_to(set.y, row_bytes_, Index{}, Index{}); }) {
      const Index stretch = set.rows.stretch_rows() * row_bytes_;
      if (stretch == row_bytes_ && is_long(set.rows) &&
          samples::lie_at_random(set.rows, O::longest_chunk / row_bytes_))
        order_ = order_.fitted_to(set.y, row_bytes_, O::longest_chunk, Index{2});
      else
        order_ = order_.fitted_to(set.y, row_bytes_, std::max(O::largest_chunk, stretch), Index{4});
    } else if constexpr (takes_targets)
      order_ = order_.fitted_to(set.y, row_bytes_);
  }

  /// Does `other` visit the same rows in the same order? Both began with the same options and were
  /// fitted to the same rows, perhaps with other targets. An order that looks at targets and cannot
  /// be compared gets the answer no.
  bool leads_as(const Itinerary& other) const {
    if constexpr (takes_targets && std::equality_comparable<O>)
      return order_ == other.order_;
    else
      return !takes_targets;
  }

  /// Samples a step in the coming epoch over n rows.
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
  /// Begins with a share of an epoch that another itinerary has drawn.
  void begin_epoch(Epoch share, std::uint64_t seed) {
    random_ = Random(seed);
    begin_epoch(std::move(share));
  }

  /// Calls `visit` (see Dealer::next) for the next `count` rows, at most `most` of them at a time,
  /// and fewer at the end of the epoch. Returns how many rows there were.
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

  /// Are they more than caches hold? Then a jump to another chunk costs far more than in a cache,
  /// and to look at some rows takes a small part of an epoch.
  template <class Rows>
  bool is_long(const Rows& rows) const {
    return row_bytes_ > 0 && rows.rows() >= (Index{1} << 26) / row_bytes_;
  }

  O order_;
  Index row_bytes_{0};
  Random random_;
  double batch_;  // of the next epoch, before rounding down
  double batch_growth_;
  Dealer<T> dealer_;
};

}  // namespace linea::descent
