// SPDX-License-Identifier: MIT
#include <linea/losses/squared.hpp>

#include "support/catch.hpp"
#include "support/dual_steps.hpp"

using namespace linea;
using namespace linea::test;

static_assert(SmoothLoss<Squared> && CurvedLoss<Squared> && ProximalLoss<Squared> &&
              ConjugateLoss<Squared>);

TEST_CASE("Squared: carries the factor ½, and its derivative is the residual", "[losses]") {
  const Squared loss;
  CHECK(loss.value(3.0, 1.0) == 2);
  CHECK(loss.derivative(3.0, 1.0) == 2);
  CHECK(loss.derivative(-1.0, 1.0) == -2);
  CHECK(loss.second_derivative(7.0, 1.0) == 1);
  CHECK(loss.proximal(3.0, 1.0, 1.0) == 2);
  CHECK(loss.conjugate(2.0, 3.0) == 8);
}

TEST_CASE("Squared: dual step and dual term in closed form", "[losses][dual]") {
  check_steps(Squared{}, numbers, false,
              [](double p, double y, double a, double q) { return a + (y - p - a) / (1 + q); });
  check_terms(Squared{}, numbers, [](double a, double y) { return y * a - a * a / 2; });
}

TEST_CASE("Squared: the best constant score is the mean", "[losses]") {
  double sum = 0;
  for (const double y : {-4.0, 7.5, 0.25, 1.5, -1.0, 2.0, 0.75}) sum += y;
  CHECK(best_constant(Squared{}, {-4, 7.5, 0.25, 1.5, -1, 2, 0.75}) == sum / 7);
}
