// SPDX-License-Identifier: MIT
#include <linea/losses/threshold_error.hpp>
#include <linea/losses/zero_one.hpp>

#include "support/catch.hpp"

using namespace linea;

static_assert(Loss<ZeroOne> && !DifferentiableLoss<ZeroOne> && !ProximalLoss<ZeroOne> &&
              !ConjugateLoss<ZeroOne>);

static_assert(Loss<ThresholdError> && !DifferentiableLoss<ThresholdError>);

TEST_CASE("ZeroOne: counts agreement at or below 0 as a mistake", "[losses]") {
  const ZeroOne loss;
  CHECK(loss.value(0.0, 1.0) == 1);
  CHECK(loss.value(0.0, -1.0) == 1);
  CHECK(loss.value(-3.0, 1.0) == 1);
  CHECK(loss.value(-3.0, -1.0) == 0);
  CHECK(loss.value(1e-300, 1.0) == 0);
}
