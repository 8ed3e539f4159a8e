// SPDX-License-Identifier: MIT
#include "programs/linea_train/certified.hpp"

#include <linea/optimizers/auto.hpp>
#include <linea/optimizers/certify.hpp>
#include <linea/optimizers/lbfgs.hpp>

namespace program {
namespace {

template <class L>
CertifiedOutcome train(const CertifiedTask& task, const L& loss,
                       const linea::SparseMatrix<double>& x, const linea::Vector<double>& y) {
  const linea::Objective objective{loss, linea::L2{task.lambda}};
  CertifiedOutcome outcome;
  if (task.optimizer == "dual") {
    linea::DualCoordinateAscent ascent{
        .tolerance = task.tolerance, .offset = task.offset, .seed = task.seed};
    if (task.epochs) ascent.epochs = *task.epochs;
    outcome.solution = ascent.minimize(objective, x, y);
    outcome.note = "dual coordinate ascent";
  } else if (task.optimizer == "auto") {
    const linea::Auto chosen{.tolerance = task.tolerance,
                             .offset = task.offset,
                             .seed = task.seed,
                             .threads = task.threads};
    const auto solution = chosen.minimize(objective, x, y);
    outcome.solution = solution;
    outcome.note = "chose " + std::string(solution.optimizer) + ": " + solution.reason;
  } else if constexpr (linea::SmoothLoss<L> && linea::CurvedLoss<L>) {
    const auto run = [&](auto optimizer) {
      optimizer.offset = task.offset;
      optimizer.tolerance = task.tolerance;
      optimizer.threads = task.threads;
      if (task.epochs) optimizer.iterations = *task.epochs;
      outcome.solution = optimizer.minimize(objective, x, y);
    };
    if (task.optimizer == "newton")
      run(linea::Newton{});
    else
      run(linea::Lbfgs{});
    outcome.note = std::to_string(outcome.solution.updates) + " iterations";
  } else {
    linea::refuse(task.optimizer, " is for smooth losses, not for ", task.loss.name,
                  ", which has a kink; dual takes it");
  }
  const auto& solution = outcome.solution;
  outcome.dual = -std::numeric_limits<double>::infinity();
  if (solution.gap)
    outcome.dual = solution.objective - *solution.gap;
  else if (solution.status != linea::Status::diverged && task.lambda > 0)
    outcome.dual = certify(objective, solution, x, y, {.offset = task.offset, .epochs = 0}).dual;
  return outcome;
}

}  // namespace

CertifiedOutcome train_certified(const CertifiedTask& task, const linea::SparseMatrix<double>& x,
                                 const linea::Vector<double>& y) {
  return with_loss(task.loss, [&](const auto& loss) { return train(task, loss, x, y); });
}

double bound_from(const CertifiedTask& task, const linea::Solution<double>& solution,
                  const linea::SparseMatrix<double>& x, const linea::Vector<double>& y) {
  return with_loss(task.loss, [&](const auto& loss) {
    const linea::Objective objective{loss, linea::L2{task.lambda}};
    return certify(objective, solution, x, y, {.offset = task.offset}).dual;
  });
}

}  // namespace program
