// SPDX-License-Identifier: MIT
/// \file The laws of check/ for coordinate descent.
#include <linea/losses/squared.hpp>
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l1.hpp>

#include "optimizers/laws.hpp"

using namespace linea;

TEST_CASE("Laws: CoordinateDescent on squared loss", "[optimizers]") {
  check::OptimizerOptions options{
      .minima = {1e-10, 1e-5}, .layouts = {1e-10, 1e-5}, .floats = {1e-10, 1e-5}};
  options.gap_tolerance = 1e-10;
  test::obeys("CoordinateDescent::minimize", CoordinateDescent{.tolerance = 1e-10},
              Objective{Squared{}, L1{0.1}}, 0.80770898709304684, options);
}

TEST_CASE("Laws: CoordinateDescent on log loss", "[optimizers]") {
  check::OptimizerOptions options{
      .minima = {1e-10, 1e-4}, .layouts = {1e-10, 1e-5}, .floats = {1e-10, 1e-5}};
  options.gap_tolerance = 1e-10;
  test::obeys("CoordinateDescent::minimize", CoordinateDescent{.tolerance = 1e-10},
              Objective{Log{}, ElasticNet{0.02, 0.01}}, 0.53454821048748014, options);
}
