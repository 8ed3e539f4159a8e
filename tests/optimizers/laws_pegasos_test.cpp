// SPDX-License-Identifier: MIT
/// \file The laws of check/ for Pegasos.
#include <linea/optimizers/pegasos.hpp>
#include <linea/orders/shuffled.hpp>
#include <linea/step_sizes/inverse_lambda.hpp>

#include "optimizers/laws.hpp"

using namespace linea;

TEST_CASE("Laws: Pegasos as it is", "[optimizers]") {
  check::OptimizerOptions options{
      .minima = {1e-2, 0.1}, .layouts = {1e-2, 0.1}, .floats = {1e-2, 0.1}};
  options.same_bits = false;  // its order draws sets by the bytes of a row
  test::obeys("Pegasos::minimize", Pegasos{.epochs = 300, .tolerance = 0}, test::hinge_objective,
              test::hinge_at_minimum, options);
}

TEST_CASE("Laws: Pegasos, step for step in every layout", "[optimizers]") {
  const check::OptimizerOptions options{
      .minima = {1e-2, 0.1}, .layouts = {1e-12, 1e-11}, .floats = {1e-4, 2e-4}};
  BasicPegasos<InverseLambda, Shuffled> pegasos{
      .epochs = 200, .tolerance = 0, .project = true, .iterate = Iterate::average};
  test::obeys<check::Layouts::all>("Pegasos::minimize", pegasos, test::hinge_objective,
                                   test::hinge_at_minimum, options);
}
