// SPDX-License-Identifier: MIT
#include "programs/linea_train_mpi/fit_divided.hpp"

#include <concepts>
#include <linea/mpi/divided.hpp>
#include <linea/mpi/ridge.hpp>
#include <linea/optimizers/certify.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/penalties/l2.hpp>

#include "programs/common/descent_parts.hpp"
#include "programs/common/proven.hpp"

namespace program {
namespace {

template <class L>
Fit fit_smooth(const FitTask& task, const L& loss, const EntriesView& part,
               const linea::Vector<double>& y, const linea::Processes& processes) {
  const linea::Objective objective{loss, linea::L2{task.lambda}};
  const auto x = linea::mpi::divided(part, processes);
  Fit fit;
  linea::Solution<double>& solution = fit;
  const auto run = [&](auto optimizer) {
    optimizer.offset = task.offset;
    if constexpr (requires { optimizer.threads; }) optimizer.threads = task.threads;
    if constexpr (requires { optimizer.tolerance; }) optimizer.tolerance = task.tolerance;
    if constexpr (requires { optimizer.iterations; })
      if (task.epochs) optimizer.iterations = *task.epochs;
    solution = optimizer.minimize(objective, x, y, extras_of(task));
  };
  const auto& name = task.optimizer;
  if (name == "sgd")
    run(linea::BasicGradientDescent<Step>{
        .epochs = task.epochs.value_or(100),
        .change_tolerance = task.change_tolerance,
        .target_objective = task.target_objective.value_or(linea::no_target),
        .step = step_from(task.step, Step::Kind::automatic),
        .iterate = task.average ? linea::Iterate::average : linea::Iterate::best});
  else if (name == "lbfgs")
    run(linea::Lbfgs{});
  else if (name == "newton")
    run(linea::Newton{});
  else if constexpr (std::same_as<L, linea::Squared>)
    run(linea::Ridge{});
  fit.note = name == "ridge"
                 ? "closed form"
                 : std::to_string(solution.updates) + (solution.updates == 1 ? " step" : " steps");
  fit.dual = no_bound;
  const bool proves = name != "sgd" || task.certify;
  if (solution.gap)
    fit.dual = solution.objective - *solution.gap;
  else if (proves && solution.status != linea::Status::diverged && task.lambda > 0)
    fit.dual = certify(objective, solution, x, y, {.offset = task.offset}).dual;
  return fit;
}

}  // namespace

Fit fit_divided(const FitTask& task, const EntriesView& x, const linea::Vector<double>& y,
                const linea::Processes& processes) {
  return with_loss(task.loss, [&]<class L>(const L& loss) -> Fit {
    if constexpr (linea::SmoothLoss<L> && linea::CurvedLoss<L>)
      return fit_smooth(task, loss, x, y, processes);
    else
      linea::refuse("ranks take smooth losses, such as squared-hinge, log and huber; for ",
                    task.loss.name, ", which has a kink, use linea_train");
  });
}

}  // namespace program
