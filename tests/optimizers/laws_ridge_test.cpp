// SPDX-License-Identifier: MIT
/// \file The laws of check/ for the closed form, as equations of the features and of the samples.
#include <linea/losses/squared.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/penalties/l2.hpp>

#include "optimizers/laws.hpp"

using namespace linea;

TEST_CASE("Laws: Ridge", "[optimizers]") {
  check::OptimizerOptions options{
      .minima = {1e-13, 1e-12}, .layouts = {1e-13, 1e-12}, .floats = {1e-12, 1.2e-7}};
  options.same_bits = false;
  options.start = check::Start::none;
  test::obeys("Ridge::minimize", Ridge{}, test::squared_objective, test::squared_at_minimum,
              options);
  test::obeys("Ridge::minimize", Ridge{}, Objective{Squared{}, L2{1e-3}},
              check::optimizer_problem(Squared{}, 12, 21), options);
}
