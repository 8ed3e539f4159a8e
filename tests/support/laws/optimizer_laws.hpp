// SPDX-License-Identifier: MIT
#pragma once
/// \file Properties of an optimizer, as assertions. Its solution does not depend on the layout of
/// the samples, a sample of weight k counts as k samples, and the offset follows shifts of the
/// samples. Its objective, gap and status are correct, also for degenerate samples. A run can be
/// repeated, observed, stopped and continued.
#include <algorithm>  // max, min
#include <cmath>      // abs, hypot, isfinite, pow
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/core/random.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "support/catch.hpp"
#include "support/laws/optimizer_trial.hpp"

namespace linea::check {

namespace detail {

/// Are a and b equal, infinities included, up to `tolerance` times the larger absolute value?
inline bool near(double a, double b, double tolerance) {
  return a == b || std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

/// Returns F of the answer on the problem of the trial.
inline double value_of(const OptimizerTrial& trial, const Answer& answer,
                       const Vector<double>& sample_weights = {}) {
  return trial.value(trial.problem.x, trial.problem.y, answer.weights, answer.offset,
                     sample_weights);
}

/// Checks that two solutions agree in F, and in their weights and offsets.
inline void are_near(const Answer& a, double value_a, const Answer& b, double value_b,
                     Nearness allowed) {
  CAPTURE(value_a, value_b);
  CHECK(near(value_a, value_b, allowed.objective));
  const double size = 1 + std::hypot(a.weights.norm(), a.offset);
  const double distance = std::hypot((a.weights - b.weights).norm(), a.offset - b.offset);
  CHECK(distance <= allowed.weights * size);
}
inline void are_near(const OptimizerTrial& trial, const Answer& a, const Answer& b,
                     Nearness allowed, const Vector<double>& sample_weights = {}) {
  are_near(a, value_of(trial, a, sample_weights), b, value_of(trial, b, sample_weights), allowed);
}

/// Are weights, offset, objective, epochs and dual variables equal, without any tolerance?
inline bool same_bits(const Answer& a, const Answer& b) {
  return a.weights == b.weights && a.offset == b.offset && a.objective == b.objective &&
         a.epochs == b.epochs && a.multipliers == b.multipliers;
}

/// Returns how often each sample occurs: 0 to 3 times, sample 0 once and sample 1 never.
inline Vector<double> counts_of(Index samples) {
  Random random(5);
  Vector<double> counts(samples);
  for (double& count : counts) count = static_cast<double>(random.below(4));
  counts[0] = 1;
  counts[1] = 0;
  return counts;
}

inline OptimizerProblem repeated(const OptimizerProblem& problem, const Vector<double>& counts) {
  std::vector<Index> rows;
  for (Index i = 0; i < counts.size(); ++i)
    rows.insert(rows.end(), static_cast<std::size_t>(counts[i]), i);
  return {problem.x(rows, Eigen::indexing::all), problem.y(rows)};
}

inline Extras<double> weighted(const Vector<double>& sample_weights) {
  Extras<double> extras;
  extras.sample_weights = sample_weights;
  return extras;
}

/// Calls f(minimise) for the optimizer as it is and, if its offset is optional, without an offset.
template <class F>
void for_each_minimiser(const OptimizerTrial& trial, const F& f) {
  f(trial.minimise);
  if (trial.without_offset) f(trial.without_offset);
}

}  // namespace detail

/// Checks that F at the solution is not above the lowest F known, up to the tolerance.
inline void reaches_the_minimum(const OptimizerTrial& trial) {
  const double value = detail::value_of(trial, trial.run());
  const double lowest = trial.options.lowest;
  CAPTURE(value, lowest);
  CHECK((value <= lowest || detail::near(value, lowest, trial.options.minima.objective)));
}

/// Checks that every layout of x gives the same minimum, within the tolerances of the options.
inline void same_minimum_in_every_layout(const OptimizerTrial& trial) {
  const auto& [x, y] = trial.problem;
  std::vector<Vector<double>> weightings{{}};
  if (trial.options.takes_weights) weightings.push_back(detail::counts_of(y.size()));
  detail::for_each_minimiser(trial, [&, &x = x, &y = y](const Minimiser& minimise) {
    for (const Vector<double>& weights : weightings) {
      const Extras<double> extras = detail::weighted(weights);
      const Answer expected = minimise(Layout::rows, x, y, extras);
      for (const Layout layout : {Layout::sparse, Layout::float_rows}) {
        INFO("from " << layout_name(layout));
        detail::are_near(trial, expected, minimise(layout, x, y, extras),
                         layout == Layout::sparse ? trial.options.layouts : trial.options.floats,
                         weights);
      }
    }
  });
}

/// Checks that a sample of weight k counts as k samples, and that a sample of weight 0 is ignored,
/// whatever its numbers.
inline void weights_count_as_repeats(const OptimizerTrial& trial) {
  if (!trial.options.takes_weights) return;
  const Vector<double> weights = detail::counts_of(trial.problem.y.size());
  const OptimizerProblem many = detail::repeated(trial.problem, weights);
  OptimizerProblem problem = trial.problem;
  problem.x.row(1).setConstant(1e150);  // the weight of sample 1 is 0
  if (trial.takes_target(1e150)) problem.y[1] = 1e150;
  const auto value = [&](const Answer& answer) {
    return trial.value(many.x, many.y, answer.weights, answer.offset, {});
  };
  detail::for_each_minimiser(trial, [&](const Minimiser& minimise) {
    for (const Layout layout : {Layout::rows, Layout::sparse}) {
      INFO("with weights for repeats, in " << layout_name(layout));
      const Answer expected = minimise(Layout::rows, many.x, many.y, {});
      const Answer answer = minimise(layout, problem.x, problem.y, detail::weighted(weights));
      detail::are_near(expected, value(expected), answer, value(answer), trial.options.minima);
    }
  });
}

/// Checks that a common factor of all sample weights has no effect, and that equal weights give the
/// solution without weights.
inline void weights_have_no_scale(const OptimizerTrial& trial) {
  if (!trial.options.takes_weights || !trial.options.weights_scale) return;
  const Vector<double> counts = detail::counts_of(trial.problem.y.size());
  const Vector<double> ones = Vector<double>::Ones(counts.size());
  for (const Vector<double>& weights : {counts, ones}) {
    const Answer expected =
        trial.run(weights == ones ? Extras<double>{} : detail::weighted(weights));
    for (const double scale : {0.3, 1e-140, 1e140}) {
      INFO("with weights times " << scale);
      detail::are_near(trial, expected, trial.run(detail::weighted(scale * weights)),
                       trial.options.minima, weights);
    }
  }
}

/// Checks the offset under shifts. If the loss depends only on p − y, a constant added to the
/// targets is added to b. A constant c added to column j subtracts c·wⱼ from b and does not change
/// F and w. Without offset, b is 0.
inline void offset_follows(const OptimizerTrial& trial) {
  if (!trial.without_offset) return;
  const auto& [x, y] = trial.problem;
  const Answer expected = trial.run();
  bool is_of_residual = true;
  for (const double target : y)
    for (const double score : {-1.5, 0.25})
      is_of_residual = is_of_residual && trial.takes_target(target + 2) &&
                       trial.loss(score + 2, target + 2) == trial.loss(score, target);
  if (is_of_residual) {
    INFO("with 2 added to all targets, and taken from b");
    Answer answer = trial.minimise(Layout::rows, x, (y.array() + 2).matrix(), {});
    answer.offset -= 2;
    detail::are_near(trial, expected, answer, trial.options.minima);
  }
  Matrix<double> moved = x;
  const Index j = x.cols() - 1;
  moved.col(j).array() += 2;
  for (const Layout layout : {Layout::rows, Layout::sparse}) {
    INFO("with 2 added to the last column, and 2w to b, in " << layout_name(layout));
    Answer answer = trial.minimise(layout, moved, y, {});
    answer.offset += 2 * answer.weights[j];
    detail::are_near(trial, expected, answer, trial.options.minima);
    CHECK(trial.without_offset(layout, x, y, {}).offset == 0);
  }
}

namespace detail {

/// Returns the lowest F of `around` and of points near it.
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
    lowest = std::min(lowest, value_of(trial, point, sample_weights));
  }
  return lowest;
}

/// Checks that the objective of a solution is F at its weights, up to rounding. If there is a gap,
/// it must be ≥ 0, F minus the gap must not exceed the `lowest` known F, and Status::converged
/// requires a gap within the tolerance.
inline void is_so(const OptimizerTrial& trial, const Answer& answer, double lowest,
                  const Vector<double>& sample_weights) {
  const double value = value_of(trial, answer, sample_weights);
  CAPTURE(answer.objective, value, lowest);
  CHECK(near(answer.objective, value, 1e-11));
  if (!answer.gap) return;
  const double rounding = 1e-13 * std::abs(value);
  const double gap = *answer.gap;
  CHECK(gap >= 0);
  CHECK(value - gap <= lowest + rounding);
  if (answer.status == Status::converged)
    CHECK(gap <= trial.options.gap_tolerance * std::abs(value) + rounding);
}

}  // namespace detail

