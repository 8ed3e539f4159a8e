// SPDX-License-Identifier: MIT
#pragma once
/// \file An epoch of dual ascent by several processes: parts of it, each ended by a joint step.
#include <algorithm>  // clamp
#include <linea/core/entries.hpp>
#include <linea/core/workers.hpp>
#include <linea/optimizers/dual/joint_step.hpp>
#include <linea/samples/training_set.hpp>
#include <utility>  // exchange
#include <vector>

namespace linea::dual {

/// The entries that a process reads in an epoch of all samples, for each of the d numbers that a
/// joint step sends.
template <class Rows>
double entries_by_number(const samples::TrainingSet<Rows>& set) {
  const auto entries = static_cast<double>(set.processes.sum(set.rows.entries()));
  const Index numbers = set.processes.size() * set.rows.cols();
  return entries / static_cast<double>(numbers);
}
/// How many joint steps there are in an epoch of that share of the samples: about one for every
/// eight of those entries that are due, from one to four. The more there are, the fewer epochs.
inline Index joint_steps(double entries_by_number, double share) {
  return static_cast<Index>(std::clamp(share * entries_by_number / 8 + 0.5, 1.0, 4.0));
}

/// Each process visits its own rows, as if the others stood still; then all take the same part of
/// all moves.
template <class L, class Rows>
class JointEpoch {
 public:
  using Real = core::DoubleFor<Rows>;

  /// Loss and set must outlive it. Nothing is exchanged by one process.
  JointEpoch(const L& loss, const samples::TrainingSet<Rows>& set) : loss_(loss), set_(set) {
    if (set.processes.is_alone()) return;
    entries_by_number_ = entries_by_number(set);
    for (Index i = 0; i < set.rows.rows(); ++i) all_present_ += set.weight(i) > 0;
    all_present_ = set.processes.sum(all_present_);
  }

  /// `visit(count, moves)` visits the next samples of this process, adds their moves to `moves` and
  /// what it sees of the gap to `excess`; `count` are due in all. Moves weights, multipliers and
  /// shift. Returns how many multipliers have moved, of all processes.
  template <class Weights, class Visit>
  Index run(Index count, const DualTerms<Real>& terms, std::vector<SampleState>& samples,
            Weights& weights, double& shift, double& excess, const Visit& visit) {
    const Index steps = joint_steps(entries_by_number_, share_due(count));
    Place<Real> place{weights.weights(), weights.offset(), shift};
    Index all_moved = 0;
    for (Index k = 0; k < steps; ++k) {
      const auto [first, last] = share_of(count, k, steps);
      moves_.clear();
      const double before = std::exchange(excess, 0);
      auto moved = static_cast<double>(visit(last - first, &moves_));
      JointStep<L, Rows> step(loss_, set_, samples, moves_);
      exchanged_.resize(place.v.size() + step.more_numbers);
      exchanged_.head(place.v.size()) = weights.view() - place.v;
      const double t = step.take(place, exchanged_, shift, terms, excess, moved);
      excess += before;
      weights.replace(place.v, t, exchanged_.data(), place.offset);
      shift = place.shift;
      all_moved += static_cast<Index>(moved);
    }
    return all_moved;
  }

 private:
  /// Of the samples of all processes, if that makes a difference.
  double share_due(Index count) const {
    if (joint_steps(entries_by_number_, 1) == 1) return 1;
    return static_cast<double>(set_.processes.sum(count)) / static_cast<double>(all_present_);
  }

  const L& loss_;
  const samples::TrainingSet<Rows>& set_;
  double entries_by_number_{1};
  Index all_present_{0};       // samples of all processes whose weight is above 0
  std::vector<Move> moves_{};  // since the last joint step
  Vector<Real> exchanged_{};   // by it
};

}  // namespace linea::dual
