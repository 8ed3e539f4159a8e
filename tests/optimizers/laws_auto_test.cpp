// SPDX-License-Identifier: MIT
/// \file The laws of check/ for Auto on a loss with a kink: by dual ascent, and as a quadratic program.
#include <linea/optimizers/auto.hpp>

#include "optimizers/laws.hpp"

using namespace linea;

TEST_CASE("Laws: Auto on the hinge", "[optimizers]") {
  check::OptimizerOptions options{
      .minima = {1e-6, 1e-3}, .layouts = {1e-6, 1e-3}, .floats = {1e-6, 1e-3}};
  options.gap_tolerance = 1e-6;
  options.same_bits = false;  // the order of dual ascent draws sets by the bytes of a row
  options.start = check::Start::either;
  const Auto optimizer{.tolerance = 1e-6};
  // Refusals begin with the name of the optimizer that was chosen.
  test::obeys<check::Layouts::rows>("", optimizer, test::hinge_objective, test::hinge_minimum,
                                    options);
  test::obeys<check::Layouts::rows>("", optimizer, Objective{Hinge{}, L2{1e-3}}, test::anything,
                                    options);
}
