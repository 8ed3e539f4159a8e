// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <linea/core/loss.hpp>
#include <linea/losses/perceptron_loss.hpp>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/dual_steps.hpp"

using namespace linea;
using namespace linea::test;

static_assert(DifferentiableLoss<PerceptronLoss> && ProximalLoss<PerceptronLoss> &&
              ConjugateLoss<PerceptronLoss> && BoxLoss<PerceptronLoss> &&
              !SmoothLoss<PerceptronLoss> && !CurvedLoss<PerceptronLoss>);

TEST_CASE("PerceptronLoss: no margin, and score 0 is a mistake", "[losses]") {
  const PerceptronLoss loss;
  CHECK(loss.value(-2.0, 1.0) == 2);
  CHECK(loss.value(0.5, 1.0) == 0);
  CHECK(loss.derivative(0.0, 1.0) == -1);
  CHECK(loss.derivative(0.0, -1.0) == 1);
  CHECK(loss.derivative(-0.0, -1.0) == 1);
  CHECK(loss.derivative(1e-300, 1.0) == 0);
  CHECK(loss.proximal(-2.0, 1.0, 0.5) == -1.5);
  CHECK(loss.proximal(0.25, -1.0, 0.5) == 0);
  CHECK(loss.conjugate(-0.5, 1.0) == 0);
  CHECK(loss.conjugate(0.5, 1.0) == infinity);
}

TEST_CASE("PerceptronLoss: dual step and dual term in closed form", "[losses][dual]") {
  check_steps(PerceptronLoss{}, signs, true, [](double p, double y, double a, double q) {
    return y * std::clamp(y * a - y * p / q, 0.0, 1.0);
  });
  check_terms(PerceptronLoss{}, signs,
              [](double a, double y) { return y * a >= 0 && y * a <= 1 ? 0 : -infinity; });
}
