// SPDX-License-Identifier: MIT
#pragma once
/// \file A team on each of the processes among which the rows are divided.
#include <algorithm>  // copy, max
#include <cmath>      // isfinite
#include <linea/core/entries.hpp>
#include <linea/core/processes.hpp>
#include <linea/optimizers/training/team.hpp>

namespace linea::training {

/// Where a step is on all rows, the processes take it together: it is that of one process. Else
/// each of them makes an epoch over its own rows; then all move to the mean of their weights, in
/// which a process counts by the sample weights of its rows, and go on at the step number of the
/// one that has made most steps. That is the iterative parameter mixing of McDonald, Hall and Mann,
/// NAACL 2010. On one process it is a Team.
///
/// All processes have the same weights, bit for bit, between one epoch and the next.
template <class T, class Member>
class SharedTeam : public Team<T, Member> {
  using Base = Team<T, Member>;

 public:
  using Base::Base;

  template <class Rows>
  void prepare(const samples::TrainingSet<Rows>& set, bool choose_offset) {
    Base::prepare(set, choose_offset);
    processes_ = set.processes;
    if (processes_.is_alone()) return;
    const Index all = set.all_rows();
    steps_together_ = this->leader().itinerary().batch_of(all) == all;
    double own = static_cast<double>(set.rows.rows());
    if (set.weights.size() > 0) own = set.weights.template cast<double>().sum();
    share_ = own / processes_.sum(own);
  }

  /// One epoch, of at most `most_steps` steps of all processes. Returns how many visits moved the
  /// weights.
  template <class Rows>
  Index run_epoch(const samples::TrainingSet<Rows>& set, Index most_steps) {
    if (processes_.is_alone()) return Base::run_epoch(set, most_steps);
    if (steps_together_) {
      ++updates_;
      return this->leader().run_epoch_together(set);
    }
    const Index before = Base::updates();
    const Index moved =
        Base::run_epoch(set, own_steps(set.rows.rows(), set.all_rows(), most_steps));
    return mix(Base::updates() - before, moved);
  }

  /// As that of Team, over all processes: where they keep averages, the mean of those.
  Solution<T> solution() const {
    if (processes_.is_alone()) return Base::solution();
    auto solution = steps_together_ ? this->leader().solution() : Base::solution();
    solution.updates = updates_;
    if (steps_together_ || !averages_ || updates_ == averaged_from_) return solution;
    // One that has made no step of the average counts by where it stands.
    Vector<double> mean = share_of_mean(solution.weights, solution.offset);
    processes_.sum_entries(mean);
    take(mean, solution.weights, solution.offset);
    solution.iterate = Iterate::average;
    solution.status = Solution<T>{}.status;
    if (!core::all_finite(solution.weights) || !std::isfinite(solution.offset))
      solution.status = Status::diverged;
    return solution;
  }

  void restart_average(bool on) {
    Base::restart_average(on);
    averages_ = on;
    averaged_from_ = updates_;
  }
  Index updates() const { return processes_.is_alone() ? Base::updates() : updates_; }

 private:
  /// This process's part of the steps that the epoch may have, where it is to be cut short.
  Index own_steps(Index rows, Index all_rows, Index most_steps) {
    if (most_steps >= all_rows) return most_steps;
    const Index batch = std::max<Index>(this->leader().itinerary().batch_of(rows), 1);
    const Index own = (rows + batch - 1) / batch;
    Vector<double> steps = core::filled(processes_.size(), 0.0);
    steps[processes_.rank()] = static_cast<double>(own);
    processes_.sum_entries(steps);
    const double all = steps.sum();
    if (static_cast<double>(most_steps) >= all) return most_steps;
    const auto up_to = [&](Index rank) {
      double before = 0;
      for (Index k = 0; k < rank; ++k) before += steps[k];
      return static_cast<Index>(static_cast<double>(most_steps) * (before / all));
    };
    const bool is_last = processes_.rank() + 1 == processes_.size();
    return (is_last ? most_steps : up_to(processes_.rank() + 1)) - up_to(processes_.rank());
  }

  /// Moves all members of all processes to the mean of the weights. Returns how many visits of all
  /// processes have moved them, for the steps and the moves of this one.
  Index mix(Index steps, Index moved) {
    const Index d = this->leader().current_weights().size();
    Vector<double> sums(d + 3);
    const Vector<double> part = share_of_mean(this->current_weights(), this->current_offset());
    std::copy(part.data(), part.data() + d + 1, sums.data());
    sums[d + 1] = static_cast<double>(steps);
    sums[d + 2] = static_cast<double>(moved);
    processes_.sum_entries(sums);
    const double most = processes_.largest(static_cast<double>(this->most_updates()));
    Vector<T> w(d);
    T offset{0};
    take(sums, w, offset);
    this->go_on_from(w, offset, static_cast<Index>(most));
    updates_ += static_cast<Index>(sums[d + 1]);
    return static_cast<Index>(sums[d + 2]);
  }

  /// What (w, b) of this process adds to the mean of all, (d + 1).
  Vector<double> share_of_mean(const Vector<T>& w, T offset) const {
    Vector<double> part(w.size() + 1);
    for (Index j = 0; j < w.size(); ++j) part[j] = static_cast<double>(w[j]);
    part[w.size()] = static_cast<double>(offset);
    for (double& one : part) one = share_ > 0 ? share_ * one : 0;
    return part;
  }
  /// (w, b) of the first numbers of a sum, rounded to T.
  static void take(const Vector<double>& sums, Vector<T>& w, T& offset) {
    for (Index j = 0; j < w.size(); ++j) w[j] = static_cast<T>(sums[j]);
    offset = static_cast<T>(sums[w.size()]);
  }

  Processes processes_{};
  bool steps_together_{false};  // is every step on all rows of all processes?
  double share_{1};             // of the sample weights of all
  Index updates_{0};            // of all
  bool averages_{false};
  Index averaged_from_{0};
};

}  // namespace linea::training
