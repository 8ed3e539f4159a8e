// SPDX-License-Identifier: MIT
#pragma once
/// \file Targets that are vectors: y (n × k), a linear function for each column.
#include <algorithm>  // clamp, find_if, max, min
#include <linea/core/extras.hpp>
#include <linea/core/objective.hpp>
#include <linea/core/solution.hpp>
#include <linea/optimizers/descent/descent.hpp>
#include <linea/optimizers/descent/train_together.hpp>
#include <mutex>
#include <string_view>
#include <vector>

namespace linea::descent {

/// The solutions for k targets in one: weights (d × k), offset (k). The objective is the sum over
/// the targets, so are the updates; epochs are those of the longest run, and the status is the
/// worst of them.
template <class T>
Solution<T, Matrix<T>, Vector<T>> joined(const std::vector<DescentSolution<T>>& solutions) {
  const auto count = static_cast<Index>(solutions.size());
  Solution<T, Matrix<T>, Vector<T>> all;
  all.weights.resize(solutions.front().weights.size(), count);
  all.offset.resize(count);
  all.status = Status::converged;
  all.iterate = Iterate::best;
  all.optimizer = solutions.front().optimizer;
  all.objective = 0;
  for (Index k = 0; k < count; ++k) {
    const auto& one = solutions[static_cast<std::size_t>(k)];
    all.weights.col(k) = one.weights;
    all.offset[k] = one.offset;
    all.objective += one.objective;
    all.updates += one.updates;
    all.epochs = std::max(all.epochs, one.epochs);
    all.status = std::max(all.status, one.status);  // the worse one
    if (one.iterate != Iterate::best) all.iterate = one.iterate;
  }
  return all;
}

/// Refuses no columns, and a target that the loss does not take.
template <class T, Loss L, class Y>
void require_targets(std::string_view function, const L& loss, const Y& y) {
  require(y.cols() > 0, function, ": y has no columns");
  for (Index k = 0; k < y.cols(); ++k)
    for (Index i = 0; i < y.rows(); ++i)
      require(is_valid_target(loss, static_cast<T>(y(i, k))), function, ": y(", i, ", ", k,
              ") = ", static_cast<T>(y(i, k)), " is no target of ", name_of(loss), ", which takes ",
              targets_of(loss));
}

/// Learners that train together: as many as their weights leave the rows in the cache.
template <class T>
std::size_t largest_group(Index d) {
  constexpr Index weight_bytes = 1048576;
  return static_cast<std::size_t>(
      std::clamp<Index>(weight_bytes / (d * static_cast<Index>(sizeof(T))), 1, 64));
}

/// The solutions for the columns of y (n × k), each as `descend` has it for that column on one
/// thread, bit for bit, but in one pass over x an epoch for as many as can share it. Threads divide
/// the columns. The extras serve every column alike, an observer's stop ends the run of one, and no
/// two calls of an observer are made at a time. Throws std::invalid_argument when y has other than
/// n rows or no columns, or a target that the loss does not take.
template <class Optimizer, class L, class P, Samples X, TargetMatrix Y>
std::vector<DescentSolution<scalar_t<X>>> descend_each(const Optimizer& optimizer,
                                                       const Objective<L, P>& objective, const X& x,
                                                       const Y& y,
                                                       const Extras<scalar_t<X>>& extras) {
  using T = scalar_t<X>;
  using Targets = core::ColumnMatrix<typename Y::Scalar>;
  const auto descent = Descents::of(optimizer, objective, extras);
  const std::string_view function = descent.function;
  require_retries(descent);
  require(x.rows() == y.rows(), function, ": x has ", x.rows(), " rows but y has ", y.rows());
  const Eigen::Ref<const Targets> targets(y.derived());
  require_targets<T>(function, objective.loss, targets);
  auto first_set = samples::admit_samples(function, x, targets.rows(), extras.sample_weights);
  const samples::Frame<T> frame(first_set, descent.options.offset);
  using Rows = std::remove_cvref_t<decltype(first_set.rows)>;
  using One = Trainee<T, std::remove_cvref_t<decltype(descent.start(first_set))>>;

  Workers workers(std::min(threads_of(function, descent.options), targets.cols()));
  std::mutex mutex;
  Extras<T> in_turn{.start_weights = extras.start_weights};
  if (const auto observer = samples::framed_observer(extras, frame))
    in_turn.observer = [&mutex, observer](const Progress& progress) {
      const std::scoped_lock lock(mutex);
      return observer(progress);
    };
  const RunOptions run = run_options(descent);
  std::vector<DescentSolution<T>> solutions(static_cast<std::size_t>(targets.cols()));
  const auto train = [&](std::vector<One>& group, samples::TrainingSet<Rows>& set) {
    train_together(group, set, run, in_turn, objective);
    for (auto& one : group) {
      auto trained = one.run->finish(one.learner);
      auto& solution = solutions[static_cast<std::size_t>(one.target)];
      solution = descent_solution(descent.optimizer, std::move(trained), one.learner,
                                  std::move(one.run->record()), one.first_step);
      set.y.swap(one.y);
      leave_frame(objective, set, frame, descent.options.tolerance, nullptr, solution);
    }
  };
  const std::size_t most = largest_group<T>(x.cols());
  workers.run([&](Index worker) {
    const auto [first, last] = share_of(targets.cols(), worker, workers.count());
    std::vector<std::vector<One>> groups;
    samples::TrainingSet<Rows> set = first_set;
    for (Index k = first; k < last; ++k) {
      set.y = targets.col(k).template cast<T>();
      auto learner = descent.start(set);
      enter_start(learner, frame, extras);
      learner.prepare(set, descent.choose_offset);
      auto group = std::find_if(groups.begin(), groups.end(), [&](auto& others) {
        return others.front().learner.itinerary().leads_as(learner.itinerary());
      });
      if (group == groups.end()) group = groups.emplace(group);
      const auto first_step = static_cast<double>(learner.rule().step_size(1));
      group->push_back({k, std::move(set.y), std::move(learner), first_step});
      if (group->size() < most) continue;
      train(*group, set);
      groups.erase(group);
    }
    for (auto& group : groups) train(group, set);
  });
  return solutions;
}

}  // namespace linea::descent
