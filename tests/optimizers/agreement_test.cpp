// SPDX-License-Identifier: MIT
/// \file One problem, every way of holding it and of feeding it: the answers must agree.
#include <linea/losses/hinge.hpp>
#include <linea/losses/log.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

TEST_CASE("Optimizers: the same seed gives the same bits, another seed others", "[optimizers]") {
  const auto x = synthetic::features(100, 3, 12);
  const auto y = synthetic::signs(x, 13);
  const Objective objective{Hinge{}, L2{0.01}};
  const auto a = Sgd{.epochs = 5, .seed = 1}.minimize(objective, x, y);
  const auto b = Sgd{.epochs = 5, .seed = 1}.minimize(objective, x, y);
  const auto c = Sgd{.epochs = 5, .seed = 2}.minimize(objective, x, y);
  REQUIRE(a.weights == b.weights);
  REQUIRE(a.weights != c.weights);
  const auto p = Pegasos{.epochs = 5, .seed = 1}.minimize(objective, x, y);
  REQUIRE(p.weights == Pegasos{.epochs = 5, .seed = 1}.minimize(objective, x, y).weights);
  REQUIRE(p.weights != Pegasos{.epochs = 5, .seed = 2}.minimize(objective, x, y).weights);
}

TEST_CASE("Sgd: flipping every label flips the sign of the solution", "[optimizers]") {
  const auto x = synthetic::features(100, 4, 14);
  const auto y = synthetic::signs(x, 15);
  const Objective objective{Log{}, L2{0.01}};
  const auto solution = Sgd{.epochs = 10}.minimize(objective, x, y);
  const auto flipped = Sgd{.epochs = 10}.minimize(objective, x, -y);
  REQUIRE((solution.weights + flipped.weights).norm() < 1e-9);
  REQUIRE_THAT(flipped.offset, WithinAbs(-solution.offset, 1e-9));
}
