// SPDX-License-Identifier: MIT
#pragma once
/// \file One linear function fitted to the rows of all ranks.
#include <linea/mpi/processes.hpp>

#include "programs/common/fit.hpp"

namespace program {

/// Minimises as `fit` does, over the rows of all ranks, of which x (n × d) and y (n) are those of
/// this one: by newton, lbfgs, ridge or, as sgd, gradient descent. The same answer on each rank.
/// Refuses losses with kinks.
Fit fit_divided(const FitTask& task, const EntriesView& x, const linea::Vector<double>& y,
                const linea::Processes& processes);

}  // namespace program
