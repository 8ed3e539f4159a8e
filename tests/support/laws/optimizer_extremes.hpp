// SPDX-License-Identifier: MIT
#pragma once
/// \file Samples that are legal and have little to tell, or numbers that are too large or too small
/// to be squared.
#include <cmath>  // isfinite
#include <linea/core/entries.hpp>
#include <stdexcept>

#include "support/laws/optimizer_laws.hpp"

namespace linea::check {

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
inline std::optional<std::string> extremes_are_met_honestly(const OptimizerTrial& trial) {
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
