// SPDX-License-Identifier: MIT
/// \file The properties of support/laws/ for the stochastic optimizers and gradient descent.
#include <linea/losses/zero_one.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/perceptron.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/orders/shuffled.hpp>
#include <linea/penalties.hpp>
#include <linea/step_sizes.hpp>

#include "optimizers/laws.hpp"

using namespace linea;

TEST_CASE("Laws: GradientDescent", "[optimizers]") {
  // The run returns its last iterate, because near the minimum rounding determines which iterate is
  // the best.
  test::obeys("GradientDescent::minimize",
              GradientDescent{.epochs = 300, .tolerance = 0, .iterate = Iterate::last},
              test::log_objective, test::log_at_minimum,
              {.minima = {1e-6, 1e-3}, .layouts = {1e-13, 1e-12}, .floats = {1e-6, 1e-4}});
}

TEST_CASE("Laws: Sgd with its defaults", "[optimizers]") {
  check::OptimizerOptions options{
      .minima = {1e-3, 0.02}, .layouts = {2e-4, 0.02}, .floats = {2e-4, 0.02}};
  test::obeys("Sgd::minimize", Sgd{.epochs = 500, .tolerance = 0}, test::log_objective,
              test::log_at_minimum, options);
}

TEST_CASE("Laws: Sgd, step for step in every layout", "[optimizers]") {
  // Layouts change the order of sums of a few products. The runs amplify the rounding errors of
  // these sums by a factor of at most a few hundred.
  const check::OptimizerOptions options{
      .minima = {0.1, 0.5}, .layouts = {1e-12, 1e-11}, .floats = {1e-5, 2e-4}};
  const Objective net{Log{}, ElasticNet{0.02, 0.01}};
  BasicSgd<InverseScaling, Shuffled> sgd{
      .epochs = 20, .tolerance = 0, .step = {0.2, 0.5}, .iterate = Iterate::best};
  test::obeys("Sgd::minimize", sgd, net, 0.5346, options);
  sgd.batch = 7;
  sgd.epochs = 60;
  sgd.iterate = Iterate::average;
  test::obeys("Sgd::minimize", sgd, net, 0.5346, options);
}

TEST_CASE("Laws: Pegasos with its defaults", "[optimizers]") {
  check::OptimizerOptions options{
      .minima = {1e-2, 0.1}, .layouts = {1e-2, 0.1}, .floats = {1e-2, 0.1}};
  test::obeys("Pegasos::minimize", Pegasos{.epochs = 300, .tolerance = 0}, test::hinge_objective,
              test::hinge_at_minimum, options);
}

TEST_CASE("Laws: Pegasos, step for step in every layout", "[optimizers]") {
  const check::OptimizerOptions options{
      .minima = {1e-2, 0.1}, .layouts = {1e-12, 1e-11}, .floats = {1e-4, 2e-4}};
  BasicPegasos<InverseLambda, Shuffled> pegasos{
      .epochs = 200, .tolerance = 0, .project = true, .iterate = Iterate::average};
  test::obeys("Pegasos::minimize", pegasos, test::hinge_objective, test::hinge_at_minimum, options);
}

TEST_CASE("Laws: Perceptron", "[optimizers]") {
  // Any separating hyperplane is a minimum. Sums of multiples of 1/64 are exact, even in float.
  check::OptimizerOptions options{
      .minima = {0, test::anything}, .layouts = {0, 0}, .floats = {0, 0}, .lowest = 0};
  // A sample weight is the number of times that the sample is presented.
  options.weights_scale = false;
  const Objective mistakes{ZeroOne{}, NoPenalty{}};
  test::obeys("Perceptron::fit", test::ByFit{Perceptron{.epochs = 1000}}, mistakes,
              test::separable_problem(), options);
  // The average includes iterates that do not separate the samples, so that F of the average is
  // arbitrary.
  options.minima.objective = test::anything;
  options.layouts = {0, 1e-12};
  options.floats = {0, 1e-5};
  test::obeys("Perceptron::fit", test::ByFit{Perceptron{.epochs = 5, .average = true}}, mistakes,
              test::separable_problem(), options);
}
