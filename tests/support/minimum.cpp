// SPDX-License-Identifier: MIT
#include "support/minimum.hpp"

#include <linea/losses/squared.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/penalties/l2.hpp>

namespace linea::test {

Solution<double> least_squares_minimum(const Matrix<double>& x, const Vector<double>& y,
                                       double lambda, bool offset) {
  return Ridge{.offset = offset}.minimize(Objective{Squared{}, L2{lambda}}, x, y);
}

}  // namespace linea::test
