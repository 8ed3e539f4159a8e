// SPDX-License-Identifier: MIT
/// \file One problem, every way of holding it and of feeding it: the answers must agree.
#include <linea/losses/hinge.hpp>
#include <linea/losses/log.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

namespace agreement_test {

using namespace linea;

TEST_CASE("Optimizers: the same seed gives the same bits, another seed others", "[optimizers]") {
  const auto x = synthetic::features(100, 3, 12);
  const auto y = synthetic::signs(x, 13);
  const Objective objective{Hinge{}, L2{0.01}};
  const auto check = [&](auto optimizer) {
    optimizer.epochs = 5;
    const auto solve = [&](std::uint64_t seed) {
      optimizer.seed = seed;
      return optimizer.minimize(objective, x, y).weights;
    };
    CHECK(solve(1) == solve(1));
    CHECK(solve(1) != solve(2));
  };
  check(Sgd{});
  check(Pegasos{});
}

TEST_CASE("Optimizers: flipping every label flips the sign of the solution", "[optimizers]") {
  const auto x = synthetic::features(100, 4, 14);
  const auto y = synthetic::signs(x, 15);
  const Objective objective{Log{}, L2{0.01}};
  const auto check = [&](const auto& optimizer, double rounding) {
    const auto solution = optimizer.minimize(objective, x, y);
    const auto flipped = optimizer.minimize(objective, x, Vector<double>(-y));
    CAPTURE(solution.optimizer);
    CHECK((solution.weights + flipped.weights).norm() <= rounding);
    CHECK(std::abs(solution.offset + flipped.offset) <= rounding);
    CHECK(std::abs(solution.objective - flipped.objective) <= rounding);
  };
  check(Sgd{.epochs = 10}, 1e-9);
  check(Newton{}, 0);
  check(Lbfgs{}, 0);
}

}  // namespace agreement_test
