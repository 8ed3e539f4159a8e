// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <linea/core/loss.hpp>
#include <linea/losses/huber.hpp>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/dual_steps.hpp"

using namespace linea;
using namespace linea::test;

static_assert(SmoothLoss<Huber> && CurvedLoss<Huber> && ProximalLoss<Huber> &&
              ConjugateLoss<Huber> && BoxLoss<Huber>);

TEST_CASE("Huber: squared up to delta, straight beyond", "[losses]") {
  const Huber loss{.delta = 2};
  CHECK(loss.value(1.0, 0.0) == 0.5);
  CHECK(loss.value(2.0, 0.0) == 2);
  CHECK(loss.value(-5.0, 0.0) == 8);
  CHECK(loss.derivative(1.0, 0.0) == 1);
  CHECK(loss.derivative(-5.0, 0.0) == -2);
  CHECK(loss.second_derivative(1.0, 0.0) == 1);
  CHECK(loss.second_derivative(2.0, 0.0) == 0);
  CHECK(loss.conjugate(2.0, 1.0) == 4);
  CHECK(loss.conjugate(2.5, 1.0) == infinity);
  CHECK(Huber{}.value(3.0, 1.0) == 1.5);
}

TEST_CASE("Huber: dual step and dual term in closed form", "[losses][dual]") {
  for (const double delta : {1.0, 0.3, 2.0}) {
    check_steps(Huber{delta}, numbers, false, [&](double p, double y, double a, double q) {
      return std::clamp(a + (y - p - a) / (1 + q), -delta, delta);
    });
    check_terms(Huber{delta}, numbers, [&](double a, double y) {
      return std::abs(a) <= delta ? y * a - a * a / 2 : -infinity;
    });
  }
}
