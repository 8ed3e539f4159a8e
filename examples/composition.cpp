// SPDX-License-Identifier: MIT
/// \file Minimises one objective with three optimizers, and another in closed form. Prints F and
/// the error rate of each solution.
#include <iostream>
#include <linea/linea.hpp>

using namespace linea;

int main() {
  const Matrix<double> x{{1, 2},  {2, 1},  {3, 3}, {1, 1},   {8, 8},
                         {0, -1}, {-1, 0}, {0, 0}, {-2, -1}, {-1, -2}};
  const Vector<double> y{{1, 1, 1, 1, 1, -1, -1, -1, -1, -1}};
  std::cout.precision(4);

  const Objective svm{Hinge{}, L2{0.1}};
  const Objective ridge{Squared{}, L2{0.1}};
  const auto show = [&](const char* name, const auto& found) {
    const Objective error_rate{ZeroOne{}, NoPenalty{}};
    std::cout << name << "F = " << found.objective << ", error rate "
              << objective_value(error_rate, found, x, y) << '\n';
  };
  show("hinge, Pegasos:              ", Pegasos{.epochs = 100}.minimize(svm, x, y));
  show("hinge, Sgd:                  ", Sgd{.epochs = 100}.minimize(svm, x, y));
  show("hinge, DualCoordinateAscent: ", DualCoordinateAscent{}.minimize(svm, x, y));
  show("squared, Ridge:              ", Ridge{}.minimize(ridge, x, y));
}

// Output:
//   hinge, Pegasos:              F = 0.1009, error rate 0
//   hinge, Sgd:                  F = 0.1005, error rate 0
//   hinge, DualCoordinateAscent: F = 0.1, error rate 0
//   squared, Ridge:              F = 0.249, error rate 0.1
