// must fail with: (no known conversion|cannot convert|mismatched types|could not match|candidate template ignored).*L1
// SPDX-License-Identifier: MIT
#include <linea/losses/hinge.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/penalties/l1.hpp>

auto fit(const linea::Matrix<double>& x, const linea::Vector<double>& y) {
#ifdef LINEA_MUST_FAIL
  const linea::Objective objective{linea::Hinge{}, linea::L1{1e-4}};
#else
  const linea::Objective objective{linea::Hinge{}, linea::L2{1e-4}};
#endif
  return linea::DualCoordinateAscent{}.minimize(objective, x, y);
}
