// SPDX-License-Identifier: MIT
#include <linea/core/require.hpp>
#include <linea/optimizers/softmax_newton.hpp>
#include <linea/penalties/l2.hpp>

#include "programs/common/training.hpp"

namespace program {

Functions fit_softmax(const FitTask& task, const EntriesView& x,
                      const linea::Vector<double>& classes) {
  linea::require(task.optimizer == "auto" || task.optimizer == "newton",
                 "softmax is minimised by --optimizer auto, not ", task.optimizer,
                 ": --multiclass one-vs-rest takes it");
  linea::require(task.l1 == 0, "softmax takes no --l1: --multiclass one-vs-rest does");
  linea::SoftmaxNewton newton{
      .offset = task.offset, .tolerance = task.tolerance, .threads = task.threads};
  if (task.epochs) newton.iterations = *task.epochs;
  linea::Extras<double> extras;
  extras.sample_weights = task.sample_weights;
  extras.observer = task.observer;
  extras.processes = task.processes;
  extras.state = task.state;
  const auto solution = newton.minimize(linea::L2{task.lambda}, x, classes, extras);
  Functions found;
  found.weights = solution.weights;
  found.offset = solution.offset;
  Fit& fit = found.fits.emplace_back();
  linea::copy_account(solution, fit);
  fit.optimizer = solution.optimizer;
  if (fit.gap) fit.dual = fit.objective - *fit.gap;
  fit.note = "all classes in one model, by SoftmaxNewton";
  return found;
}

}  // namespace program
