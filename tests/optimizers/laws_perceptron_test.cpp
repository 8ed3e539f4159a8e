// SPDX-License-Identifier: MIT
/// \file The laws of check/ for the perceptron, on samples that can be separated.
#include <linea/losses/zero_one.hpp>
#include <linea/optimizers/perceptron.hpp>
#include <linea/penalties/none.hpp>

#include "optimizers/laws.hpp"

using namespace linea;

TEST_CASE("Laws: Perceptron", "[optimizers]") {
  // Any separator is a minimum; on the way to it sums of multiples of 1/64 are exact, even in
  // float.
  check::OptimizerOptions options{
      .minima = {0, test::anything}, .layouts = {0, 0}, .floats = {0, 0}, .lowest = 0};
  options.weights_scale = false;  // a weight counts presentations
  const Objective mistakes{ZeroOne{}, NoPenalty{}};
  test::obeys<check::Layouts::all>("Perceptron::fit", test::ByFit{Perceptron{.epochs = 1000}},
                                   mistakes, test::separable_problem(), options);
  // A mean of separators and of those on the way, which are none: its F is what it is.
  options.minima.objective = test::anything;
  options.layouts = {0, 1e-12};
  options.floats = {0, 1e-5};
  test::obeys<check::Layouts::all>("Perceptron::fit",
                                   test::ByFit{Perceptron{.epochs = 5, .average = true}}, mistakes,
                                   test::separable_problem(), options);
}
