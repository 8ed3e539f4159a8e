// must fail with: satisf[a-z ]*[^a-zA-Z]*StronglyConvexPenalty
// SPDX-License-Identifier: MIT
#include <linea/losses/hinge.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/penalties/none.hpp>

auto fit(const linea::Matrix<double>& x, const linea::Vector<double>& y) {
#ifdef LINEA_MUST_FAIL
  return linea::Pegasos{}.minimize(linea::Objective{linea::Hinge{}, linea::NoPenalty{}}, x, y);
#else
  return linea::Pegasos{}.minimize(linea::Objective{linea::Hinge{}, linea::L2{1e-4}}, x, y);
#endif
}
