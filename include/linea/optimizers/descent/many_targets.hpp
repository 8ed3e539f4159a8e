// SPDX-License-Identifier: MIT
#pragma once
/// \file Targets that are vectors: y (n × k), one linear function for each column. Learners that
/// visit the same rows in the same order share one pass over x in each epoch.
#include <algorithm>  // clamp, max, min
#include <atomic>
#include <linea/optimizers/descent/descent.hpp>
#include <optional>
#include <string_view>
#include <type_traits>  // conditional_t, remove_cvref_t
#include <utility>      // declval, move
#include <vector>

namespace linea::detail::descent {

/// One of several learners that train together.
template <class T, class L>
struct Trainee {
  Index target;  // the learner's column of y
  Vector<T> y;   // the numbers in that column
  L learner;
  std::optional<TrainingRun<T, L>> run{};
};

/// Trains prepared learners that visit the same rows in the same order. Each learner gives the same
/// bits as if trained alone. One itinerary visits the rows for all learners whose runs continue,
/// and one pass evaluates F for all these learners. The set holds the rows and the sample weights
/// that all learners share. GroupRun swaps y of the set with y of each learner in turn. All
/// arguments must outlive this object.
template <class T, class L, class Rows, class Loss, class P>
class GroupRun {
 public:
  using One = Trainee<T, L>;

  GroupRun(std::vector<One>& trainees, samples::TrainingSet<Rows>& set, const Options& options,
           const Extras<T>& extras, const Objective<Loss, P>& objective)
      : set_(set), objective_(objective), itinerary_(trainees.front().learner.itinerary()) {
    for (One& one : trainees) running_.push_back(&one);
    start(options, extras);
    while (run_epoch()) {
    }
  }

 private:
  /// A trainee and the iterate at which to evaluate its F.
  struct Place {
    One* one;
    Solution<T>* at;
  };

  /// Evaluates F at the places, in one pass over `rows`.
  template <class AnyRows>
  void evaluate(const AnyRows& rows, const std::vector<Place>& places) {
    std::vector<samples::Candidate<T>> candidates;
    for (const auto& [one, at] : places) candidates.push_back({&at->weights, at->offset, &one->y});
    std::vector<double> risks(candidates.size());
    samples::find_risks(objective_.loss, rows, set_.weights, candidates.data(),
                        static_cast<Index>(candidates.size()), risks.data());
    for (std::size_t k = 0; k < places.size(); ++k)
      places[k].at->objective =
          risks[k] + static_cast<double>(objective_.penalty.value(places[k].at->weights));
  }

  /// Starts the run of each trainee with F at its start and at zero.
  void start(const Options& options, const Extras<T>& extras) {
    std::vector<Solution<T>> zeros(running_.size());
    std::vector<Solution<T>> starts(running_.size());
    std::vector<Place> at_zero;
    std::vector<Place> at_start;
    for (std::size_t k = 0; k < running_.size(); ++k) {
      zeros[k].weights = detail::filled<T>(set_.rows.cols(), 0);
      starts[k].weights = running_[k]->learner.current_weights();
      starts[k].offset = running_[k]->learner.current_offset();
      at_zero.push_back({running_[k], &zeros[k]});
      at_start.push_back({running_[k], &starts[k]});
    }
    const samples::RowsAtZero<Rows> rows_at_zero{set_.rows};
    evaluate(rows_at_zero, at_zero);
    if (extras.start_weights.size() > 0)
      evaluate(set_.rows, at_start);
    else
      evaluate(rows_at_zero, at_start);
    for (std::size_t k = 0; k < running_.size(); ++k)
      running_[k]->run.emplace(running_[k]->learner, options, extras, starts[k].objective,
                               zeros[k].objective);
  }

  /// Runs one epoch of all trainees whose runs continue. Returns false if no run continues.
  bool run_epoch() {
    std::erase_if(running_, [](One* one) { return !one->run->begin_epoch(); });
    if (running_.empty()) return false;
    visit();
    std::vector<Place> places;
    for (One* one : running_) {
      one->learner.end_epoch();
      const Index moved = one->learner.mistakes() - one->run->mistakes();
      if (auto* now = one->run->end_epoch(moved)) places.push_back({one, now});
    }
    if (!places.empty()) evaluate(set_.rows, places);
    for (One* one : running_)
      one->run->judge([&](const Vector<T>& weights, T offset) {
        Solution<T> at;
        at.weights = weights;
        at.offset = offset;
        evaluate(set_.rows, {{one, &at}});
        return at.objective;
      });
    return true;
  }

