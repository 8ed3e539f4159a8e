// SPDX-License-Identifier: MIT
#include <algorithm>
#include <linea/core/loss.hpp>
#include <linea/losses/smooth_hinge.hpp>

#include "support/catch.hpp"
#include "support/dual_steps.hpp"

using namespace linea;
using namespace linea::test;

static_assert(SmoothLoss<SmoothHinge> && CurvedLoss<SmoothHinge> && ProximalLoss<SmoothHinge> &&
              ConjugateLoss<SmoothHinge> && BoxLoss<SmoothHinge>);

TEST_CASE("SmoothHinge: a parabola of the given width between zero and the hinge", "[losses]") {
  const SmoothHinge loss{.width = 0.5};
  CHECK(loss.value(1.0, 1.0) == 0);
  CHECK(loss.value(0.75, 1.0) == 0.0625);
  CHECK(loss.value(0.5, 1.0) == 0.25);
  CHECK(loss.value(-1.0, 1.0) == 1.75);
  CHECK(loss.derivative(0.75, 1.0) == -0.5);
  CHECK(loss.derivative(-0.5, -1.0) == 1);
  CHECK(loss.derivative(2.0, 1.0) == 0);
  CHECK(loss.curvature_bound() == 2);
  CHECK(loss.second_derivative(0.75, 1.0) == 2);
  CHECK(loss.second_derivative(0.5, 1.0) == 0);
  CHECK(loss.second_derivative(1.0, 1.0) == 0);
  CHECK(SmoothHinge{}.value(0.0, 1.0) == 0.5);
}

TEST_CASE("SmoothHinge: dual step and dual term in closed form", "[losses][dual]") {
  for (const double width : {1.0, 0.2, 3.0}) {
    check_steps(SmoothHinge{width}, signs, true, [&](double p, double y, double a, double q) {
      return y * std::clamp(y * a + (1 - y * p - width * y * a) / (q + width), 0.0, 1.0);
    });
    check_terms(SmoothHinge{width}, signs, [&](double a, double y) {
      return y * a >= 0 && y * a <= 1 ? y * a - width * a * a / 2 : -infinity;
    });
  }
}