/// Checks objective, gap and status with sample weights, without an offset, and for runs that an
/// observer stops.
inline void reports_are_so(const OptimizerTrial& trial) {
  const auto& [x, y] = trial.problem;
  const auto check = [&, &x = x, &y = y](const Minimiser& minimise, const Vector<double>& weights) {
    Extras<double> extras = detail::weighted(weights);
    const bool has_offset = &minimise == &trial.minimise;
    const Answer answer = minimise(Layout::rows, x, y, extras);
    double lowest = detail::lowest_near(trial, answer, has_offset, weights);
    if (has_offset && weights.size() == 0) lowest = std::min(lowest, trial.options.lowest);
    detail::is_so(trial, answer, lowest, weights);
    for (const Index epoch : {1, 2, 5}) {
      if (!trial.options.observes) break;
      INFO("stopped at epoch " << epoch);
      extras.observer = [epoch](const Progress& progress) {
        return progress.epoch >= epoch ? Control::stop : Control::proceed;
      };
      detail::is_so(trial, minimise(Layout::rows, x, y, extras), lowest, weights);
    }
  };
  check(trial.minimise, {});
  if (trial.options.takes_weights) check(trial.minimise, detail::counts_of(y.size()));
  if (trial.without_offset) check(trial.without_offset, {});
}

