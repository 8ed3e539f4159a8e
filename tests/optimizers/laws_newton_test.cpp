// SPDX-License-Identifier: MIT
/// \file The laws of check/ for Newton's method.
#include <linea/optimizers/newton.hpp>

#include "optimizers/laws.hpp"

using namespace linea;

TEST_CASE("Laws: Newton", "[optimizers]") {
  check::OptimizerOptions options{
      .minima = {1e-10, 1e-5}, .layouts = {1e-10, 1e-5}, .floats = {1e-10, 1e-5}};
  options.gap_tolerance = 1e-10;
  test::obeys<check::Layouts::all>("Newton::minimize", Newton{.tolerance = 1e-10},
                                   test::log_objective, test::log_at_minimum, options);
  // More samples than one block of what is read at once.
  test::obeys<check::Layouts::all>("Newton::minimize", Newton{.tolerance = 1e-10},
                                   test::log_objective, check::optimizer_problem(Log{}, 600, 9),
                                   options);
}
