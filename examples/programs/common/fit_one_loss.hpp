// SPDX-License-Identifier: MIT
#pragma once
/// \file The optimizers with a proof, for one loss: compiled in sources of their own.
#include "programs/common/fit.hpp"

namespace program {

template <class L>
Fit fit_with(const FitTask& task, const L& loss, const EntriesView& x,
             const linea::Vector<double>& y);

/// What F is nowhere below, for the weights of the solution.
template <class L>
double bound_with(const FitTask& task, const L& loss, const linea::Solution<double>& solution,
                  const EntriesView& x, const linea::Vector<double>& y);

}  // namespace program