/// Checks that the same call gives the same bits, also from several threads at once, and that
/// another seed leads to the same minimum.
inline void repeats_itself(const OptimizerTrial& trial) {
  for (const Layout layout : {Layout::rows, Layout::sparse}) {
    const Answer expected = trial.run({}, layout);
    std::vector<Answer> answers(4, trial.run({}, layout));
    std::vector<std::thread> threads;
    for (std::size_t k = 1; k < answers.size(); ++k)
      threads.emplace_back([&, k, layout] { answers[k] = trial.run({}, layout); });
    for (std::thread& thread : threads) thread.join();
    for (const Answer& answer : answers) CHECK(detail::same_bits(expected, answer));
  }
  if (!trial.reseeded) return;
  INFO("with another seed");
  const Answer other = trial.reseeded(Layout::rows, trial.problem.x, trial.problem.y, {});
  detail::are_near(trial, trial.run(), other, trial.options.minima);
}

/// Checks that an observer gets the epochs 1, 2, …, a gap that bounds F − F*, and an objective that
/// equals F of the iterate and, if the options say so, does not rise. The observer can end the run,
/// and its exceptions are passed on.
inline void observer_is_told(const OptimizerTrial& trial) {
  if (!trial.options.observes) return;
  const auto& [x, y] = trial.problem;
  const double least = trial.options.lowest;
  const double lowest = std::min(detail::value_of(trial, trial.run()), least);
  Extras<double> extras;
  Index calls = 0;
  double before = std::numeric_limits<double>::infinity();
  extras.observer = [&, &x = x, &y = y](const Progress& progress) {
    const double objective = progress.objective();
    const double gap = progress.gap();
    if (trial.options.falls) CHECK(objective <= before * (1 + 1e-13));
    before = objective;
    CAPTURE(calls, objective, gap, lowest);
    CHECK(progress.epoch == ++calls);
    CHECK_FALSE((gap < 0 || objective - gap > lowest + 1e-12 * std::abs(objective)));
    if (progress.iterates() == 1) {
      const Point<double> point = progress.iterate();
      const double shown = trial.value(x, y, point.weights, point.offset, {});
      CHECK(detail::near(shown, objective, 1e-9));
    }
    return Control::proceed;
  };
  trial.run(extras);
  CHECK(calls > 0);
  const bool lasts = calls > 1;
  calls = 0;
  extras.observer = [&](const Progress&) {
    ++calls;
    return Control::stop;
  };
  const Answer stopped = trial.run(extras);
  CHECK(calls == 1);
  CHECK((!lasts || stopped.status == Status::stopped));
  struct Thrown {};
  extras.observer = [](const Progress&) -> Control { throw Thrown{}; };
  CHECK_THROWS_AS(trial.run(extras), Thrown);
}

