// SPDX-License-Identifier: MIT
// A shared library that contains a fit of linea::compiled.
#include <linea/losses/squared.hpp>
#include <linea/optimizers/ridge.hpp>

double offset_of(const Eigen::MatrixXd& x, const Eigen::VectorXd& y) {
  return linea::Ridge{}.minimize(linea::Objective{linea::Squared{}, linea::L2{1e-2}}, x, y).offset;
}
