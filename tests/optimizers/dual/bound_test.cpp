// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/core/random.hpp>
#include <linea/losses.hpp>
#include <linea/optimizers/dual/bound.hpp>
#include <linea/optimizers/dual/guess.hpp>
#include <linea/penalties.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

// The exact product is within the domain too, as a fused multiply-add has it.
TEST_CASE("largest_scale: as far as the conjugate of the penalty is finite", "[optimizers]") {
  const Vector<double> sums{{0.5, -4, 3}};
  CHECK(dual::largest_scale(L1{5}, sums) == 1);
  CHECK(dual::largest_scale(L1{0}, sums) == 0);
  CHECK(dual::largest_scale(L2{1e-3}, sums) == 1);
  Random random(5);
  for (int k = 0; k < 2000; ++k) {
    const double lambda = 0.1 + random.uniform();
    const Vector<double> pull{{(1 + 9 * random.uniform()) * (k % 2 ? 1 : -1), 0.5}};
    CAPTURE(lambda, pull[0]);
    const double scale = dual::largest_scale(L1{lambda}, pull);
    const long double farthest = std::abs(static_cast<long double>(scale) * pull[0]);
    CHECK(farthest <= lambda);
    if (lambda < std::abs(pull[0])) CHECK(farthest >= lambda * (1 - 2e-15L));
  }
}

TEST_CASE("Guess: its multipliers prove its bound", "[optimizers]") {
  const auto x = synthetic::features(60, 4, 1, 0.8);
  const auto signs = synthetic::signs(x, 2, 1.0);
  const Objective objective{Hinge{}, L2{0.01}};
  const auto set = samples::admit("test", Hinge{}, x, signs);
  const Vector<double> scores = x * Vector<double>::Constant(4, 0.25);
  for (const bool offset : {false, true}) {
    const dual::Guess guess(objective, set, offset, scores, 0);
    const double dual =
        dual::dual_of_losses(Hinge{}, set.y, set.weights, guess.multipliers()) -
        dual::conjugate_of(objective.penalty, dual::dual_sum_of(set, guess.multipliers()));
    CHECK_THAT(guess.bound(), WithinAbs(dual, 1e-13));
    CHECK(dual > 0);
  }
}
