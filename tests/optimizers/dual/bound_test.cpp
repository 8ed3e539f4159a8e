// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <linea/core/random.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/dual/bound.hpp>
#include <linea/optimizers/dual/step.hpp>
#include <linea/penalties/l1.hpp>
#include <linea/penalties/l2.hpp>

#include "losses/all_losses.hpp"
#include "support/catch.hpp"
#include "support/problems.hpp"

using namespace linea;
using synthetic::Problem;
using synthetic::problem_for;
using synthetic::takes_signs;

TEST_CASE("balance: draws the heavier sign towards 0, and no multiplier away from it",
          "[optimizers]") {
  const Vector<double> weights = (Vector<double>(4) << 1, 2, 0, 0.5).finished();
  Vector<double> a = (Vector<double>(4) << 1, -0.25, 9, 0.5).finished();
  dual::balance(a, weights);
  CHECK_THAT(a.dot(weights), WithinAbs(0, 1e-15));
  CHECK(a[1] == -0.25);
  CHECK_THAT(a[0], WithinRel(0.4, 1e-15));
  CHECK_THAT(a[3], WithinRel(0.2, 1e-15));
  Vector<double> one_sign = Vector<double>::Constant(3, -2);
  dual::balance(one_sign, {});
  CHECK(one_sign.isZero(0));
  Vector<double> even = (Vector<double>(2) << 0.5, -0.5).finished();
  dual::balance(even, {});
  CHECK(even[0] == 0.5);
}

TEST_CASE("largest_scale: as far as the conjugate of the penalty is finite", "[optimizers]") {
  const Vector<double> pull = (Vector<double>(3) << 0.5, -4, 3).finished();
  const double half = dual::largest_scale(L1{2}, pull);
  CHECK_THAT(half, WithinRel(0.5, 1e-15));
  CHECK(half <= 0.5);
  CHECK(dual::largest_scale(L1{5}, pull) == 1);
  CHECK(dual::largest_scale(L1{0}, pull) == 0);
  CHECK(dual::largest_scale(L2{1e-3}, pull) == 1);
}

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

}  // namespace

TEST_CASE("largest_scale: the exact product is within the domain, too", "[optimizers]") {
  // As a fused multiply-add has it, which does not round scale · u before it takes λ away.
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

TEST_CASE("within_domain: brings back what is just outside", "[optimizers]") {
  CHECK(dual::within_domain(Hinge{}, 1.0, 1.0) == 1);
  CHECK(dual::within_domain(Hinge{}, 1 + epsilon, 1.0) <= 1);
  CHECK_THAT(dual::within_domain(Hinge{}, 1 + 1e-9, 1.0), WithinAbs(1, 1e-8));
  CHECK(dual::within_domain(Hinge{}, -1e-20, 1.0) == 0);
  CHECK(dual::within_domain(Squared{}, 1e9, 1.0) == 1e9);
}
