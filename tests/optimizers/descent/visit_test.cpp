// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/core/extras.hpp>
#include <linea/losses.hpp>
#include <linea/optimizers/descent/visit.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/perceptron.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/orders.hpp>
#include <linea/penalties.hpp>
#include <linea/rows/in_double.hpp>
#include <linea/step_sizes.hpp>

#include "support/catch.hpp"
#include "support/in_double.hpp"

using namespace linea;
using namespace linea::test;

// The default order draws its sets by the size of a row, which is half as much in floats: hence
// Cyclic and Shuffled here.
TEST_CASE("in_double: Sgd takes the steps it takes on a double copy", "[optimizers]") {
  for (const Iterate iterate : {Iterate::best, Iterate::last, Iterate::average}) {
    const BasicSgd<AutomaticStep, Cyclic> cyclic{.epochs = 6, .iterate = iterate};
    same_solution(minimize(cyclic, Objective{Hinge{}, L2{1e-2}}));
    same_solution(minimize(cyclic, Objective{Log{}, L1{1e-2}}));
    const BasicSgd<AutomaticStep, Shuffled> shuffled{.epochs = 6, .batch = 7, .iterate = iterate};
    same_solution(minimize(shuffled, Objective{Squared{}, NoPenalty{}}));
  }
  const BasicSgd<AutomaticStep, Shuffled> threads{.epochs = 4, .threads = 2};
  same_solution(minimize(threads, Objective{Hinge{}, L2{1e-2}}));
}

TEST_CASE("in_double: Pegasos and the perceptron take the steps they take on a double copy",
          "[optimizers]") {
  for (const Iterate iterate : {Iterate::last, Iterate::average}) {
    const BasicPegasos<InverseLambda, Shuffled> pegasos{.epochs = 6, .iterate = iterate};
    same_solution(minimize(pegasos, Objective{Hinge{}, L2{1e-2}}));
  }
  for (const bool average : {false, true})
    same_solution([&](const auto& x, const auto& y) {
      return Perceptron{.epochs = 5, .average = average}.fit(x, y);
    });
}

TEST_CASE("in_double: the default order reaches the minimum, and many targets at once",
          "[optimizers]") {
  const auto [x, copy, y] = float_problem();
  const Objective objective{Log{}, L2{0.1}};
  const Sgd sgd{.epochs = 300, .tolerance = 1e-9};
  const auto seen = sgd.minimize(objective, in_double(x), y);
  const auto copied = sgd.minimize(objective, copy, y);
  CHECK_THAT(seen.objective, WithinRel(copied.objective, 1e-5));
  Matrix<double> targets(y.size(), 2);
  targets << y, -y;
  const auto each = sgd.minimize_each(objective, in_double(x), targets);
  CHECK(each[0].weights == seen.weights);
}

TEST_CASE("in_double: steps too small for a float still move the weights", "[optimizers]") {
  // On x = 1 with target 2 the distance 2 − w shrinks by 1 − η a step; from w = 1 a step of 2e-8 is
  // less than half of what a float can tell from nothing.
  const Index n = 1000000;
  const Matrix<float> x = Matrix<float>::Ones(n, 1);
  const Vector<double> y = Vector<double>::Constant(n, 2);
  const BasicSgd<ConstantStep, Cyclic> sgd{
      .epochs = 1, .tolerance = 0, .offset = false, .step = {2e-8}, .iterate = Iterate::last};
  const Objective objective{Squared{}, NoPenalty{}};
  const Extras<float> from_one{.start_weights = Vector<float>::Ones(1)};
  const Extras<double> in_doubles{.start_weights = Vector<double>::Ones(1)};
  CHECK(sgd.minimize(objective, x, y, from_one).weights[0] == 1.0F);
  const double moved = sgd.minimize(objective, in_double(x), y, in_doubles).weights[0];
  CHECK_THAT(moved, WithinRel(2 - std::pow(1 - 2e-8, n), 1e-9));
}
