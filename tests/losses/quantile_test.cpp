// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <linea/core/loss.hpp>
#include <linea/losses/quantile.hpp>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/dual_steps.hpp"

using namespace linea;
using namespace linea::test;

static_assert(DifferentiableLoss<Quantile> && ProximalLoss<Quantile> && ConjugateLoss<Quantile> &&
              BoxLoss<Quantile> && !SmoothLoss<Quantile> && !CurvedLoss<Quantile>);

TEST_CASE("Quantile: overshooting costs 1 − level, falling short costs level", "[losses]") {
  const Quantile loss{.level = 0.75};
  CHECK(loss.value(0.0, 2.0) == 1.5);
  CHECK(loss.value(4.0, 2.0) == 0.5);
  CHECK(loss.derivative(0.0, 2.0) == -0.75);
  CHECK(loss.derivative(4.0, 2.0) == 0.25);
  CHECK(loss.derivative(2.0, 2.0) == 0);
  CHECK(loss.proximal(0.0, 2.0, 1.0) == 0.75);
  CHECK(loss.proximal(4.0, 2.0, 4.0) == 3);
  CHECK(loss.conjugate(-0.75, 2.0) == -1.5);
  CHECK(loss.conjugate(0.5, 2.0) == infinity);
  CHECK(Quantile{}.value(5.0, 2.0) == 1.5);
}

TEST_CASE("Quantile: dual step and dual term in closed form", "[losses][dual]") {
  for (const double level : {0.5, 0.25, 0.875}) {
    check_steps(Quantile{level}, numbers, false, [&](double p, double y, double a, double q) {
      return std::clamp(a + (y - p) / q, level - 1, level);
    });
    check_terms(Quantile{level}, numbers, [&](double a, double y) {
      return a >= level - 1 && a <= level ? y * a : -infinity;
    });
  }
}

TEST_CASE("Quantile: the best constant score is the quantile", "[losses]") {
  // Sorted: −4, −1, 0.25, 0.5, 1.5, 2, 7.5; the optimum is number ⌈7·level⌉.
  CHECK(best_constant(Quantile{0.1}, sample) == -4);
  CHECK(best_constant(Quantile{0.25}, sample) == -1);
  CHECK(best_constant(Quantile{0.5}, sample) == 0.5);
  CHECK(best_constant(Quantile{0.75}, sample) == 2);
  CHECK(best_constant(Quantile{0.95}, sample) == 7.5);
}
