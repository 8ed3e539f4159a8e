// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <linea/core/loss.hpp>
#include <linea/losses/squared_hinge.hpp>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/dual_steps.hpp"

using namespace linea;
using namespace linea::test;

static_assert(SmoothLoss<SquaredHinge> && CurvedLoss<SquaredHinge> && ProximalLoss<SquaredHinge> &&
              ConjugateLoss<SquaredHinge> && OpenBoxLoss<SquaredHinge>);

TEST_CASE("SquaredHinge: carries the factor ½", "[losses]") {
  const SquaredHinge loss;
  CHECK(loss.value(-1.0, 1.0) == 2);
  CHECK(loss.value(2.0, -1.0) == 4.5);
  CHECK(loss.value(2.0, 1.0) == 0);
  CHECK(loss.derivative(-1.0, 1.0) == -2);
  CHECK(loss.derivative(2.0, -1.0) == 3);
  CHECK(loss.derivative(1.0, 1.0) == 0);
  CHECK(loss.second_derivative(0.5, 1.0) == 1);
  CHECK(loss.second_derivative(1.0, 1.0) == 0);
  CHECK(loss.proximal(-1.0, 1.0, 1.0) == 0);
  CHECK(loss.conjugate(-2.0, 1.0) == 0);
  CHECK(loss.conjugate(0.1, 1.0) == infinity);
}

TEST_CASE("SquaredHinge: dual step and dual term in closed form", "[losses][dual]") {
  check_steps(SquaredHinge{}, signs, true, [](double p, double y, double a, double q) {
    return y * std::max(0.0, y * a + (1 - y * p - y * a) / (q + 1));
  });
  check_terms(SquaredHinge{}, signs,
              [](double a, double y) { return y * a >= 0 ? y * a - a * a / 2 : -infinity; });
}
