// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <linea/core/loss.hpp>
#include <linea/losses/epsilon_insensitive.hpp>

#include "support/catch.hpp"
#include "support/dual_steps.hpp"

using namespace linea;
using namespace linea::test;

static_assert(DifferentiableLoss<EpsilonInsensitive> && ProximalLoss<EpsilonInsensitive> &&
              ConjugateLoss<EpsilonInsensitive> && BoxLoss<EpsilonInsensitive> &&
              !SmoothLoss<EpsilonInsensitive> && !CurvedLoss<EpsilonInsensitive>);

TEST_CASE("EpsilonInsensitive: the tube and its edges are free", "[losses]") {
  const EpsilonInsensitive loss{.epsilon = 0.5};
  CHECK(loss.value(1.25, 1.0) == 0);
  CHECK(loss.value(3.0, 1.0) == 1.5);
  CHECK(loss.value(-1.0, 1.0) == 1.5);
  CHECK(loss.derivative(1.5, 1.0) == 0);
  CHECK(loss.derivative(0.5, 1.0) == 0);
  CHECK(loss.derivative(1.75, 1.0) == 1);
  CHECK(loss.derivative(0.25, 1.0) == -1);
  CHECK(loss.proximal(3.0, 1.0, 0.5) == 2.5);
  CHECK(loss.proximal(0.25, 1.0, 0.5) == 0.5);
  CHECK(loss.conjugate(-1.0, 3.0) == -2.5);
  CHECK(EpsilonInsensitive{}.epsilon == 0.1);
}

namespace {

double soft(double v, double by) { return v > by ? v - by : (v < -by ? v + by : 0); }

}  // namespace

TEST_CASE("EpsilonInsensitive: dual step and dual term in closed form", "[losses][dual]") {
  for (const double width : {0.1, 0.0, 0.8}) {
    check_steps(EpsilonInsensitive{width}, numbers, false,
                [&](double p, double y, double a, double q) {
                  return std::clamp(soft(q * a + y - p, width) / q, -1.0, 1.0);
                });
    check_terms(EpsilonInsensitive{width}, numbers, [&](double a, double y) {
      return std::abs(a) <= 1 ? y * a - width * std::abs(a) : -infinity;
    });
  }
}
