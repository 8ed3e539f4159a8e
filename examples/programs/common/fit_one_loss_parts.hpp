// SPDX-License-Identifier: MIT
#pragma once
/// \file What the optimizers with a proof do for one loss. All losses in one source would take a
/// compiler two minutes: fit_smooth_losses.cpp and fit_kinked_losses.cpp share them.
#include <linea/optimizers/certify.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/penalties/l2.hpp>

#include "programs/common/fit_one_loss.hpp"
#include "programs/common/losses_by_name.hpp"
#include "programs/common/proven.hpp"

namespace program {

template <class L>
Fit fit_with(const FitTask& task, const L& loss, const EntriesView& x,
             const linea::Vector<double>& y) {
  const linea::Objective objective{loss, linea::L2{task.lambda}};
  Fit fit;
  linea::Solution<double>& solution = fit;
  auto extras = extras_of(task);
  if (task.optimizer == "dual") {
    linea::DualCoordinateAscent ascent{
        .tolerance = task.tolerance, .offset = task.offset, .seed = task.seed};
    if (task.epochs) ascent.epochs = *task.epochs;
    extras.start_weights.resize(0);
    extras.start_offset = 0;
    solution = ascent.minimize(objective, x, y, extras);
    fit.note = "dual coordinate ascent";
  } else if (task.optimizer == "auto") {
    fit = fit_by_auto(task, objective, x, y);
  } else if constexpr (linea::SmoothLoss<L> && linea::CurvedLoss<L>) {
    const auto run = [&](auto optimizer) {
      optimizer.offset = task.offset;
      optimizer.tolerance = task.tolerance;
      optimizer.threads = task.threads;
      if (task.epochs) optimizer.iterations = *task.epochs;
      solution = optimizer.minimize(objective, x, y, extras);
    };
    if (task.optimizer == "newton")
      run(linea::Newton{});
    else
      run(linea::Lbfgs{});
    fit.note = std::to_string(solution.updates) + " iterations";
  } else {
    linea::refuse(task.optimizer, " is for smooth losses, not for ", task.loss.name,
                  ", which has a kink; dual takes it");
  }
  fit.dual = no_bound;
  if (solution.gap)
    fit.dual = solution.objective - *solution.gap;
  else if (solution.status != linea::Status::diverged && task.lambda > 0)
    fit.dual = certify(objective, solution, x, y,
                       {.offset = task.offset, .sample_weights = task.sample_weights, .epochs = 0})
                   .dual;
  return fit;
}

template <class L>
double bound_with(const FitTask& task, const L& loss, const linea::Solution<double>& solution,
                  const EntriesView& x, const linea::Vector<double>& y) {
  const linea::Objective objective{loss, linea::L2{task.lambda}};
  return certify(objective, solution, x, y,
                 {.offset = task.offset, .sample_weights = task.sample_weights})
      .dual;
}

}  // namespace program

// Compiles both for this loss.
#define PROGRAM_FIT_WITH(L)                                                            \
  template Fit fit_with(const FitTask&, const L&, const EntriesView&,                  \
                        const linea::Vector<double>&);                                 \
  template double bound_with(const FitTask&, const L&, const linea::Solution<double>&, \
                             const EntriesView&, const linea::Vector<double>&);
