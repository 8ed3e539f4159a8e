// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <linea/core/loss.hpp>
#include <linea/losses/hinge.hpp>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/dual_steps.hpp"

using namespace linea;
using namespace linea::test;

static_assert(DifferentiableLoss<Hinge> && ProximalLoss<Hinge> && ConjugateLoss<Hinge> &&
              BoxLoss<Hinge> && !SmoothLoss<Hinge> && !CurvedLoss<Hinge>);

TEST_CASE("Hinge: 1 − z below agreement 1, and a sample on the margin still pulls", "[losses]") {
  const Hinge hinge;
  CHECK(hinge.value(0.25, 1.0) == 0.75);
  CHECK(hinge.value(0.25, -1.0) == 1.25);
  CHECK(hinge.value(1.5, 1.0) == 0);
  CHECK(hinge.derivative(1.0, 1.0) == -1);
  CHECK(hinge.derivative(-1.0, -1.0) == 1);
  CHECK(hinge.derivative(std::nextafter(1.0, 2.0), 1.0) == 0);
  CHECK(hinge.derivative(-3.0F, 1.0F) == -1.0F);
  CHECK(hinge.proximal(-2.0, 1.0, 0.5) == -1.5);
  CHECK(hinge.proximal(0.75, 1.0, 0.5) == 1);
  CHECK(hinge.proximal(-4.0, -1.0, 0.5) == -4);
  CHECK(hinge.conjugate(-0.5, 1.0) == -0.5);
  CHECK(hinge.conjugate(0.5, 1.0) == infinity);
  CHECK(hinge.conjugate(-1.5, 1.0) == infinity);
}

TEST_CASE("Hinge: dual step and dual term in closed form", "[losses][dual]") {
  check_steps(Hinge{}, signs, true, [](double p, double y, double a, double q) {
    return y * std::clamp(y * a + (1 - y * p) / q, 0.0, 1.0);
  });
  check_terms(Hinge{}, signs,
              [](double a, double y) { return y * a >= 0 && y * a <= 1 ? y * a : -infinity; });
}
