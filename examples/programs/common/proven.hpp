// SPDX-License-Identifier: MIT
#pragma once
/// \file What the optimizers have in common that prove how near the minimum they are.
#include <concepts>
#include <linea/optimizers/auto.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/penalties/none.hpp>

#include "programs/common/fit.hpp"

namespace program {

inline linea::Extras<double> extras_of(const FitTask& task) {
  linea::Extras<double> extras;
  extras.sample_weights = task.sample_weights;
  extras.observer = task.observer;
  extras.start_weights = task.start_weights;
  extras.start_offset = task.start_offset;
  return extras;
}

/// Fits with the optimizer that linea::Auto selects, and returns its name. Stochastic descent is
/// not among them. No penalty is a type of its own, because the type decides the optimizer.
template <class O>
Fit fit_by_auto(const FitTask& task, const O& objective, const EntriesView& x,
                const linea::Vector<double>& y) {
  if constexpr (std::same_as<decltype(objective.penalty), linea::L2>)
    if (objective.penalty.lambda == 0)
      return fit_by_auto(task, linea::Objective{objective.loss, linea::NoPenalty{}}, x, y);
  const linea::ProvenAuto chosen{.tolerance = task.tolerance,
                                 .offset = task.offset,
                                 .seed = task.seed,
                                 .threads = task.threads};
  const auto solution = chosen.minimize(objective, x, y, extras_of(task));
  Fit fit;
  static_cast<linea::Solution<double>&>(fit) = solution;
  fit.note = "chose " + std::string(solution.optimizer) + ": " + solution.reason;
  return fit;
}

}  // namespace program
