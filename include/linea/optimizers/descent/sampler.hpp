// SPDX-License-Identifier: MIT
#pragma once
/// \file The rows that a training run visits, their order, and the number of rows in a step.
#include <algorithm>  // clamp, max, min
#include <concepts>
#include <cstdint>
#include <linea/core/order.hpp>
#include <linea/optimizers/descent/visit.hpp>
#include <linea/samples/row_order.hpp>
#include <utility>  // move

namespace linea::detail::descent {

/// The options of a learner for its visits and its average.
template <Order O>
struct VisitOptions {
  O order{};
  Index batch{1};       ///< samples in a step
  bool average{false};  ///< keep the mean of the iterates?
  std::uint64_t seed{0};
  double batch_growth{1};  ///< growth factor of the batch from epoch to epoch
};

/// The visits of one learner, epoch after epoch. The visits depend only on the options, on n, on
/// the size of a row and, for some orders, on the samples. Learners on the same rows may share one
/// sampler if `leads_as` returns true.
///
/// A working set has as many rows of an epoch as fit in Epoch::set_bytes, but at least a batch. If
/// the entries of a row are adjacent, the learner visits the rows in place while it fetches the
/// next set into the cache. Otherwise the sampler copies each set before its visits, in the order
/// of these visits. This takes memory for one set, not for a copy of x.
template <class T, Order O>
class Sampler {
 public:
  explicit Sampler(const VisitOptions<O>& options)
      : order_(options.order),
        random_(options.seed),
        batch_(static_cast<double>(options.batch)),
        batch_growth_(options.batch_growth) {}

  /// Fits the order to the samples. Call it before the first epoch on a set.
  template <class Rows>
  void fit(const samples::TrainingSet<Rows>& set) {
    row_bytes_ = set.rows.row_bytes();
    if (set.rows.rows() == 0) return;
    if constexpr (requires { order_.fitted_to(set.y, row_bytes_, Index{}, Index{}); }) {
      // With more rows than the caches hold, jumps between chunks are expensive, and the test of
      // whether the rows are in random order takes a small part of an epoch.
      const bool is_long = row_bytes_ > 0 && set.rows.rows() >= (Index{1} << 26) / row_bytes_;
      // Rows that are copied column by column come in chunks of up to 128: a column then gives
      // several adjacent entries.
      const Index fitting = std::clamp<Index>(262144 / std::max<Index>(row_bytes_, 1), 1, 128);
      const Index stretch = Rows::is_packed ? row_bytes_ : fitting * row_bytes_;
      if (stretch == row_bytes_ && is_long &&
          samples::lie_at_random(set.rows, O::longest_chunk / row_bytes_))
        order_ = order_.fitted_to(set.y, row_bytes_, O::longest_chunk, Index{2});
      else
        order_ = order_.fitted_to(set.y, row_bytes_, std::max(O::largest_chunk, stretch), Index{4});
    } else if constexpr (takes_targets)
      order_ = order_.fitted_to(set.y, row_bytes_);
  }

  /// Does `other`, with the same options and rows but other targets, visit the rows in the same
  /// order? Returns false for an order that depends on the targets and has no comparison.
  bool leads_as(const Sampler& other) const {
    if constexpr (takes_targets && std::equality_comparable<O>)
      return order_ == other.order_;
    else
      return !takes_targets;
  }

  /// Returns the number of samples in a step of the coming epoch over n rows.
  Index batch_of(Index n) const {
    return batch_ < static_cast<double>(n) ? static_cast<Index>(batch_) : n;
  }

  /// Returns the number of rows in `steps` steps of the coming epoch, at most n.
  Index rows_in(Index steps, Index n) const {
    const Index batch = batch_of(n);
    return steps < (n + batch - 1) / batch ? steps * batch : n;
  }

  Epoch drawn_epoch(Index n) {
    Epoch epoch;
    order_.draw(epoch, n, row_bytes_, random_);
    return epoch;
  }
  std::uint64_t drawn_seed() { return random_(); }

  /// Begins an epoch. Every working set but the last consists of whole batches.
  void begin_epoch(Epoch epoch) {
    epoch_ = std::move(epoch);
    const Index batch = batch_of(epoch_.rows);
    const Index fitting = epoch_.set_bytes / std::max<Index>(row_bytes_, 1) / batch * batch;
    set_rows_ = std::clamp(fitting, batch, epoch_.rows);
    epoch_.deal(set_rows_, random_, arrivals_, visits_);
    sequence_.clear();
    visited_ = 0;
  }
  /// Begins an epoch with a share of an epoch that another sampler has drawn. `seed` determines
  /// random orders within working sets.
  void begin_epoch(Epoch share, std::uint64_t seed) {
    random_ = Random(seed);
    begin_epoch(std::move(share));
  }

