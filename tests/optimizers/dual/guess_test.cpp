// SPDX-License-Identifier: MIT
#include <linea/losses/hinge.hpp>
#include <linea/optimizers/dual/bound.hpp>
#include <linea/optimizers/dual/guess.hpp>
#include <linea/penalties/l2.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

namespace {

const auto x = synthetic::features(60, 4, 1, 0.8);
const auto signs = synthetic::signs(x, 2, 1.0);

}  // namespace

TEST_CASE("Guess: its multipliers prove its bound", "[optimizers]") {
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
