// SPDX-License-Identifier: MIT
#pragma once
/// \file Epoch after epoch until a criterion is met: what SGD, Pegasos and the perceptron share beyond
/// the loop. Each epoch ends with the full objective, penalty included, of the iterate that would be
/// returned.
#include <algorithm>  // min
#include <cmath>
#include <functional>
#include <limits>
#include <linea/core/observer.hpp>
#include <linea/core/solution.hpp>
#include <linea/optimizers/training_set.hpp>
#include <type_traits>  // type_identity
#include <vector>

namespace linea {

/// When to stop, what to return, how often to try again.
struct Plan {
  Index epochs{100};
  double tolerance{1e-4};  ///< of the objective, relative, over `patience` epochs; 0: never
  Iterate iterate{Iterate::best};
  Index average_from{2};  ///< the first epoch, from 1, whose iterates are averaged
  Index retries{0};       ///< how often a diverging run is rolled back; 0: never
  Index max_updates{
      std::numeric_limits<Index>::max()};  ///< the run ends there, within an epoch if need be
  double target_objective{-std::numeric_limits<double>::infinity()};  ///< F that is low enough
  double change_tolerance{0};  ///< of the move of (w, b) in an epoch, relative; 0: never
  bool until_no_mistakes{false};
  bool bounded{true};  ///< an objective ten times that of the start counts as diverged
  static constexpr Index patience = 10;
};

/// What a run leaves beside its solution.
template <class T>
struct Account {
  Index restarts{0};
  Index mistakes{0};
  Point<T> current{};  ///< where it stood at the end: the last iterate, or the average
};

/// ‖(w, b) − (w′, b′)‖ over ‖(w, b)‖; 0 when both are zero.
template <class T>
double relative_change(const Point<T>& now, const Point<T>& before) {
  const auto norm = [](const Vector<T>& w, T b) {
    return std::hypot(static_cast<double>(w.stableNorm()), static_cast<double>(b));
  };
  const double moved = norm(now.weights - before.weights, now.offset - before.offset);
  return moved > 0 ? moved / norm(now.weights, now.offset) : 0;
}

/// `evaluate(w, b)` is the objective. Returns the iterate that the plan asks for, or the best one known
/// when the run diverged; `iterate` says which it is.
template <class T, class L, class Rows>
Solution<T> train(
    L& learner, const TrainingSet<Rows>& set, const Plan& plan, const Extras<T>& extras,
    Account<T>& account,
    const std::type_identity_t<std::function<double(const Vector<T>&, T)>>& evaluate) {
  Point<T> start{learner.current_weights(), learner.current_offset()};
  start.objective = evaluate(start.weights, start.offset);
  Point<T> best = start;
  Point<T> last = start;
  Iterate last_is = Iterate::last;
  bool found = false;  // has an epoch ended at a finite objective?
  std::vector<double> best_so_far;
  Index since_restart = 0;
  const bool warm = extras.start_weights.size() > 0;
  const auto average_from = std::min(plan.average_from, plan.epochs);
  // An objective that starts at 0 has nothing to be compared with; its growth is then bounded by the
  // first epoch's.
  double floor = start.objective;
  if (warm) floor = std::max(floor, evaluate(Vector<T>::Zero(start.weights.size()), T(0)));
  double ceiling = floor > 0 ? 10 * floor : 0;
  if (!plan.bounded) ceiling = std::numeric_limits<double>::infinity();

  Solution<T> solution;
  solution.status = Status::epoch_limit;
  if (plan.iterate == Iterate::average) learner.restart_average(average_from <= 1);
  // At w = 0 some losses are 0 that have learnt nothing.
  const bool is_there = start.objective <= plan.target_objective && (warm || start.objective > 0);
  if (is_there) solution.status = Status::converged;
  const Index epochs = is_there ? 0 : plan.epochs;
  for (Index epoch = 1; epoch <= epochs && learner.updates() < plan.max_updates; ++epoch) {
    if (plan.iterate == Iterate::average && epoch == average_from && epoch > 1)
      learner.restart_average(true);
    const Index moved = learner.run_epoch(set, plan.max_updates - learner.updates());
    account.mistakes += moved;

    auto now = learner.solution();
    last_is = now.iterate;
    Point<T> next{std::move(now.weights), now.offset};
    next.objective = evaluate(next.weights, next.offset);
    const double change = relative_change(next, last);
    last = std::move(next);
    const bool finite = now.status != Status::diverged && std::isfinite(last.objective);
    if (finite && ceiling == 0) ceiling = 10 * last.objective;
    const bool stuck = ++since_restart == Plan::patience / 2 && start.objective > 0 &&
                       std::min(best.objective, last.objective) > start.objective;
    bool rolled_back = false;
    bool lost = false;  // diverged, with no retry left
    const double step_size = learner.step_size();
    if (!finite || (plan.retries > 0 && (stuck || (last.objective > ceiling && ceiling > 0)))) {
      lost = account.restarts == plan.retries;
      rolled_back = !lost;
      if (!lost) {
        ++account.restarts;
        if (stuck) best = start;
        learner.rewind(best.weights, best.offset, 0.25);
        last = best;
        since_restart = 0;
      }
    } else if (!found || last.objective < best.objective) {
      best = last;
      found = true;
    }

    best_so_far.push_back(best.objective);
    if (extras.observer) {
      Progress progress;
      progress.epoch = epoch;
      progress.updates = learner.updates();
      progress.objective = last.objective;
      progress.best_objective = best.objective;
      progress.change = change;
      progress.step_size = step_size;
      progress.restarts = account.restarts;
      progress.mistakes = moved;
      if (extras.observer(progress) == Control::stop) {
        solution.status = Status::stopped;
        break;
      }
    }
    if (lost) {
      solution.status = Status::diverged;
      break;
    }
    // The last epoch of all may have been cut short: what it moved is no measure.
    const bool settled = plan.change_tolerance > 0 && learner.updates() < plan.max_updates &&
                         change <= plan.change_tolerance;
    if (!rolled_back && (settled || last.objective <= plan.target_objective)) {
      solution.status = Status::converged;
      break;
    }
    // An order that draws may have passed over the samples that are wrong.
    if (plan.until_no_mistakes && moved == 0 &&
        evaluate(learner.current_weights(), learner.current_offset()) == 0) {
      solution.status = Status::converged;
      break;
    }
    // A run that has not beaten its start has not converged, unless it was sent off from there.
    const bool moved_on = warm || start.objective == 0 || best.objective < start.objective;
    if (plan.tolerance > 0 && (plan.iterate != Iterate::average || epoch > average_from) &&
        since_restart > Plan::patience && found && moved_on) {
      const double before = best_so_far[static_cast<std::size_t>(epoch - 1 - Plan::patience)];
      if (before - best.objective <= plan.tolerance * std::abs(best.objective)) {
        solution.status = Status::converged;
        break;
      }
    }
  }

  if (!std::isfinite(last.objective) || (ceiling > 0 && last.objective > ceiling))
    solution.status = Status::diverged;
  const bool keep_best = plan.iterate == Iterate::best || solution.status == Status::diverged;
  if (start.objective > 0 && start.objective < best.objective) best = start;
  const Point<T>& chosen = keep_best ? best : last;
  solution.weights = chosen.weights;
  solution.offset = chosen.offset;
  solution.objective = chosen.objective;
  solution.iterate = keep_best ? Iterate::best : last_is;
  account.current = std::move(last);
  solution.epochs = learner.epochs();
  solution.updates = learner.updates();
  return solution;
}

}  // namespace linea
