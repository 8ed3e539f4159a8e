// SPDX-License-Identifier: MIT
/// \file The laws of check/ for the support vector machine as a quadratic program.
#include <linea/optimizers/svm_quadratic_program.hpp>

#include "optimizers/laws.hpp"

using namespace linea;

TEST_CASE("Laws: SvmQuadraticProgram", "[optimizers]") {
  check::OptimizerOptions options{
      .minima = {1e-9, 1e-4}, .layouts = {1e-9, 1e-4}, .floats = {1e-6, 1e-4}};
  options.gap_tolerance = 1e-9;
  options.start = check::Start::none;
  test::obeys("SvmQuadraticProgram::minimize", SvmQuadraticProgram{}, test::hinge_objective,
              test::hinge_at_minimum, options);
}
