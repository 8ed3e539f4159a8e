// SPDX-License-Identifier: MIT
#include <limits>
#include <linea/activations/hard_threshold.hpp>
#include <linea/activations/sigmoid.hpp>

#include "support/catch.hpp"
#include "support/constants.hpp"

using namespace linea;
using namespace linea::test;

static_assert(Activation<HardThreshold> && !DifferentiableActivation<HardThreshold>);

TEST_CASE("HardThreshold: 1 from score 0 on, 0 below, and no derivative", "[activations]") {
  const HardThreshold threshold;
  const double least = std::numeric_limits<double>::denorm_min();
  CHECK(threshold.value(0.0) == 1);
  CHECK(threshold.value(-0.0) == 1);
  CHECK(threshold.value(-least) == 0);
  CHECK(threshold.value(infinity) == 1);
  CHECK(threshold.value(-infinity) == 0);
  CHECK_FALSE(DifferentiableActivation<HardThreshold>);
  CHECK(CurvedActivation<Sigmoid>);
}
