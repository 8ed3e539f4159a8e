// SPDX-License-Identifier: MIT
#include "programs/linea_train_mpi/fit_divided.hpp"

#include <concepts>
#include <linea/mpi/divided.hpp>
#include <linea/mpi/ridge.hpp>
#include <linea/optimizers/any_optimizer.hpp>
#include <linea/optimizers/certify.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/penalties/l2.hpp>

#include "programs/common/descent_parts.hpp"
#include "programs/common/fit.hpp"

namespace program {
namespace {

Fit fit_smooth(const FitTask& task, const linea::AnySmoothLoss& loss, const EntriesView& part,
               const linea::Vector<double>& y, const linea::Processes& processes) {
  const linea::Objective objective{loss, linea::L2{task.lambda}};
  const auto x = linea::mpi::divided(part, processes);
  const auto& name = task.optimizer;
  Fit fit;
  linea::Solution<double>& solution = fit;
  if (name == "sgd") {
    const linea::BasicGradientDescent<Step> descent{
        .epochs = task.epochs.value_or(100),
        .tolerance = task.tolerance,
        .change_tolerance = task.change_tolerance,
        .target_objective = task.target_objective.value_or(linea::no_target),
        .offset = task.offset,
        .step = step_from(task.step, Step::Kind::automatic),
        .iterate = task.average ? linea::Iterate::average : linea::Iterate::best};
    solution = descent.minimize(objective, x, y, extras_of(task));
  } else {
    const linea::AnyOptimizer<linea::Lbfgs, linea::Newton, linea::Ridge> optimizer{
        .choice = name == "lbfgs"    ? "Lbfgs"
                  : name == "newton" ? "Newton"
                                     : "Ridge",
        .epochs = task.epochs,
        .tolerance = task.tolerance,
        .offset = task.offset,
        .threads = task.threads};
    solution = optimizer.minimize(objective, x, y, extras_of(task));
  }
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
    if constexpr (std::same_as<L, linea::AnySmoothLoss>)
      return fit_smooth(task, loss, x, y, processes);
    else
      linea::refuse("ranks take smooth losses, such as squared-hinge, log and huber; for ",
                    task.loss.name, ", which has a kink, use linea_train");
  });
}

}  // namespace program
