// SPDX-License-Identifier: MIT
// A program that uses linea. Tests build and run it with each way to add linea to a project.
#include <iostream>
#include <linea/linea.hpp>

int main() {
  linea::Matrix<double> x(6, 2);
  x << 2, 1, 3, 2, 2.5, 3, -2, -1, -3, -2, -1.5, -3;
  linea::Vector<double> y(6);
  y << 1, 1, 1, -1, -1, -1;

  const auto objective = linea::Objective{linea::Hinge{}, linea::L2{1e-2}};
  const auto solution = linea::Sgd{.epochs = 20, .seed = 7}.minimize(objective, x, y);
  const linea::Vector<double> scores = (x * solution.weights).array() + solution.offset;
  std::cout << "linea " << LINEA_VERSION_MAJOR << '.' << LINEA_VERSION_MINOR << ", weights "
            << solution.weights.transpose() << '\n';
  return (scores.array() * y.array() > 0).all() ? 0 : 1;
}
