// SPDX-License-Identifier: MIT
/// \file The README's first program: fits a classifier to ten samples and prints the model, with
/// its duality gap, and a probability.
#include <iostream>
#include <linea/linea.hpp>

int main() {
  const linea::Matrix<double> x{{1, 2},  {2, 1},  {3, 3}, {1, 1},   {8, 8},
                                {0, -1}, {-1, 0}, {0, 0}, {-2, -1}, {-1, -2}};
  const linea::Vector<double> y{{1, 1, 1, 1, 1, -1, -1, -1, -1, -1}};

  const linea::LogisticRegression recipe{.lambda = 0.01};
  const auto model = recipe.fit(x, y);
  std::cout << model << "probability of 1: " << model.probability(x.row(3)) << '\n';
}

// Output:
//   classifier: -1 or 1; linear model: 2 weights, 2 not 0; offset -1.98157
//     largest: column 0 1.97922, column 1 1.97922
//     log + l2 (lambda = 0.01): 0.0727017, at most 8.46623e-12 above the minimum
//     by Newton, converged: a smooth loss and a squared penalty
//   probability of 1: 0.878346
