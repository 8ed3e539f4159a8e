// SPDX-License-Identifier: MIT
/// \file The laws of check/ for stochastic gradient descent.
#include <linea/optimizers/sgd.hpp>
#include <linea/orders/cyclic.hpp>
#include <linea/orders/shuffled.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/step_sizes/inverse_scaling.hpp>

#include "optimizers/laws.hpp"

using namespace linea;

TEST_CASE("Laws: Sgd as it is", "[optimizers]") {
  check::OptimizerOptions options{
      .minima = {1e-3, 0.02}, .layouts = {2e-4, 0.02}, .floats = {2e-4, 0.02}};
  options.same_bits = false;  // its order draws sets by the bytes of a row
  test::obeys("Sgd::minimize", Sgd{.epochs = 500, .tolerance = 0}, test::log_objective,
              test::log_at_minimum, options);
}

TEST_CASE("Laws: Sgd, step for step in every layout", "[optimizers]") {
  // Sums of a few products in another order; the runs amplify rounding by a few hundred at most.
  const check::OptimizerOptions options{
      .minima = {0.1, 0.5}, .layouts = {1e-12, 1e-11}, .floats = {1e-5, 2e-4}};
  const Objective net{Log{}, ElasticNet{0.02, 0.01}};
  BasicSgd<InverseScaling, Shuffled> sgd{
      .epochs = 20, .tolerance = 0, .step = {0.2, 0.5}, .iterate = Iterate::best};
  test::obeys<check::Layouts::all>("Sgd::minimize", sgd, net, 0.5346, options);
  sgd.batch = 7;
  sgd.epochs = 60;
  sgd.iterate = Iterate::average;
  test::obeys<check::Layouts::all>("Sgd::minimize", sgd, net, 0.5346, options);
}
