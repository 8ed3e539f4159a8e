// SPDX-License-Identifier: MIT
#pragma once
/// \file Several learners on one problem, each on its own thread, with the same bits in every run.
#include <algorithm>  // clamp, count, max, min
#include <cmath>      // isfinite
#include <cstdint>
#include <linea/core/entries.hpp>
#include <linea/core/workers.hpp>
#include <linea/optimizers/descent/learner.hpp>
#include <vector>

namespace linea::descent {

/// Each member visits its own share of an epoch's chunks, drawn anew every epoch. Several times an
/// epoch all members move to the mean of their weights (parameter mixing: McDonald, Hall and Mann,
/// NAACL 2010). So the answer depends on the seed and the number of members, not on how the threads
/// run. One member is a learner like any other.
///
/// A member takes 1/count of the steps. So an epoch moves w less far than that of a single learner,
/// and with less noise.
template <class T, class Member>
class Team {
 public:
  Team(Member leader, Workers& workers) : workers_(workers), members_{std::move(leader)} {}

  template <class Rows>
  void prepare(const samples::TrainingSet<Rows>& set, bool choose_offset) {
    members_.front().prepare(set, choose_offset);
    const auto count = static_cast<std::size_t>(workers_.count());
    members_.reserve(count);
    while (members_.size() < count) members_.push_back(members_.front());
    points_.resize(members_.size());
  }

  /// One epoch, of at most `most_steps` steps. Returns how many visits moved the weights.
  template <class Rows>
  Index run_epoch(const samples::TrainingSet<Rows>& set, Index most_steps) {
    auto& leader = members_.front();
    if (members_.size() == 1) return leader.run_epoch(set, most_steps);

    const Index n = set.rows.rows();
    const auto count = static_cast<Index>(members_.size());
    const Index batch = leader.itinerary().batch_of(n);
    const Epoch epoch = leader.itinerary().drawn_epoch(n);
    std::vector<Index> remaining(members_.size(), n);  // rows that each may still visit
    for (Index k = 0; k < count; ++k) {
      member(k).itinerary().begin_epoch(epoch.share(k, count), leader.itinerary().drawn_seed());
      const auto [first, last] = share_of(std::min(most_steps, n), k, count);
      if (most_steps < n)
        remaining[static_cast<std::size_t>(k)] = std::min((last - first) * batch, n);
    }
    // To find the mean costs O(d), and some microseconds until all threads meet. So each member
    // reads at least 32·d entries, and at least a million, between one time and the next.
    const auto between = std::max(std::int64_t{32} * set.rows.cols(), std::int64_t{1} << 20);
    const std::int64_t as_many = set.rows.entries() / count / between;
    const auto rounds = static_cast<Index>(std::clamp<std::int64_t>(as_many, 1, most_rounds));
    const Index uneven = epoch.chunks.size() == 1 ? 64 : 2 * epoch.chunk_rows;
    const Index part = ((n / count + uneven) / rounds + batch) / batch * batch;
    const Index moved_before = mistakes();
    std::vector<Index> visited(members_.size(), part);
    for (bool apart = false; std::count(visited.begin(), visited.end(), part) > 0; apart = true) {
      workers_.run([&](Index k) {
        if (apart) member(k).replace(mean_.weights, mean_.offset);
        auto& rows = remaining[static_cast<std::size_t>(k)];
        const Index visits = member(k).run_part(set, std::min(part, rows));
        rows -= visits;
        visited[static_cast<std::size_t>(k)] = visits;
        points_[static_cast<std::size_t>(k)] = {member(k).current_weights(),
                                                member(k).current_offset()};
      });
      find_mean();
    }
    workers_.run([&](Index k) {
      member(k).replace(mean_.weights, mean_.offset);
      member(k).end_epoch();
    });
    return mistakes() - moved_before;
  }

  /// The members have the same weights; where they keep averages, the mean of those.
  Solution<T> solution() const {
    auto solution = members_.front().solution();
    if (members_.size() == 1) return solution;
    solution.updates = updates();
    if (solution.iterate == Iterate::average) {
      const auto count = static_cast<double>(members_.size());
      using Reals = Vector<core::DoubleFor<T>>;
      Reals sum = Reals::Zero(solution.weights.size());
      double offsets = 0;
      for (const auto& each : members_) {
        const auto one = each.solution();
        sum += one.weights.template cast<double>();
        offsets += static_cast<double>(one.offset);
      }
      solution.weights = (sum / count).template cast<T>();
      solution.offset = static_cast<T>(offsets / count);
    }
    if (!core::all_finite(solution.weights) || !std::isfinite(solution.offset))
      solution.status = Status::diverged;
    return solution;
  }

  /// Are the weights finite? Of the members' averages nothing is asked.
  bool is_finite() const { return members_.front().is_finite(); }

  void restart_average(bool on) {
    for (auto& each : members_) each.restart_average(on);
  }
  void rewind(const Vector<T>& w, T offset, double factor) {
    for (auto& each : members_) each.rewind(w, offset, factor);
  }
  Index updates() const {
    Index updates = 0;
    for (const auto& each : members_) updates += each.updates();
    return updates;
  }
  Index mistakes() const {
    Index mistakes = 0;
    for (const auto& each : members_) mistakes += each.mistakes();
    return mistakes;
  }
  Member& leader() { return members_.front(); }
  const Member& leader() const { return members_.front(); }
  double step_size() const { return members_.front().step_size(); }
  Index epochs() const { return members_.front().epochs(); }
  Vector<T> current_weights() const { return members_.front().current_weights(); }
  T current_offset() const { return members_.front().current_offset(); }
  const auto& rule() const { return members_.front().rule(); }

 private:
  static constexpr Index most_rounds = 16;
  static constexpr Index few_weights = 16384;  // are summed sooner than all threads meet

  Member& member(Index k) { return members_[static_cast<std::size_t>(k)]; }

  /// The mean of `points_`, summed in double in the order of the members.
  void find_mean() {
    const auto count = static_cast<double>(members_.size());
    double offsets = 0;
    for (const auto& each : points_) offsets += static_cast<double>(each.offset);
    mean_.offset = static_cast<T>(offsets / count);
    const Index d = points_.front().weights.size();
    mean_.weights.resize(d);
    const auto find = [&](Index first, Index last) {
      for (Index j = first; j < last; ++j) {
        double sum = 0;
        for (const auto& each : points_) sum += static_cast<double>(each.weights[j]);
        mean_.weights[j] = static_cast<T>(sum / count);
      }
    };
    if (d < few_weights) return find(0, d);
    workers_.run([&](Index k) {
      const auto [first, last] = share_of(d, k, workers_.count());
      find(first, last);
    });
  }

  Workers& workers_;
  std::vector<Member> members_;
  std::vector<Point<T>> points_;  // where each member is at the end of a round
  Point<T> mean_{};               // of those
};

}  // namespace linea::descent
