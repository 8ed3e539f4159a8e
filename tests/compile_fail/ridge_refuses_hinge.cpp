// must fail with: (no known conversion|cannot convert).*Hinge.*Squared
// SPDX-License-Identifier: MIT
#include <linea/losses/hinge.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/penalties/l2.hpp>

auto fit(const linea::Matrix<double>& x, const linea::Vector<double>& y) {
#ifdef LINEA_MUST_FAIL
  return linea::Ridge{}.minimize(linea::Objective{linea::Hinge{}, linea::L2{1e-3}}, x, y);
#else
  return linea::Ridge{}.minimize(linea::Objective{linea::Squared{}, linea::L2{1e-3}}, x, y);
#endif
}
