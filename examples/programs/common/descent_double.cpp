// SPDX-License-Identifier: MIT
#include "programs/common/descent.hpp"

namespace program {

template <>
Fit fit_by_descent_in<double>(const FitTask& task, const EntriesView& x,
                              const linea::Vector<double>& y) {
  return Descent<double>(task, x, y).run();
}

}  // namespace program
