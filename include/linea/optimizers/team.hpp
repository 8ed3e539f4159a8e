// SPDX-License-Identifier: MIT
#pragma once
/// \file Several learners on one problem, each on its own thread: parallel training with the same bits every time.
#include <algorithm>  // clamp, count, min
#include <cmath>      // isfinite
#include <linea/core/workers.hpp>
#include <linea/optimizers/learner.hpp>
#include <vector>

namespace linea {

/// Each member visits its own random share of an epoch's chunks, drawn anew every epoch. Several times
/// an epoch all go on from the mean of their weights (parameter mixing: McDonald, Hall and Mann, NAACL 2010), so the
/// answer depends on seed and number of members and on nothing else. One member is a learner like any other.
///
/// A member takes 1/count of the steps, so an epoch moves w less far than one of a single learner does; its
/// noise is less as well.
template <class T, class Member>
class Team {
 public:
  Team(Member leader, Workers& workers) : workers_(workers), members_{std::move(leader)} {}

  template <class Rows>
  void prepare(const TrainingSet<Rows>& set, bool choose_offset) {
    members_.front().prepare(set, choose_offset);
    members_.resize(static_cast<std::size_t>(workers_.count()), members_.front());
  }

  template <class Rows>
  Index run_epoch(const TrainingSet<Rows>& set, Index most_steps) {
    auto& leader = members_.front();
    if (members_.size() == 1) return leader.run_epoch(set, most_steps);

    const Index n = set.rows.rows();
    const auto count = static_cast<Index>(members_.size());
    const Index batch = leader.course().batch_of(n);
    const Epoch epoch = leader.course().drawn_epoch(n);
    std::vector<Index> left(members_.size(), n);  // rows that each may still visit
    for (Index k = 0; k < count; ++k) {
      member(k).course().begin_epoch(epoch.share(k, count), leader.course().drawn_seed());
      const auto [first, last] = share_of(std::min(most_steps, n), k, count);
      if (most_steps < n) left[static_cast<std::size_t>(k)] = std::min((last - first) * batch, n);
    }
    // Weights are combined as often as that costs little beside the visits: every 32·d entries.
    const Index rounds =
        std::clamp<Index>(set.rows.entries() / count / (32 * set.rows.cols()), 1, most_rounds);
    const Index part = (n / count / rounds + batch) / batch * batch;
    const Index moved_before = mistakes();
    std::vector<Index> visited(members_.size(), part);
    while (std::count(visited.begin(), visited.end(), part) > 0) {
      workers_.run([&](Index k) {
        auto& rows_left = left[static_cast<std::size_t>(k)];
        const Index visits = member(k).run_part(set, std::min(part, rows_left));
        rows_left -= visits;
        visited[static_cast<std::size_t>(k)] = visits;
      });
      combine();
    }
    for (auto& each : members_) each.end_epoch();
    return mistakes() - moved_before;
  }

  /// The mean of the members' answers.
  Solution<T> solution() const {
    auto solution = members_.front().solution();
    if (members_.size() == 1) return solution;
    solution.updates = updates();
    mean([](const Member& each) { return each.solution(); }, solution.weights, solution.offset);
    if (!solution.weights.allFinite() || !std::isfinite(solution.offset))
      solution.status = Status::diverged;
    return solution;
  }

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
  double step_size() const { return members_.front().step_size(); }
  Index epochs() const { return members_.front().epochs(); }
  Vector<T> current_weights() const { return members_.front().current_weights(); }
  T current_offset() const { return members_.front().current_offset(); }
  const auto& rule() const { return members_.front().rule(); }

 private:
  static constexpr Index most_rounds = 16;

  Member& member(Index k) { return members_[static_cast<std::size_t>(k)]; }

  template <class Answer>
  void mean(Answer&& answer, Vector<T>& weights, T& offset) const {
    const auto count = static_cast<double>(members_.size());
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(weights.size());
    double offsets = 0;
    for (const auto& each : members_) {
      const auto one = answer(each);
      sum += one.weights.template cast<double>();
      offsets += static_cast<double>(one.offset);
    }
    weights = (sum / count).template cast<T>();
    offset = static_cast<T>(offsets / count);
  }

  void combine() {
    Vector<T> weights(members_.front().current_weights());
    T offset{0};
    mean(
        [](const Member& each) {
          return Point<T>{each.current_weights(), each.current_offset()};
        },
        weights, offset);
    for (auto& each : members_) each.replace(weights, offset);
  }

  Workers& workers_;
  std::vector<Member> members_;
};

}  // namespace linea
