// SPDX-License-Identifier: MIT
/// \file A table of numbers with a header: read, learnt from, and the model printed by the names of its columns.
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
//   classifier: 0 or 1; linear model: 5 weights, 5 not 0; offset -0.0671262
//     largest: Hot -3.075, Nature 2.11354, Music -1.24634, Culture 0.792176, Fly -0.0785612
//     log + l2 (lambda = 0.01): 0.374349, at most 3.59818e-07 above the minimum
//     by DualCoordinateAscent, converged: sup l'' * mean |x|^2 / (lambda * n) = 3.3241
