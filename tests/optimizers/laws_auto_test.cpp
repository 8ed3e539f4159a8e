// SPDX-License-Identifier: MIT
/// \file The laws of check/ for Auto, whichever optimizer it takes.
#include <linea/optimizers/auto.hpp>

#include "optimizers/laws.hpp"

using namespace linea;

TEST_CASE("Laws: Auto on a loss with a kink, by dual ascent", "[optimizers]") {
  check::OptimizerOptions options{
      .minima = {1e-6, 1e-3}, .layouts = {1e-6, 1e-3}, .floats = {1e-6, 1e-3}};
  options.gap_tolerance = 1e-6;
  options.same_bits = false;
  test::obeys("", Auto{.tolerance = 1e-6}, test::hinge_objective, test::hinge_minimum, options);
}
