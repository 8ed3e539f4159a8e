// SPDX-License-Identifier: MIT
#pragma once
/// \file Several learners on one problem, each on its own thread, with a result that is
/// reproducible to the bit.
#include <algorithm>  // clamp, max, min
#include <cmath>      // isfinite
#include <cstdint>
#include <linea/core/entries.hpp>
#include <linea/core/observer.hpp>
#include <linea/core/workers.hpp>
#include <linea/optimizers/descent/learner.hpp>
#include <utility>  // move
#include <vector>

namespace linea::detail::descent {

/// In each epoch every member visits a share of the chunks that the order draws. Up to about 16
/// times in an epoch, and at its end, the weights of each member become the mean over all members
/// (parameter mixing: McDonald, Hall and Mann, NAACL 2010). So the result depends on the seed and
/// the number of members, not on the scheduling of threads. A single member is an ordinary learner.
///
/// Each of `count` members takes 1/count of the steps. So an epoch of several members changes w
/// less than an epoch of a single learner, and with less noise.
template <class T, class Member>
class ParallelLearner {
 public:
  /// Copies a prepared learner once for each worker.
  ParallelLearner(const Member& leader, Workers& workers)
      : workers_(workers), threads_(static_cast<std::size_t>(workers.count()), Thread{leader}) {}

  /// Runs one epoch of at most `most_steps` steps.
  template <class Rows>
  void run_epoch(const samples::TrainingSet<Rows>& set, Index most_steps) {
    Member& leader = threads_.front().member;
    if (threads_.size() == 1) return leader.run_epoch(set, most_steps);

    const Index n = set.rows.rows();
    const Index count = workers_.count();
    const Index batch = leader.sampler().batch_of(n);
    const Epoch epoch = leader.sampler().drawn_epoch(n);
    for (Index k = 0; k < count; ++k) {
      Thread& thread = thread_of(k);
      thread.member.sampler().begin_epoch(epoch.share(k, count), leader.sampler().drawn_seed());
      const auto [first, last] = share_of(std::min(most_steps, n), k, count);
      thread.remaining = most_steps < n ? std::min((last - first) * batch, n) : n;
    }
    const Index part = rows_between_means(set, epoch, batch);
    Point<T> mean;
    std::vector<Point<T>> ends(threads_.size());
    for (bool goes_on = true; goes_on;) {
      const bool apart = mean.weights.size() > 0;
      workers_.run([&](Index k) {
        Thread& thread = thread_of(k);
        if (apart) thread.member.replace(mean.weights, mean.offset);
        const Index visits = thread.member.run_part(set, std::min(part, thread.remaining));
        thread.remaining -= visits;
        thread.is_full = visits == part;
        ends[static_cast<std::size_t>(k)] = {thread.member.current_weights(),
                                             thread.member.current_offset()};
      });
      mean = mean_of(ends);
      goes_on = false;
      for (const Thread& thread : threads_) goes_on = goes_on || thread.is_full;
    }
    for (Thread& thread : threads_) {
      thread.member.replace(mean.weights, mean.offset);
      thread.member.end_epoch();
    }
  }

  /// Returns the weights that all members share or, if members keep averages, the mean of these.
  Solution<T> solution() const {
    auto solution = threads_.front().member.solution();
    if (threads_.size() == 1) return solution;
    solution.updates = updates();
    if (solution.iterate == Iterate::average) {
      std::vector<Point<T>> averages;
      for (const Thread& thread : threads_) {
        const auto one = thread.member.solution();
        averages.push_back({one.weights, one.offset});
      }
      const Point<T> mean = mean_of(averages);
      solution.weights = mean.weights;
      solution.offset = mean.offset;
    }
    if (!detail::all_finite(solution.weights) || !std::isfinite(solution.offset))
      solution.status = Status::diverged;
    return solution;
  }

  void restart_average(bool on) {
    for (Thread& thread : threads_) thread.member.restart_average(on);
  }
  void rewind(const Vector<T>& w, T offset, double factor) {
    for (Thread& thread : threads_) thread.member.rewind(w, offset, factor);
  }
  Index updates() const {
    Index updates = 0;
    for (const Thread& thread : threads_) updates += thread.member.updates();
    return updates;
  }
  Index mistakes() const {
    Index mistakes = 0;
    for (const Thread& thread : threads_) mistakes += thread.member.mistakes();
    return mistakes;
  }
  double step_size_at(Index t) const { return leader().step_size_at(t); }
  double step_size() const { return leader().step_size(); }
  Index epochs() const { return leader().epochs(); }
  Vector<T> current_weights() const { return leader().current_weights(); }
  T current_offset() const { return leader().current_offset(); }

 private:
  static constexpr Index most_rounds = 16;
  static constexpr Index few_weights = 16384;  // with fewer, one thread finds the mean faster

  struct Thread {
    Member member;
    Index remaining{0};   // rows that the member may still visit in this epoch
    bool is_full{false};  // has the member visited a whole part in this round?
  };

  Thread& thread_of(Index k) { return threads_[static_cast<std::size_t>(k)]; }
  const Member& leader() const { return threads_.front().member; }

  /// Returns the number of rows that each member visits between two means, in whole batches: at
  /// least about 32·d entries and a million, as a mean costs O(d) and a synchronisation, or its
  /// whole share if that is smaller.
  template <class Rows>
  Index rows_between_means(const samples::TrainingSet<Rows>& set, const Epoch& epoch,
                           Index batch) const {
    const Index count = workers_.count();
    const auto between = std::max(std::int64_t{32} * set.rows.cols(), std::int64_t{1} << 20);
    const std::int64_t as_many = set.rows.entries() / count / between;
    const auto rounds = static_cast<Index>(std::clamp<std::int64_t>(as_many, 1, most_rounds));
    const Index uneven = epoch.chunks.size() == 1 ? 64 : 2 * epoch.chunk_rows;
    return ((set.rows.rows() / count + uneven) / rounds + batch) / batch * batch;
  }

  /// Returns the mean of the members' points, summed in double in the members' order.
  Point<T> mean_of(const std::vector<Point<T>>& points) const {
    const auto count = static_cast<double>(points.size());
    double offset = 0;
    for (const auto& point : points) offset += static_cast<double>(point.offset);
    const Index d = points.front().weights.size();
    Point<T> mean{Vector<T>(d), static_cast<T>(offset / count)};
    const auto find = [&](Index k, Index shares) {
      const auto [first, last] = share_of(d, k, shares);
      for (Index j = first; j < last; ++j) {
        double sum = 0;
        for (const auto& point : points) sum += static_cast<double>(point.weights[j]);
        mean.weights[j] = static_cast<T>(sum / count);
      }
    };
    if (d < few_weights)
      find(0, 1);
    else
      workers_.run([&](Index k) { find(k, workers_.count()); });
    return mean;
  }

  Workers& workers_;
  std::vector<Thread> threads_;
};

}  // namespace linea::detail::descent
