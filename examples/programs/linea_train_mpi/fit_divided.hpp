// SPDX-License-Identifier: MIT
#pragma once
/// \file Fits one linear function to the rows of all ranks.
#include <linea/mpi/processes.hpp>

#include "programs/common/fit.hpp"

namespace program {

/// Minimises like `fit`, over the rows of all ranks. x (n × d) and y (n) are those of this rank.
/// The optimizers are newton, lbfgs, ridge and, instead of sgd, gradient descent. All ranks get the
/// same result. Throws for losses with kinks.
Fit fit_divided(const FitTask& task, const EntriesView& x, const linea::Vector<double>& y,
                const linea::Processes& processes);

}  // namespace program
