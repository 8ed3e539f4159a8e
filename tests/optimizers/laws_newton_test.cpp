// SPDX-License-Identifier: MIT
/// \file The properties of support/laws/ for Newton's method, L-BFGS and coordinate descent.
#include <linea/losses.hpp>
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/penalties.hpp>

#include "optimizers/laws.hpp"

namespace laws_newton_test {

using namespace linea;

namespace {

const check::OptimizerOptions options{.minima = {1e-10, 1e-5},
                                      .layouts = {1e-10, 1e-5},
                                      .floats = {1e-10, 1e-5},
                                      .gap_tolerance = 1e-10,
                                      .falls = true};

}  // namespace

// Newton and L-BFGS read rows in blocks. 600 samples make more than one block.

TEST_CASE("Laws: Newton", "[optimizers]") {
  const Newton newton{.tolerance = 1e-10};
  test::obeys("Newton::minimize", newton, test::log_objective, test::log_at_minimum, options);
  test::obeys("Newton::minimize", newton, test::log_objective,
              check::optimizer_problem(Log{}, 600, 9), options);
}

TEST_CASE("Laws: Lbfgs", "[optimizers]") {
  const Lbfgs lbfgs{.tolerance = 1e-10};
  const Objective objective{Huber{}, L2{0.1}};
  test::obeys("Lbfgs::minimize", lbfgs, objective, 0.56785559754661397, options);
  test::obeys("Lbfgs::minimize", lbfgs, objective, check::optimizer_problem(Huber{}, 600, 9),
              options);
}

TEST_CASE("Laws: CoordinateDescent on squared loss", "[optimizers]") {
  test::obeys("CoordinateDescent::minimize", CoordinateDescent{.tolerance = 1e-10},
              Objective{Squared{}, L1{0.1}}, 0.80770898709304684, options);
}

TEST_CASE("Laws: CoordinateDescent on log loss", "[optimizers]") {
  check::OptimizerOptions near = options;
  near.minima.weights = 1e-4;
  test::obeys("CoordinateDescent::minimize", CoordinateDescent{.tolerance = 1e-10},
              Objective{Log{}, ElasticNet{0.02, 0.01}}, 0.53454821048748014, near);
}

}  // namespace laws_newton_test
