// SPDX-License-Identifier: MIT
/// \file The README's lines, run in the folder that holds README.md.
#include <iostream>
#include <linea/io.hpp>
#include <linea/linea.hpp>

int main() {
  const auto file = linea::read_libsvm<double>("examples/data/wdbc.svm");
  const auto [train, test] = linea::split(linea::Matrix<double>(file.x), file.y);

  const linea::Standardised recipe{linea::LogisticRegression{.lambda = 1e-3}};
  const auto model = recipe.fit(train.x, train.y);
  std::cout << model << "right: " << linea::accuracy(model.predict(test.x), test.y) << '\n';
}

// Output:
//   classifier: -1 or 1; linear model: 30 weights, 30 not 0; offset 37.9825
//     largest: column 19 627.075, column 9 71.2288, column 15 50.3054, column 24 -40.6945, column 29 -39.0253
//     log + l2 (lambda = 0.001): 0.0436407, at most 1.47423e-08 above the minimum
//     by Newton, converged: a smooth loss and a squared penalty
//   right: 0.971831
