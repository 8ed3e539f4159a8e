// SPDX-License-Identifier: MIT
// Compiled by clang with -funsafe-math-optimizations, for which clang defines no macro: the
// objective of a fit must still be F of its weights.
#include <cmath>
#include <iostream>
#include <linea/optimizers/newton.hpp>

using namespace linea;

int main() {
  const Index n = 40;
  const double lambda = 0.01;
  Matrix<double> x(n, 1);
  Vector<double> y(n);
  for (Index i = 0; i < n; ++i) {
    x(i, 0) = static_cast<double>(i * 7 % 11) - 5;
    y[i] = x(i, 0) + static_cast<double>(i * 3 % 5) > 2 ? 1 : -1;
  }
  const auto found = Newton{}.minimize(Objective{Log{}, L2{lambda}}, x, y);
  double sum = 0;
  for (Index i = 0; i < n; ++i)
    sum += std::log1p(std::exp(-y[i] * (found.weights[0] * x(i, 0) + found.offset)));
  const double objective =
      sum / static_cast<double>(n) + lambda / 2 * found.weights[0] * found.weights[0];
  std::cout << "objective " << found.objective << ", F of the weights " << objective << '\n';
  return std::abs(found.objective - objective) < 1e-9 ? 0 : 1;
}
