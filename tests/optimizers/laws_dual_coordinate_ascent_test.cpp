// SPDX-License-Identifier: MIT
/// \file The laws of check/ for dual coordinate ascent, with a kink and without.
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/orders/shuffled.hpp>

#include "optimizers/laws.hpp"

using namespace linea;

TEST_CASE("Laws: DualCoordinateAscent on a loss with a kink", "[optimizers]") {
  check::OptimizerOptions options{
      .minima = {1e-6, 1e-3}, .layouts = {1e-6, 1e-3}, .floats = {1e-6, 1e-3}};
  options.gap_tolerance = 1e-6;
  options.start = check::Start::multipliers;
  options.same_bits = false;  // its order draws sets by the bytes of a row
  test::obeys("DualCoordinateAscent::minimize", DualCoordinateAscent{.tolerance = 1e-6},
              test::hinge_objective, test::hinge_at_minimum, options);
  // In so few epochs by its tail alone.
  test::obeys("DualCoordinateAscent::minimize",
              DualCoordinateAscent{.epochs = 40, .tolerance = 1e-6}, Objective{Hinge{}, L2{1e-4}},
              test::anything, options);
}

TEST_CASE("Laws: DualCoordinateAscent on a smooth loss", "[optimizers]") {
  check::OptimizerOptions options{
      .minima = {1e-8, 1e-4}, .layouts = {1e-8, 1e-4}, .floats = {1e-8, 1e-4}};
  options.gap_tolerance = 1e-8;
  options.start = check::Start::multipliers;
  test::obeys("DualCoordinateAscent::minimize",
              BasicDualCoordinateAscent<Shuffled>{.tolerance = 1e-8}, test::log_objective,
              test::log_at_minimum, options);
}
