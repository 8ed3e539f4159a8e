// SPDX-License-Identifier: MIT
#pragma once
/// \file Laws of the minimum: what an optimizer finds hangs on the samples alone, not on how they
/// are held, counted or shifted. Each answers with a message where it does not hold.
#include <algorithm>  // max
#include <cmath>      // abs, isfinite
#include <linea/core/random.hpp>
#include <optional>
#include <string>

#include "support/laws/optimizer_trial.hpp"

namespace linea::check {

/// What does not hold, or nothing.
using Finding = std::optional<std::string>;

namespace detail {

/// Are the two equal, infinities included, to `tolerance` of the larger?
inline bool near(double a, double b, double tolerance) {
  return a == b || std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

/// F on the problem of the trial.
inline double value_of(const OptimizerTrial& trial, const Answer& answer,
                       const Vector<double>& sample_weights = {}) {
  return trial.value(trial.problem.x, trial.problem.y, answer.weights, answer.offset,
                     sample_weights);
}

/// Two answers that should be one, with their F on the same samples.
inline Finding apart(const Answer& a, double value_a, const Answer& b, double value_b,
                     Nearness allowed) {
  if (!near(value_a, value_b, allowed.objective))
    return written("F is ", value_b, ", not ", value_a);
  const double size = 1 + std::hypot(a.weights.norm(), a.offset);
  const double distance = std::hypot((a.weights - b.weights).norm(), a.offset - b.offset);
  if (!(distance <= allowed.weights * size))
    return written("(w, b) is ", distance, " away, of norm ", size - 1);
  return std::nullopt;
}

/// The same, with F on the problem of the trial.
inline Finding apart(const OptimizerTrial& trial, const Answer& a, const Answer& b,
                     Nearness allowed, const Vector<double>& sample_weights = {}) {
  return apart(a, value_of(trial, a, sample_weights), b, value_of(trial, b, sample_weights),
               allowed);
}

/// The same bits in all that an optimizer must be able to repeat.
inline bool same_bits(const Answer& a, const Answer& b) {
  return a.weights == b.weights && a.offset == b.offset && a.objective == b.objective &&
         a.epochs == b.epochs && a.multipliers == b.multipliers;
}

/// How often each sample is to count, 0 among them.
inline std::vector<Index> counts_of(Index samples) {
  Random random(5);
  std::vector<Index> counts;
  for (Index i = 0; i < samples; ++i) counts.push_back(static_cast<Index>(random.below(4)));
  counts[0] = 1;
  counts[1] = 0;
  return counts;
}

inline Vector<double> weights_of(const std::vector<Index>& counts) {
  Vector<double> weights(static_cast<Index>(counts.size()));
  for (Index i = 0; i < weights.size(); ++i)
    weights[i] = static_cast<double>(counts[static_cast<std::size_t>(i)]);
  return weights;
}

inline OptimizerProblem repeated(const OptimizerProblem& problem,
                                 const std::vector<Index>& counts) {
  std::vector<Index> rows;
  for (std::size_t i = 0; i < counts.size(); ++i)
    rows.insert(rows.end(), static_cast<std::size_t>(counts[i]), static_cast<Index>(i));
  return {problem.x(rows, Eigen::indexing::all), problem.y(rows)};
}

inline Extras<double> weighted(const Vector<double>& sample_weights) {
  Extras<double> extras;
  extras.sample_weights = sample_weights;
  return extras;
}

}  // namespace detail

/// F at the answer is not above the lowest that is known.
inline Finding reaches_the_minimum(const OptimizerTrial& trial) {
  const Answer answer = trial.run();
  const double value = detail::value_of(trial, answer);
  if (value <= trial.options.lowest ||
      detail::near(value, trial.options.lowest, trial.options.minima.objective))
    return std::nullopt;
  return detail::written("F is ", value, ", but ", trial.options.lowest, " is reached by others");
}

/// One minimum, whatever x is stored in; samples of float allow for the rounding of float.
inline Finding same_minimum_in_every_layout(const OptimizerTrial& trial) {
  const auto& [x, y] = trial.problem;
  std::vector<Vector<double>> weightings{{}};
  if (trial.options.takes_weights)
    weightings.push_back(detail::weights_of(detail::counts_of(y.size())));
  for (const Minimiser& minimise : {trial.minimise, trial.without_offset})
    for (const Vector<double>& weights : weightings) {
      if (!minimise) continue;
      const Extras<double> extras = detail::weighted(weights);
      const Answer expected = minimise(Layout::row_major, x, y, extras);
      for (const Layout layout : trial.layouts) {
        const Answer answer = minimise(layout, x, y, extras);
        const Nearness allowed = is_float(layout) ? trial.options.floats : trial.options.layouts;
        if (auto finding = detail::apart(trial, expected, answer, allowed, weights))
          return detail::written("from ", layout_name(layout), " ", *finding);
      }
    }
  return std::nullopt;
}

/// The bits of x in double from in_double(x), and those of sparse x whatever its index and its
/// gaps.
inline Finding same_bits_in_alike_layouts(const OptimizerTrial& trial) {
  if (!trial.options.same_bits) return std::nullopt;
  for (const Layout layout : trial.layouts) {
    const bool is_sparse = layout == Layout::sparse_loose || layout == Layout::sparse_long_index ||
                           layout == Layout::sparse_columns || layout == Layout::in_double_sparse ||
                           layout == Layout::sparse_block;
    if (!is_sparse && layout != Layout::in_double) continue;
    const Layout like = is_sparse ? Layout::sparse : Layout::row_major;
    if (!detail::same_bits(trial.run({}, layout), trial.run({}, like)))
      return detail::written(layout_name(layout), " and ", layout_name(like), " differ");
  }
  return std::nullopt;
}

/// A sample of weight k is k samples, and one of weight 0 none, whatever its numbers are.
inline Finding weights_count_as_repeats(const OptimizerTrial& trial) {
  if (!trial.options.takes_weights) return std::nullopt;
  const auto counts = detail::counts_of(trial.problem.y.size());
  const Vector<double> weights = detail::weights_of(counts);
  const OptimizerProblem many = detail::repeated(trial.problem, counts);
  OptimizerProblem problem = trial.problem;
  problem.x.row(1).setConstant(1e200);  // counts[1] = 0
  if (trial.takes_target(1e200)) problem.y[1] = 1e200;
  const auto value = [&](const Answer& answer) {
    return trial.value(many.x, many.y, answer.weights, answer.offset, {});
  };
  for (const Minimiser& minimise : {trial.minimise, trial.without_offset})
    for (const Layout layout : {Layout::row_major, Layout::sparse}) {
      if (!minimise) continue;
      const Answer expected = minimise(Layout::row_major, many.x, many.y, {});
      const Answer answer = minimise(layout, problem.x, problem.y, detail::weighted(weights));
      if (auto finding =
              detail::apart(expected, value(expected), answer, value(answer), trial.options.minima))
        return detail::written("with weights for repeats, in ", layout_name(layout), ", ",
                               *finding);
    }
  return std::nullopt;
}

/// Multiplying all sample weights by one number, of any size, changes nothing; equal weights are
/// none.
inline Finding weights_have_no_scale(const OptimizerTrial& trial) {
  if (!trial.options.takes_weights || !trial.options.weights_scale) return std::nullopt;
  const auto& [x, y] = trial.problem;
  const Vector<double> counts = detail::weights_of(detail::counts_of(y.size()));
  const Vector<double> ones = Vector<double>::Ones(y.size());
  for (const Vector<double>& weights : {counts, ones}) {
    const Answer expected = trial.minimise(
        Layout::row_major, x, y, weights == ones ? Extras<double>{} : detail::weighted(weights));
    for (const double scale : {0.3, 1e-300, 1e300}) {
      const Answer answer =
          trial.minimise(Layout::row_major, x, y, detail::weighted(scale * weights));
      if (auto finding = detail::apart(trial, expected, answer, trial.options.minima, weights))
        return detail::written("with weights times ", scale, " ", *finding);
    }
  }
  return std::nullopt;
}

/// Where the loss sees differences p − y only, a constant added to the targets is added to b.
inline Finding offset_follows_targets(const OptimizerTrial& trial) {
  const auto& [x, y] = trial.problem;
  if (!trial.without_offset) return std::nullopt;
  for (const double target : y)
    for (const double score : {-1.5, 0.25})
      if (!trial.takes_target(target + 2) ||
          trial.loss(score + 2, target + 2) != trial.loss(score, target))
        return std::nullopt;
  const Answer expected = trial.run();
  Answer answer = trial.minimise(Layout::row_major, x, (y.array() + 2).matrix(), {});
  answer.offset -= 2;
  if (auto finding = detail::apart(trial, expected, answer, trial.options.minima))
    return detail::written("with 2 added to all targets, and taken from b, ", *finding);
  return std::nullopt;
}

/// A constant c added to column j takes c·wⱼ from b and leaves F and w.
inline Finding offset_follows_columns(const OptimizerTrial& trial) {
  const auto& [x, y] = trial.problem;
  if (!trial.without_offset) return std::nullopt;
  const Answer expected = trial.run();
  Matrix<double> moved = x;
  const Index j = x.cols() - 1;
  moved.col(j).array() += 2;
  for (const Layout layout : {Layout::row_major, Layout::sparse}) {
    Answer answer = trial.minimise(layout, moved, y, {});
    answer.offset += 2 * answer.weights[j];
    if (auto finding = detail::apart(trial, expected, answer, trial.options.minima))
      return detail::written("with 2 added to the last column, and 2w to b, ", *finding);
  }
  return std::nullopt;
}

/// Without offset, b is 0.
inline Finding offset_can_stay_zero(const OptimizerTrial& trial) {
  if (!trial.without_offset) return std::nullopt;
  for (const Layout layout : {Layout::row_major, Layout::sparse}) {
    const Answer answer = trial.without_offset(layout, trial.problem.x, trial.problem.y, {});
    if (answer.offset != 0) return detail::written("b is ", answer.offset, ", not left at 0");
  }
  return std::nullopt;
}

}  // namespace linea::check
