// SPDX-License-Identifier: MIT
#include <linea/penalties/elastic_net.hpp>

#include "programs/common/proven.hpp"

namespace program {

Fit fit_sparse(const FitTask& task, const EntriesView& x, const linea::Vector<double>& y) {
  return with_loss(task.loss, [&](const auto& loss) {
    const linea::ElasticNet penalty{.l1 = task.l1, .l2 = task.lambda};
    Fit fit = fit_by_auto(task, linea::Objective{loss, penalty}, x, y);
    if (fit.gap) fit.dual = fit.objective - *fit.gap;
    return fit;
  });
}

}  // namespace program