  /// Visits the rows of an epoch in stretches: all learners in turn visit a stretch before the next
  /// stretch begins. A stretch takes 64 KiB or, if that is more, eight times the memory of the
  /// weights, so that fetching the next learner's weights costs little. With mini-batches a stretch
  /// is a whole working set.
  void visit() {
    const Index n = set_.rows.rows();
    itinerary_.begin_epoch(itinerary_.drawn_epoch(n));
    const Index batch = itinerary_.batch_of(n);
    const Index steps = running_.front()->run->remaining_updates();
    const Index bytes =
        std::max<Index>(65536, 8 * set_.rows.cols() * static_cast<Index>(sizeof(T)));
    const Index stretch = std::max<Index>(bytes / std::max<Index>(set_.rows.row_bytes(), 1), 1);
    itinerary_.deal(set_.rows, itinerary_.rows_in(steps, n),
                    batch == 1 ? stretch : n,  // a stretch must consist of whole batches
                    [&](const auto& rows, Visits visits, const Sequence& origins) {
                      for (One* one : running_) {
                        set_.y.swap(one->y);
                        one->learner.visit_dealt(set_, rows, visits, origins, batch);
                        set_.y.swap(one->y);
                        visits.upcoming_count = 0;  // the first learner has prefetched these rows
                      }
                    });
    itinerary_.end_epoch();
  }

  samples::TrainingSet<Rows>& set_;
  const Objective<Loss, P>& objective_;
  std::remove_cvref_t<decltype(std::declval<L&>().itinerary())> itinerary_;
  std::vector<One*> running_{};
};

/// Throws std::invalid_argument if y has no columns, or a target that is invalid for the loss.
template <class T, Loss L, class Y>
void require_targets(std::string_view function, const L& loss, const Y& y) {
  require(y.cols() > 0, function, ": y has no columns");
  for (Index k = 0; k < y.cols(); ++k)
    for (Index i = 0; i < y.rows(); ++i)
      require(is_valid_target(loss, static_cast<T>(y(i, k))), function, ": y(", i, ", ", k,
              ") = ", static_cast<T>(y(i, k)), " is no target of ", name_of(loss), ", which takes ",
              targets_of(loss));
}

/// Returns the solutions for the columns of y (n × k). Each solution is bit-identical to that of
/// `descend` for its column on one thread, but columns that can share a pass over x do so in each
/// epoch. Threads divide the columns. All columns use the same extras. If an observer stops the run
/// of a column, the runs of all other columns continue. Calls of an observer never overlap. Throws
/// std::invalid_argument if an option, the samples or the extras are invalid, if y does not have n
/// rows, and if y has no columns or a target that is invalid for the loss.
template <class Optimizer, class L, class P, Samples X, TargetMatrix Y>
std::vector<DescentSolution<scalar_t<X>>> descend_each(const Optimizer& optimizer,
                                                       const Objective<L, P>& objective, const X& x,
                                                       const Y& y,
                                                       const Extras<scalar_t<X>>& extras) {
  using T = scalar_t<X>;
  const Options options = options_of(optimizer);
  require_valid(options);
  samples::require_targets(options.function, x.rows(), x.cols(), y.rows());
  const Eigen::Ref<const detail::ColumnMatrix<typename Y::Scalar>> targets(y.derived());
  require_targets<T>(options.function, objective.loss, targets);
  auto first_set =
      samples::admit_samples(options.function, x, targets.rows(), extras.sample_weights);
  const samples::Frame<T> frame(first_set, options.offset);
  using Set = decltype(first_set);
  using Member = decltype(prepared_learner(optimizer, frame, objective, first_set, extras));
  using Group = std::vector<Trainee<T, Member>>;

  Workers workers(std::min(options.threads, targets.cols()));
  std::atomic_flag busy;  // a lock without <mutex>, which includes <chrono>
  Extras<T> in_turn{.start_weights = extras.start_weights};
  if (const auto observer = samples::framed_observer(extras, frame))
    in_turn.observer = [&busy, observer](const Progress& progress) {
      struct Turn {
        std::atomic_flag& flag;
        explicit Turn(std::atomic_flag& of) : flag(of) {
          while (flag.test_and_set(std::memory_order_acquire)) flag.wait(true);
        }
        ~Turn() {
          flag.clear(std::memory_order_release);
          flag.notify_one();
        }
      } const turn(busy);
      return observer(progress);
    };
  std::vector<DescentSolution<T>> solutions(static_cast<std::size_t>(targets.cols()));
  const auto train_group = [&](Group& group, Set& set) {
    GroupRun(group, set, options, in_turn, objective);
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
      auto learner = prepared_learner(optimizer, frame, objective, set, extras);
      std::size_t at = 0;  // index of the learner's group
      while (at < groups.size() &&
             !(groups[at].empty() ||
               groups[at].front().learner.itinerary().leads_as(learner.itinerary())))
        ++at;
      if (at == groups.size()) groups.emplace_back();
      groups[at].push_back({k, std::move(set.y), std::move(learner)});
      if (groups[at].size() == most) train_group(groups[at], set);
    }
    for (auto& group : groups)
      if (!group.empty()) train_group(group, set);
  });
  return solutions;
}

/// Returns the combined solutions for k targets: weights (d × k), offset (k). The objective and the
/// updates are the sums over the targets, the epochs are those of the longest run, and the status
/// is the worst.
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
    all.status = std::max(all.status, one.status);  // the worse status
    if (one.iterate != Iterate::best) all.iterate = one.iterate;
  }
  return all;
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
    return joined(descend_each(optimizer, objective, x, y, extras));
}

}  // namespace linea::detail::descent
