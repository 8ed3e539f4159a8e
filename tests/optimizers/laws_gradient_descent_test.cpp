// SPDX-License-Identifier: MIT
/// \file The laws of check/ for gradient descent.
#include <linea/optimizers/gradient_descent.hpp>

#include "optimizers/laws.hpp"

using namespace linea;

TEST_CASE("Laws: GradientDescent", "[optimizers]") {
  // The last iterate: near the minimum rounding decides which one is the best.
  test::obeys("GradientDescent::minimize",
              GradientDescent{.epochs = 300, .tolerance = 0, .iterate = Iterate::last},
              test::log_objective, test::log_at_minimum,
              {.minima = {1e-6, 1e-3}, .layouts = {1e-13, 1e-12}, .floats = {1e-6, 1e-4}});
}
