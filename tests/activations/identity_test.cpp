// SPDX-License-Identifier: MIT
#include <linea/activations/identity.hpp>

#include "support/catch.hpp"

using namespace linea;

static_assert(CurvedActivation<Identity>);

TEST_CASE("Identity: the score, with slope 1", "[activations]") {
  const Identity identity;
  CHECK(identity.value(-2.5) == -2.5);
  CHECK(identity.derivative(1e300) == 1);
  CHECK(identity.second_derivative(3.0) == 0);
}
