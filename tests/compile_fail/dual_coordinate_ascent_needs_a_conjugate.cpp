// must fail with: satisf[a-z ]*[^a-zA-Z]*ProximalLoss
// SPDX-License-Identifier: MIT
#include <linea/losses/hinge.hpp>
#include <linea/losses/zero_one.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>

auto fit(const linea::Matrix<double>& x, const linea::Vector<double>& y) {
  const linea::L2 penalty{1e-4};
#ifdef LINEA_MUST_FAIL
  return linea::DualCoordinateAscent{}.minimize(linea::Objective{linea::ZeroOne{}, penalty}, x, y);
#else
  return linea::DualCoordinateAscent{}.minimize(linea::Objective{linea::Hinge{}, penalty}, x, y);
#endif
}
