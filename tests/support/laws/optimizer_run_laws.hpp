// SPDX-License-Identifier: MIT
#pragma once
/// \file Laws of a run: what it reports is so, it can be repeated, watched, stopped and continued,
/// and it is honest about samples that have little to tell. Each answers with a message where it
/// does not hold.
#include <cmath>  // abs, isfinite
#include <exception>
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
inline std::optional<std::string> reported_objective_is_so(const OptimizerTrial& trial) {
  for (const auto& [answer, value, lowest] : detail::reports_of(trial))
    if (!detail::near(answer.objective, value, 1e-11))
      return detail::written("the objective is said to be ", answer.objective, ", but F is ",
                             value);
  return std::nullopt;
}

/// gap ≥ 0 and no F is below the objective less the gap; Status::converged means a gap within the
/// tolerance.
inline std::optional<std::string> gap_bounds_the_distance(const OptimizerTrial& trial) {
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
inline std::optional<std::string> same_bits_again(const OptimizerTrial& trial) {
  const auto& x = trial.problem.x;
  const auto& y = trial.problem.y;
  for (const Layout layout : {Layout::row_major, Layout::sparse}) {
    const Answer expected = trial.minimise(layout, x, y, {});
    if (!detail::same_bits(expected, trial.minimise(layout, x, y, {})))
      return detail::written("two calls differ, in ", layout_name(layout));
    std::vector<Answer> answers(3);
    std::vector<std::thread> threads;
    threads.reserve(answers.size());
    for (Answer& answer : answers)
      threads.emplace_back([&, layout] { answer = trial.minimise(layout, x, y, {}); });
    for (std::thread& thread : threads) thread.join();
    for (const Answer& answer : answers)
      if (!detail::same_bits(expected, answer))
        return detail::written("calls from several threads differ, in ", layout_name(layout));
  }
  return std::nullopt;
}

/// Another seed has another way to the same minimum.
inline std::optional<std::string> seeds_share_the_minimum(const OptimizerTrial& trial) {
  const auto& x = trial.problem.x;
  const auto& y = trial.problem.y;
  if (!trial.reseeded) return std::nullopt;
  const Answer one = trial.minimise(Layout::row_major, x, y, {});
  const Answer other = trial.reseeded(Layout::row_major, x, y, {});
  if (auto finding = detail::apart(one, detail::value_of(trial, one), other,
                                   detail::value_of(trial, other), trial.options.minima))
    return "with another seed " + *finding;
  return std::nullopt;
}

/// An observer is told of epochs 1, 2, …, of a gap that bounds F − F*, and, where it is shown an
/// iterate, of the objective of that.
inline std::optional<std::string> observer_is_told(const OptimizerTrial& trial) {
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
  const Answer answer = trial.minimise(Layout::row_major, x, y, extras);
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
inline std::optional<std::string> observer_can_stop(const OptimizerTrial& trial) {
  if (!trial.options.observes) return std::nullopt;
  const auto& x = trial.problem.x;
  const auto& y = trial.problem.y;
  Index calls = 0;
  Extras<double> extras;
  const auto observe = [&](Control answer) {
    extras.observer = [&calls, answer](const Progress&) {
      ++calls;
      return answer;
    };
    calls = 0;
    return trial.minimise(Layout::row_major, x, y, extras);
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
    trial.minimise(Layout::row_major, x, y, extras);
  } catch (const Thrown&) {
    return std::nullopt;
  }
  return "what the observer throws does not arrive";
}

/// An optimizer that needs no start makes nothing of one.
inline std::optional<std::string> needless_start_is_ignored(const OptimizerTrial& trial) {
  if (trial.options.start != Start::none) return std::nullopt;
  const auto& x = trial.problem.x;
  const auto& y = trial.problem.y;
  const Answer expected = trial.minimise(Layout::row_major, x, y, {});
  Extras<double> extras;
  extras.start_weights = Vector<double>::Ones(x.cols());
  extras.start_offset = 1;
  if (!detail::same_bits(expected, trial.minimise(Layout::row_major, x, y, extras)))
    return "start_weights make a difference";
  return std::nullopt;
}

/// From its own solution a run does not get worse.
inline std::optional<std::string> warm_start_is_no_worse(const OptimizerTrial& trial) {
  const auto& x = trial.problem.x;
  const auto& y = trial.problem.y;
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

}  // namespace linea::check
