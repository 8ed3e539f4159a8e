// SPDX-License-Identifier: MIT
#include <linea/core/require.hpp>
#include <linea/optimizers/softmax_newton.hpp>
#include <linea/penalties/l2.hpp>

#include "programs/common/training.hpp"

namespace program {

using linea::Index;
using Vector = linea::Vector<double>;

Functions fit_softmax(const FitTask& task, const EntriesView& x,
                      const linea::Vector<double>& classes, Index count) {
  linea::require(task.optimizer == "auto" || task.optimizer == "newton",
                 "softmax is minimised by --optimizer auto, not ", task.optimizer,
                 ": --multiclass one-vs-rest takes it");
  linea::require(task.l1 == 0, "softmax takes no --l1: --multiclass one-vs-rest does");
  linea::SoftmaxNewton newton{
      .tolerance = task.tolerance, .offset = task.offset, .threads = task.threads};
  if (task.epochs) newton.iterations = *task.epochs;
  Vector samples = Vector::Zero(count);
  for (const double k : classes) ++samples[static_cast<Index>(k)];
  Vector place = Vector::Zero(count);  // place[k]: index of class k among classes with samples
  for (Index k = 1; k < count; ++k) place[k] = place[k - 1] + (samples[k - 1] > 0 ? 1 : 0);
  const Vector present = classes.unaryExpr([&](double k) { return place[static_cast<Index>(k)]; });
  const auto solution = newton.minimize(linea::L2{task.lambda}, x, present, extras_of(task));
  Functions found;
  found.weights.setZero(x.cols(), count);
  // A class without samples in a fold never has the highest score.
  found.offset.setConstant(count, -1e300);
  for (Index k = 0; k < count; ++k) {
    if (!(samples[k] > 0)) continue;
    found.weights.col(k) = solution.weights.col(static_cast<Index>(place[k]));
    found.offset[k] = solution.offset[static_cast<Index>(place[k])];
  }
  Fit& fit = found.fits.emplace_back();
  linea::copy_account(solution, fit);
  fit.optimizer = solution.optimizer;
  if (fit.gap) fit.dual = fit.objective - *fit.gap;
  fit.note = "all classes in one model, by SoftmaxNewton";
  return found;
}

}  // namespace program