  /// Calls visit(rows, visits) for the next `count` rows, or fewer at the end of the epoch, in
  /// portions of at most `most` > 0. `visit` gets either the rows themselves or copies: row i is a
  /// copy of row origins()[i]. Returns the number of rows.
  template <class Rows, class Visit>
  Index deal(const Rows& rows, Index count, Index most, Visit&& visit) {
    Index dealt = 0;
    while (dealt < count && (visited_ < sequence_.size() || next_set(rows))) {
      const std::uint32_t* const first = sequence_.data() + visited_;
      const Index left = static_cast<Index>(sequence_.size() - visited_);
      const Index stretch = std::min(left, std::min(most, count - dealt));
      Visits visits{first, static_cast<std::size_t>(stretch)};
      if constexpr (Rows::is_packed) {
        if (visited_ < arrivals_.size()) {
          visits.upcoming = arrivals_.data() + visited_;
          visits.upcoming_count = arrivals_.size() - visited_;
        }
        visit(rows, visits);
      } else {
        visit(rows_of(packed_), visits);
      }
      visited_ += visits.size();
      dealt += stretch;
    }
    return dealt;
  }

  const Sequence& origins() const { return origins_; }
  /// Returns the labels of the rows of `deal`. If these are copies, sets only the labels of the
  /// visited rows, and the result is valid until the next call.
  template <class Rows>
  Labels<T> labels(const samples::TrainingSet<Rows>& set, const Visits& visits) {
    if constexpr (Rows::is_packed) {
      return labels_of(set);
    } else {
      const bool weighted = set.weights.size() > 0;
      y_.resize(static_cast<Index>(origins_.size()));
      weights_.resize(weighted ? y_.size() : 0);
      for (std::size_t k = 0; k < visits.size(); ++k) {
        const std::uint32_t row = visits.rows[k];
        y_[row] = set.y[origins_[row]];
        if (weighted) weights_[row] = set.weights[origins_[row]];
      }
      return {y_.data(), weighted ? weights_.data() : nullptr};
    }
  }

  /// Passes the state between two epochs to visit(name, value), which may change it.
  template <class Visit>
  void each_state(const Visit& visit) {
    if constexpr (requires { order_.each_state(visit); })
      visit("order", order_);
    else
      static_assert(!takes_targets, "an order with `fitted_to` also needs `each_state` here");
    visit("row_bytes", row_bytes_);
    visit("random", random_);
    visit("batch", batch_);
  }

  void end_epoch() { batch_ = std::min(batch_ * batch_growth_, 0x1p62); }

 private:
  static constexpr bool takes_targets = requires(const O& order, const Vector<T>& y) {
    order.fitted_to(y, Index{});
  };

  /// Makes the next working set the current one. Returns false at the end of the epoch.
  template <class Rows>
  bool next_set(const Rows& rows) {
    if (visits_.empty()) return false;
    if constexpr (Rows::is_packed)
      for (auto& row : visits_) row = arrivals_[row];
    else
      pack(rows);
    visits_.swap(sequence_);
    visited_ = 0;
    epoch_.deal(set_rows_, random_, arrivals_, visits_);
    return true;
  }

  /// Copies the next set to packed_, where the row of visit k becomes row k. Updates visits_ and
  /// origins_.
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

  O order_;
  Index row_bytes_{0};
  Random random_;
  double batch_;  // batch of the next epoch, before rounding down
  double batch_growth_;
  Epoch epoch_{};
  Index set_rows_{1};
  Sequence arrivals_{};     // rows of the next working set, in the order of its chunks
  Sequence visits_{};       // visit k of the next set is to arrivals_[visits_[k]]
  Sequence sequence_{};     // visits to the current set: rows of x or, if copied, of packed_
  std::size_t visited_{0};  // how many rows of the current set have been visited
  Sequence slots_{};        // arrivals_[k] is copied to row slots_[k] of packed_
  Sequence origins_{};      // row k of packed_ is a copy of row origins_[k]
  Matrix<T> packed_{};
  Vector<T> y_{};  // labels of rows of packed_
  Vector<T> weights_{};
};

}  // namespace linea::detail::descent
