// SPDX-License-Identifier: MIT
/// \file Reads a table of numbers with a header, fits a model, and prints the model with the names
/// of the columns.
#include <iostream>
#include <linea/io.hpp>
#include <linea/linea.hpp>

int main() {
  const auto table = linea::read_csv<double>(LINEA_EXAMPLES_DATA "/holidays.csv");
  auto model = linea::LogisticRegression{.lambda = 1e-2}.fit(table.x, table.y);
  model.features = table.feature_names;
  std::cout << model;
}

// Output:
//   classifier: 0 or 1; linear model: 5 weights, 5 not 0; offset -0.0652157
//     largest: Hot -3.07574, Nature 2.11272, Music -1.2474, Culture 0.792312, Fly -0.0784794
//     log + l2 (lambda = 0.01): 0.374349, at most 3.59818e-07 above the minimum
//     by Newton, converged: a smooth loss and a squared penalty
