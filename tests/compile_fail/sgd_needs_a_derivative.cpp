// must fail with: satisf[a-z ]*[^a-zA-Z]*DifferentiableLoss
// SPDX-License-Identifier: MIT
#include <linea/losses/hinge.hpp>
#include <linea/losses/zero_one.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>

auto fit(const linea::Matrix<double>& x, const linea::Vector<double>& y) {
#ifdef LINEA_MUST_FAIL
  return linea::Sgd{}.minimize(linea::Objective{linea::ZeroOne{}, linea::L2{1e-4}}, x, y);
#else
  return linea::Sgd{}.minimize(linea::Objective{linea::Hinge{}, linea::L2{1e-4}}, x, y);
#endif
}
