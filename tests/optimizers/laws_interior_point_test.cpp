// SPDX-License-Identifier: MIT
/// \file The laws of check/ for the interior point method.
#include <linea/optimizers/interior_point.hpp>

#include "optimizers/laws.hpp"

using namespace linea;

TEST_CASE("Laws: InteriorPoint", "[optimizers]") {
  check::OptimizerOptions options{
      .minima = {1e-8, 1e-4}, .layouts = {1e-8, 1e-4}, .floats = {1e-6, 1e-4}};
  options.gap_tolerance = 1e-8;
  options.start = check::Start::none;
  test::obeys("InteriorPoint::minimize", InteriorPoint{}, test::hinge_objective,
              test::hinge_at_minimum, options);
  test::obeys<check::Layouts::main>("InteriorPoint::minimize", InteriorPoint{},
                                    Objective{Hinge{}, L1{0.02}}, test::anything, options);
}