/// Checks that an optimizer that takes no start ignores a start. Any other optimizer, started at
/// its own solution, must not return a worse solution, up to the tolerance.
inline void start_is_no_harm(const OptimizerTrial& trial) {
  const auto& [x, y] = trial.problem;
  Extras<double> extras;
  if (trial.options.start == Start::none) {
    extras.start_weights = Vector<double>::Ones(x.cols());
    extras.start_offset = 1;
    CHECK(detail::same_bits(trial.run(), trial.run(extras)));
    return;
  }
  detail::for_each_minimiser(trial, [&, &x = x, &y = y](const Minimiser& minimise) {
    const Answer first = minimise(Layout::rows, x, y, {});
    if (trial.options.start != Start::multipliers) {
      extras.start_weights = first.weights;
      extras.start_offset = first.offset;
    } else {
      extras.start_multipliers = first.multipliers;
    }
    const double before = detail::value_of(trial, first);
    const double after = detail::value_of(trial, minimise(Layout::rows, x, y, extras));
    const bool is_exact = trial.options.start == Start::weights;
    CAPTURE(before, after);
    CHECK((after <= before ||
           detail::near(after, before, is_exact ? 1e-12 : trial.options.minima.objective)));
  });
}

namespace detail {

struct Extreme {
  std::string what;
  OptimizerProblem problem;
  bool one_class{false};
};

inline std::vector<Extreme> extremes_of(const OptimizerProblem& problem) {
  const auto& [x, y] = problem;
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
  const Vector<double> one = Vector<double>::Constant(y.size(), y[0]);
  return {{"one sample", {x.topRows(1), y.head(1)}, true},
          {"one feature", {x.leftCols(1), y}},
          {"a constant column", {constant, y}},
          {"a column of zeros", {zero, y}},
          {"nothing but zeros", {0 * x, y}},
          {"each column twice", {twice, y}},
          {"more features than samples", {wide, y.head(few)}},
          {"one target", {x, one}, true},
          {"the same row again and again", {x.row(0).replicate(x.rows(), 1), one}, true},
          {"nearly the largest numbers", {1e148 * x, y}},
          {"nearly the least numbers", {1e-148 * x, y}}};
}

/// Checks that the solution is finite and its objective correct, or else that the status is
/// diverged. If the status is converged, F is not above that of w = 0, b = 0.
inline void is_honest(const OptimizerTrial& trial, const OptimizerProblem& problem,
                      const Answer& answer) {
  if (answer.status == Status::diverged) return;
  CAPTURE(name_of(answer.status), answer.objective);
  CHECK((linea::detail::all_finite(answer.weights) && std::isfinite(answer.offset)));
  const auto value_at = [&](const Vector<double>& w, double b) {
    return trial.value(problem.x, problem.y, w, b, {});
  };
  const double value = value_at(answer.weights, answer.offset);
  const double start = value_at(Vector<double>::Zero(problem.x.cols()), 0);
  CAPTURE(value, start);
  // Where some w fits all samples of large numbers, F is the rounding error of F(0).
  CHECK(
      (near(answer.objective, value, 1e-6) || std::abs(answer.objective - value) <= 1e-15 * start));
  CHECK((answer.status != Status::converged || value <= start || near(value, start, 1e-9)));
}

}  // namespace detail

/// Checks that for valid but degenerate samples an optimizer returns finite weights with their F,
/// or the status diverged. Samples of one class may be refused if the options allow it.
inline void extremes_are_met_honestly(const OptimizerTrial& trial) {
  for (const auto& extreme : detail::extremes_of(trial.problem))
    for (const Layout layout : {Layout::rows, Layout::sparse})
      detail::for_each_minimiser(trial, [&](const Minimiser& minimise) {
        INFO("of " << extreme.what << " in " << layout_name(layout));
        const auto& [x, y] = extreme.problem;
        std::optional<Answer> answer;
        try {
          answer = minimise(layout, x, y, {});
        } catch (const std::invalid_argument& refusal) {
          INFO("refused: " << refusal.what());
          CHECK((extreme.one_class && !trial.options.takes_one_class));
        }
        if (answer) detail::is_honest(trial, extreme.problem, *answer);
      });
}

}  // namespace linea::check
