// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <linea/activations/exponential.hpp>

#include "support/catch.hpp"
#include "support/constants.hpp"

using namespace linea;
using namespace linea::test;

static_assert(CurvedActivation<Exponential>);

TEST_CASE("Exponential: its own derivative, 0 and infinite at the ends", "[activations]") {
  const Exponential exponential;
  CHECK(exponential.value(0.0) == 1);
  for (const double p : {-3.5, 0.0, 2.0}) {
    CHECK_THAT(exponential.value(p), WithinRel(std::pow(2.718281828459045, p), 1e-15));
    CHECK(exponential.derivative(p) == exponential.value(p));
    CHECK(exponential.second_derivative(p) == exponential.value(p));
  }
  CHECK(exponential.value(-infinity) == 0);
  CHECK(exponential.value(710.0) == infinity);
}
