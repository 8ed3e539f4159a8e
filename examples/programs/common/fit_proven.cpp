// SPDX-License-Identifier: MIT
#include "programs/common/fit_one_loss.hpp"
#include "programs/common/losses_by_name.hpp"

namespace program {

Fit fit_proven(const FitTask& task, const EntriesView& x, const linea::Vector<double>& y) {
  return with_loss(task.loss, [&](const auto& loss) { return fit_with(task, loss, x, y); });
}

double bound_of(const FitTask& task, const linea::Solution<double>& solution, const EntriesView& x,
                const linea::Vector<double>& y) {
  return with_loss(task.loss,
                   [&](const auto& loss) { return bound_with(task, loss, solution, x, y); });
}

}  // namespace program
