// SPDX-License-Identifier: MIT
#pragma once
/// \file Targets that are vectors: y (n × k), one linear function for each column. Learners that
/// visit the same rows in the same order share one pass over x in each epoch.
#include <algorithm>  // clamp, find_if, max, min
#include <linea/core/platform.hpp>
#include <linea/optimizers/descent/descent.hpp>
#include <optional>
#include <string_view>
#include <type_traits>  // conditional_t
#include <utility>      // move
#include <vector>

namespace linea::detail::descent {

/// One of several learners that train together, and its run.
template <class T, class L, class F>
struct LearnerRun {
  Index target;  // the learner's column of y
  Vector<T> y;   // the numbers in that column
  L learner;
  std::optional<TrainingRun<T, L, F>> run{};
};

/// Visits the rows of an epoch in stretches: all learners in turn visit a stretch before the next
/// stretch begins. A stretch takes 64 KiB or, if that is more, eight times the memory of the
/// weights, so that fetching the next learner's weights costs little. With mini-batches a stretch
/// is a whole working set. Swaps y of the set with y of each learner in turn.
template <class One, class Path, class Rows>
void visit_in_turn(const std::vector<One*>& running, Path& sampler,
                   samples::TrainingSet<Rows>& set) {
  const Index n = set.rows.rows();
  sampler.begin_epoch(sampler.drawn_epoch(n));
  const Index batch = sampler.batch_of(n);
  const Index steps = running.front()->run->remaining_updates();
  constexpr auto bytes_of_number = static_cast<Index>(sizeof(typename Rows::Scalar));
  const Index bytes = std::max<Index>(65536, 8 * set.rows.cols() * bytes_of_number);
  const Index stretch = std::max<Index>(bytes / std::max<Index>(set.rows.row_bytes(), 1), 1);
  sampler.deal(set.rows, sampler.rows_in(steps, n),
               batch == 1 ? stretch : n,  // a stretch must consist of whole batches
               [&](const auto& rows, Visits visits) {
                 for (One* one : running) {
                   set.y.swap(one->y);
                   one->learner.visit(rows, sampler.labels(set, visits), visits, batch);
                   set.y.swap(one->y);
                   visits.upcoming_count = 0;  // the first learner has prefetched these rows
                 }
               });
  sampler.end_epoch();
}

/// Trains prepared learners that visit the same rows in the same order. Each learner gives the same
/// bits as if trained alone. One sampler visits the rows for all learners whose runs continue,
/// and after an epoch one pass evaluates F for all of them. The set holds the rows and the sample
/// weights that all learners share.
template <class T, class L, class F, class Rows, class Loss, class P>
void train_together(std::vector<LearnerRun<T, L, F>>& learners, samples::TrainingSet<Rows>& set,
                    const Options& options, const Extras<T>& extras,
                    const Objective<Loss, P>& objective) {
  using One = LearnerRun<T, L, F>;
  std::vector<One*> running;
  for (One& one : learners) {
    one.run.emplace(one.learner, options, extras, F{objective, set, one.y});
    running.push_back(&one);
  }
  auto sampler = learners.front().learner.sampler();
  for (;;) {
    std::erase_if(running, [](One* one) { return !one->run->begin_epoch(); });
    if (running.empty()) return;
    visit_in_turn(running, sampler, set);
    std::vector<Solution<T>*> iterates;  // at which F is needed
    std::vector<samples::Candidate<T>> candidates;
    for (One* one : running) {
      one->learner.end_epoch();
      auto* const now = one->run->end_epoch();
      if (!now) continue;
      iterates.push_back(now);
      candidates.push_back({&now->weights, now->offset, &one->y});
    }
    std::vector<double> risks(candidates.size());
    if (!risks.empty())
      samples::find_risks(objective.loss, set.rows, set.weights, candidates.data(),
                          static_cast<Index>(candidates.size()), risks.data());
    for (std::size_t k = 0; k < risks.size(); ++k)
      iterates[k]->objective =
          risks[k] + static_cast<double>(objective.penalty.value(iterates[k]->weights));
    for (One* one : running) one->run->judge();
  }
}

/// Returns the solutions for the columns of y (n × k), each bit-identical to that of `descend` for
/// its column on one thread. Threads divide the columns. All columns use the same extras. If an
/// observer stops the run of a column, the runs of all other columns continue.
template <class Optimizer, class L, class P, Samples X, TargetMatrix Y>
std::vector<DescentSolution<scalar_t<X>>> descend_each(const Optimizer& optimizer,
                                                       const Objective<L, P>& objective, const X& x,
                                                       const Y& y,
                                                       const Extras<scalar_t<X>>& extras) {
  using T = scalar_t<X>;
  const Options options = options_of(optimizer);
  require_valid(options);
  require(y.cols() > 0, options.function, ": y has no columns");
  const Eigen::Ref<const detail::ColumnMatrix<typename Y::Scalar>> targets(y.derived());
  auto first_set =
      samples::admit_samples(options.function, x, targets.rows(), extras.sample_weights);
  for (Index k = 0; k < targets.cols(); ++k)
    for (Index i = 0; i < targets.rows(); ++i)
      samples::require_target<T>(options.function, objective.loss,
                                 static_cast<double>(targets(i, k)), "y(", i, ", ", k, ")");
  samples::require_target_sizes(options.function, first_set, targets);
  const samples::Frame<T> frame(first_set, options.offset);
  using Set = decltype(first_set);
  using Member = decltype(Access::learner(optimizer, frame, objective, first_set, extras));
  using Group = std::vector<LearnerRun<T, Member, ObjectiveOn<decltype(first_set.rows), L, P>>>;

  Workers workers(std::min(options.threads, targets.cols()));
  Mutex mutex;
  Extras<T> in_turn{.start_weights = extras.start_weights};
  if (const auto observer = samples::framed_observer(extras, frame))
    in_turn.observer = [&mutex, observer](const Progress& progress) {
      return mutex.alone([&] { return observer(progress); });
    };
  std::vector<DescentSolution<T>> solutions(static_cast<std::size_t>(targets.cols()));
  const auto train_group = [&](Group& group, Set& set) {
    train_together(group, set, options, in_turn, objective);
    for (auto& one : group) {
      auto& solution = solutions[static_cast<std::size_t>(one.target)];
      solution = one.run->finish();
      solution.optimizer = Optimizer::name;
      set.y.swap(one.y);
      leave_frame(objective, set, frame, options.tolerance, nullptr, solution);
    }
    group.clear();
  };
  // A group is one learner, or at most 64 learners with at most 1 MiB of weights, so that weights
  // and rows stay in the cache together.
  constexpr Index weight_bytes = 1048576;
  const auto most = static_cast<std::size_t>(
      std::clamp<Index>(weight_bytes / (x.cols() * static_cast<Index>(sizeof(T))), 1, 64));
  workers.run([&](Index worker) {
    const auto [first, last] = share_of(targets.cols(), worker, workers.count());
    std::vector<Group> groups;
    Set set = first_set;
    for (Index k = first; k < last; ++k) {
      set.y = targets.col(k).template cast<T>();
      auto learner = Access::learner(optimizer, frame, objective, set, extras);
      const auto found = std::find_if(groups.begin(), groups.end(), [&](Group& group) {
        return group.empty() || group.front().learner.sampler().leads_as(learner.sampler());
      });
      Group& group = found == groups.end() ? groups.emplace_back() : *found;
      group.push_back({k, std::move(set.y), std::move(learner)});
      if (group.size() == most) train_group(group, set);
    }
    for (auto& group : groups)
      if (!group.empty()) train_group(group, set);
  });
  return solutions;
}

/// The return type of `minimize`: the type of `joined` for a matrix of targets.
template <class X, class Y>
using SolutionOf =
    std::conditional_t<Numbers<Y>, DescentSolution<scalar_t<X>>,
                       Solution<scalar_t<X>, Matrix<scalar_t<X>>, Vector<scalar_t<X>>>>;

template <class Optimizer, class L, class P, AnySamples X, AnyTargets Y>
SolutionOf<X, Y> minimize(const Optimizer& optimizer, const Objective<L, P>& objective, const X& x,
                          const Y& y, const Extras<scalar_t<X>>& extras) {
  if constexpr (Numbers<Y>)
    return descend(optimizer, objective, x, y, extras);
  else
    return joined<scalar_t<X>>(descend_each(optimizer, objective, x, y, extras));
}

}  // namespace linea::detail::descent
