// must fail with: satisf[a-z ]*[^a-zA-Z]*ConjugateLoss
// SPDX-License-Identifier: MIT
#include <linea/losses/hinge.hpp>
#include <linea/losses/zero_one.hpp>
#include <linea/optimizers/certify.hpp>

auto bound(const linea::Solution<double>& solution, const linea::Matrix<double>& x,
           const linea::Vector<double>& y) {
#ifdef LINEA_MUST_FAIL
  const linea::Objective objective{linea::ZeroOne{}, linea::L2{1e-4}};
#else
  const linea::Objective objective{linea::Hinge{}, linea::L2{1e-4}};
#endif
  return linea::certify(objective, solution, x, y);
}
