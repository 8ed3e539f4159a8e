// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <linea/core/loss.hpp>
#include <linea/losses/absolute.hpp>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/dual_steps.hpp"

using namespace linea;
using namespace linea::test;

static_assert(DifferentiableLoss<Absolute> && ProximalLoss<Absolute> && ConjugateLoss<Absolute> &&
              BoxLoss<Absolute> && !SmoothLoss<Absolute> && !CurvedLoss<Absolute>);

TEST_CASE("Absolute: a sample that is met exactly does not pull", "[losses]") {
  const Absolute loss;
  CHECK(loss.value(3.0, 1.0) == 2);
  CHECK(loss.value(-3.0, 1.0) == 4);
  CHECK(loss.derivative(3.0, 1.0) == 1);
  CHECK(loss.derivative(0.0, 1.0) == -1);
  CHECK(loss.derivative(1.0, 1.0) == 0);
  CHECK(loss.proximal(3.0, 1.0, 0.5) == 2.5);
  CHECK(loss.proximal(0.9, 1.0, 0.5) == 1);
  CHECK(loss.conjugate(-1.0, 3.0) == -3);
  CHECK(loss.conjugate(1.5, 3.0) == infinity);
}

TEST_CASE("Absolute: dual step and dual term in closed form", "[losses][dual]") {
  check_steps(Absolute{}, numbers, false, [](double p, double y, double a, double q) {
    return std::clamp(a + (y - p) / q, -1.0, 1.0);
  });
  check_terms(Absolute{}, numbers,
              [](double a, double y) { return std::abs(a) <= 1 ? y * a : -infinity; });
}

TEST_CASE("Absolute: the best constant score is the median", "[losses]") {
  CHECK(best_constant(Absolute{}, sample) == 0.5);
}
