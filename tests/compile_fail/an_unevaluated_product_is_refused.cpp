// must fail with: satisf[a-z ]*[^a-zA-Z]*Samples
// SPDX-License-Identifier: MIT
#include <linea/losses/hinge.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>

auto fit(const linea::Matrix<double>& a, const linea::Matrix<double>& b,
         const linea::Vector<double>& y) {
  const auto objective = linea::Objective{linea::Hinge{}, linea::L2{1e-4}};
#ifdef LINEA_MUST_FAIL
  return linea::Sgd{}.minimize(objective, a * b, y);
#else
  return linea::Sgd{}.minimize(objective, (a * b).eval(), y);
#endif
}
