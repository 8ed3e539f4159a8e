// SPDX-License-Identifier: MIT
#include "programs/common/descent.hpp"

namespace program {

template <>
Fit fit_by_descent_in<float>(const FitTask& task, const EntriesViewOf<float>& x,
                             const linea::Vector<double>& y) {
  return Descent<float>(task, x, y).run();
}

}  // namespace program
