// SPDX-License-Identifier: MIT
#pragma once
/// \file Laws of a run: what it reports is so, it can be repeated, watched, stopped and continued,
/// and it is honest about samples that have little to tell. Each answers with a message where it
/// does not hold.
#include <cmath>  // abs, isfinite
#include <linea/core/entries.hpp>
#include <stdexcept>
#include <thread>

#include "support/laws/optimizer_laws.hpp"

namespace linea::check {

namespace detail {

/// Extras whose observer ends the run at `epoch`.
inline Extras<double> stopped_at(Index epoch) {
  Extras<double> extras;
  extras.observer = [epoch](const Progress& progress) {
    return progress.epoch >= epoch ? Control::stop : Control::proceed;
  };
  return extras;
}

/// What a bound is held against, and what is reported of it.
struct Report {
  Answer answer;
  double value;   // F, computed the naive way
  double lowest;  // an F that is reached
};

/// The lowest F of `around` and of points near it.
inline double lowest_near(const OptimizerTrial& trial, const Answer& around, bool has_offset,
                          const Vector<double>& sample_weights) {
  Random random(11);
  double lowest = value_of(trial, around, sample_weights);
  const double size = 1 + std::hypot(around.weights.norm(), around.offset);
  for (int round = 0; round < 100; ++round) {
    const double length = size * std::pow(0.5, round / 4);
    Answer point = around;
    for (double& weight : point.weights) weight += length * (2 * random.uniform() - 1);
    if (has_offset) point.offset += length * (2 * random.uniform() - 1);
    const double value = value_of(trial, point, sample_weights);
    if (value < lowest) lowest = value;
  }
  return lowest;
}

/// What the optimizer reports with and without weights and offset, and of runs that were ended
/// early.
inline std::vector<Report> reports_of(const OptimizerTrial& trial) {
  const auto& x = trial.problem.x;
  const auto& y = trial.problem.y;
  std::vector<Report> reports;
  const auto add = [&](const Minimiser& minimise, const Vector<double>& sample_weights) {
    Extras<double> extras = weighted(sample_weights);
    const bool has_offset = &minimise == &trial.minimise;
    const Answer answer = minimise(Layout::row_major, x, y, extras);
    double lowest = lowest_near(trial, answer, has_offset, sample_weights);
    if (has_offset && sample_weights.size() == 0) lowest = std::min(lowest, trial.options.lowest);
    reports.push_back({answer, value_of(trial, answer, sample_weights), lowest});
    for (const Index epoch : {1, 2, 5}) {
      if (!trial.options.observes) break;
      extras.observer = stopped_at(epoch).observer;
      const Answer early = minimise(Layout::row_major, x, y, extras);
      reports.push_back({early, value_of(trial, early, sample_weights), lowest});
    }
  };
  add(trial.minimise, {});
  if (trial.options.takes_weights) add(trial.minimise, weights_of(counts_of(y.size())));
  if (trial.without_offset) add(trial.without_offset, {});
  return reports;
}

}  // namespace detail

/// The objective of a solution is F at its weights, to rounding.
inline Finding reported_objective_is_so(const OptimizerTrial& trial) {
  for (const auto& [answer, value, lowest] : detail::reports_of(trial))
    if (!detail::near(answer.objective, value, 1e-11))
      return detail::written("the objective is said to be ", answer.objective, ", but F is ",
                             value);
  return std::nullopt;
}

/// gap ≥ 0 and no F is below the objective less the gap; Status::converged means a gap within the
/// tolerance.
inline Finding gap_bounds_the_distance(const OptimizerTrial& trial) {
  for (const auto& [answer, value, lowest] : detail::reports_of(trial)) {
    if (!answer.gap) continue;
    const double rounding = 1e-13 * std::abs(value);
    if (!(*answer.gap >= 0)) return detail::written("the gap is ", *answer.gap);
    if (!(value - *answer.gap <= lowest + rounding))
      return detail::written("F is ", value, " and the gap ", *answer.gap, ", but ", lowest,
                             " is reached");
    if (answer.status == Status::converged &&
        !(*answer.gap <= trial.options.gap_tolerance * std::abs(value) + rounding))
      return detail::written("converged with a gap of ", *answer.gap, " at F = ", value);
  }
  return std::nullopt;
}

/// The same call gives the same bits, from several threads at once too.
inline Finding same_bits_again(const OptimizerTrial& trial) {
  for (const Layout layout : {Layout::row_major, Layout::sparse}) {
    const Answer expected = trial.run({}, layout);
    if (!detail::same_bits(expected, trial.run({}, layout)))
      return detail::written("two calls differ, in ", layout_name(layout));
    std::vector<Answer> answers(3);
    std::vector<std::thread> threads;
    threads.reserve(answers.size());
    for (Answer& answer : answers)
      threads.emplace_back([&, layout] { answer = trial.run({}, layout); });
    for (std::thread& thread : threads) thread.join();
    for (const Answer& answer : answers)
      if (!detail::same_bits(expected, answer))
        return detail::written("calls from several threads differ, in ", layout_name(layout));
  }
  return std::nullopt;
}

/// Another seed has another way to the same minimum.
inline Finding seeds_share_the_minimum(const OptimizerTrial& trial) {
  const auto& [x, y] = trial.problem;
  if (!trial.reseeded) return std::nullopt;
  const Answer one = trial.run();
  const Answer other = trial.reseeded(Layout::row_major, x, y, {});
  if (auto finding = detail::apart(trial, one, other, trial.options.minima))
    return "with another seed " + *finding;
  return std::nullopt;
}

/// An observer is told of epochs 1, 2, …, of a gap that bounds F − F*, and, where it is shown an
/// iterate, of the objective of that.
inline Finding observer_is_told(const OptimizerTrial& trial) {
  if (!trial.options.observes) return std::nullopt;
  const auto& x = trial.problem.x;
  const auto& y = trial.problem.y;
  struct Told {
    Index epoch;
    double objective, gap, shown;  // the last: F at the iterate
  };
  Extras<double> extras;
  std::vector<Told> told;
  extras.observer = [&](const Progress& progress) {
    const double objective = progress.objective();
    double shown = objective;
    if (progress.iterates() == 1) {
      const Point<double> point = progress.iterate();
      shown = trial.value(x, y, point.weights, point.offset, {});
    }
    told.push_back({progress.epoch, objective, progress.gap(), shown});
    return Control::proceed;
  };
  const Answer answer = trial.run(extras);
  const double lowest = std::min(detail::value_of(trial, answer), trial.options.lowest);
  if (told.empty()) return "the observer is not called";
  for (std::size_t k = 0; k < told.size(); ++k) {
    const Told& now = told[k];
    if (now.epoch != static_cast<Index>(k) + 1)
      return detail::written("call ", k + 1, " is about epoch ", now.epoch);
    if (!detail::near(now.shown, now.objective, 1e-9))
      return detail::written("in epoch ", k + 1, " the objective is ", now.objective,
                             ", but that of the iterate is ", now.shown);
    const double rounding = 1e-12 * std::abs(now.objective);
    if (now.gap < 0 || now.objective - now.gap > lowest + rounding)
      return detail::written("in epoch ", k + 1, " the gap is ", now.gap, " at F = ", now.objective,
                             ", but ", lowest, " is reached");
  }
  return std::nullopt;
}

/// An observer ends the run when it says so, and what it throws arrives.
inline Finding observer_can_stop(const OptimizerTrial& trial) {
  if (!trial.options.observes) return std::nullopt;
  Index calls = 0;
  Extras<double> extras;
  const auto observe = [&](Control answer) {
    extras.observer = [&calls, answer](const Progress&) {
      ++calls;
      return answer;
    };
    calls = 0;
    return trial.run(extras);
  };
  observe(Control::proceed);
  const bool lasts = calls > 1;
  const Answer stopped = observe(Control::stop);
  if (calls != 1)
    return detail::written("a run stopped at its first epoch calls ", calls, " times");
  if (lasts && stopped.status != Status::stopped)
    return detail::written("a run that was stopped ends as ", name_of(stopped.status));
  struct Thrown {};
  extras.observer = [](const Progress&) -> Control { throw Thrown{}; };
  try {
    trial.run(extras);
  } catch (const Thrown&) {
    return std::nullopt;
  }
  return "what the observer throws does not arrive";
}

/// An optimizer that needs no start makes nothing of one.
inline Finding needless_start_is_ignored(const OptimizerTrial& trial) {
  if (trial.options.start != Start::none) return std::nullopt;
  const auto& x = trial.problem.x;
  const Answer expected = trial.run();
  Extras<double> extras;
  extras.start_weights = Vector<double>::Ones(x.cols());
  extras.start_offset = 1;
  if (!detail::same_bits(expected, trial.run(extras))) return "start_weights make a difference";
  return std::nullopt;
}

/// From its own solution a run does not get worse.
inline Finding warm_start_is_no_worse(const OptimizerTrial& trial) {
  const auto& [x, y] = trial.problem;
  if (trial.options.start == Start::none) return std::nullopt;
  for (const Minimiser& minimise : {trial.minimise, trial.without_offset}) {
    if (!minimise) continue;
    const Answer first = minimise(Layout::row_major, x, y, {});
    Extras<double> extras;
    if (trial.options.start != Start::multipliers) {
      extras.start_weights = first.weights;
      extras.start_offset = first.offset;
    } else {
      extras.start_multipliers = first.multipliers;
    }
    const double before = detail::value_of(trial, first);
    const double after = detail::value_of(trial, minimise(Layout::row_major, x, y, extras));
    const double slack =
        trial.options.start == Start::weights ? 1e-12 : trial.options.minima.objective;
    if (!(after <= before || detail::near(after, before, slack)))
      return detail::written("from its own solution, where F is ", before, ", it goes to ", after);
  }
  return std::nullopt;
}

namespace detail {

struct Extreme {
  std::string what;
  OptimizerProblem problem;
  bool one_class{false};
};

inline std::vector<Extreme> extremes_of(const OptimizerProblem& problem) {
  const auto& x = problem.x;
  const auto& y = problem.y;
  const Index d = x.cols();
  Matrix<double> constant = x;
  constant.col(d - 1).setConstant(0.1);
  Matrix<double> zero = x;
  zero.col(0).setZero();
  Matrix<double> twice(x.rows(), 2 * d);
  twice << x, x;
  const Index few = std::min<Index>(x.rows(), 4);
  Matrix<double> wide(few, 5 * few);
  for (Index j = 0; j < wide.cols(); ++j)
    for (Index i = 0; i < few; ++i) wide(i, j) = x((i + j) % x.rows(), j % d);
  return {{"one sample", {x.topRows(1), y.head(1)}, true},
          {"one feature", {x.leftCols(1), y}},
          {"a constant column", {constant, y}},
          {"a column of zeros", {zero, y}},
          {"nothing but zeros", {0 * x, y}},
          {"each column twice", {twice, y}},
          {"more features than samples", {wide, y.head(few)}},
          {"one target", {x, Vector<double>::Constant(y.size(), y[0])}, true},
          {"the same row again and again",
           {x.row(0).replicate(x.rows(), 1), Vector<double>::Constant(y.size(), y[0])},
           true},
          {"numbers whose squares overflow", {1e200 * x, y}},
          {"numbers whose squares vanish", {1e-200 * x, y}}};
}

/// Nothing, if the answer is finite and its objective so, or it says that it diverged. Where it
/// says that it has converged F is not above that of w = 0, b = 0.
inline Finding dishonest(const OptimizerTrial& trial, const OptimizerProblem& problem,
                         const Answer& answer) {
  if (answer.status == Status::diverged) return std::nullopt;
  if (!core::all_finite(answer.weights) || !std::isfinite(answer.offset))
    return written(name_of(answer.status), " at weights that are not finite");
  const auto value_at = [&](const Vector<double>& w, double b) {
    return trial.value(problem.x, problem.y, w, b, {});
  };
  const double value = value_at(answer.weights, answer.offset);
  if (!near(answer.objective, value, 1e-6))
    return written(name_of(answer.status), " with an objective of ", answer.objective,
                   ", but F is ", value);
  const double start = value_at(Vector<double>::Zero(problem.x.cols()), 0);
  if (answer.status == Status::converged && !(value <= start || near(value, start, 1e-9)))
    return written("converged at F = ", value, ", above ", start, " at zero");
  return std::nullopt;
}

}  // namespace detail

/// On legal samples that have little to tell an optimizer answers with finite weights and the F
/// they have, or says that it diverged. Samples of one class may be refused where the options say
/// so.
inline Finding extremes_are_met_honestly(const OptimizerTrial& trial) {
  for (const auto& [what, problem, one_class] : detail::extremes_of(trial.problem))
    for (const Layout layout : {Layout::row_major, Layout::sparse})
      for (const Minimiser& minimise : {trial.minimise, trial.without_offset}) {
        if (!minimise) continue;
        try {
          const Answer answer = minimise(layout, problem.x, problem.y, {});
          if (auto finding = detail::dishonest(trial, problem, answer))
            return detail::written("of ", what, " in ", layout_name(layout), ": ", *finding);
        } catch (const std::invalid_argument& refusal) {
          if (!one_class || trial.options.takes_one_class)
            return detail::written("of ", what, ": refused, ", refusal.what());
        }
      }
  return std::nullopt;
}

}  // namespace linea::check
