// SPDX-License-Identifier: MIT
#include <linea/step_sizes/safe.hpp>

#include "support/catch.hpp"

using namespace linea;

TEST_CASE("SafeStep: before it has seen samples it takes their norm for 1", "[step_sizes]") {
  REQUIRE(SafeStep{}.bound_to({0.5, 2, true})(1) == 1 / 2.5);
  REQUIRE(SafeStep{}.bound_to({0.5, 2, true}).shortened(0.25, 9)(10) == 0.25 / 2.5);
  REQUIRE(SafeStep{0.5}.shortened(0.25, 9)(10) == 0.125);
}
