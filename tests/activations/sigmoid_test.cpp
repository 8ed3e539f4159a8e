// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <linea/activations/sigmoid.hpp>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/golden_activations.hpp"

using namespace linea;
using namespace linea::test;

static_assert(CurvedActivation<Sigmoid>);

TEST_CASE("Sigmoid: golden values, relative to their own size at both ends", "[activations]") {
  CHECK(Sigmoid{}.value(0.0) == 0.5);
  CHECK(Sigmoid{}.derivative(0.0) == 0.25);
  CHECK(Sigmoid{}.second_derivative(0.0) == 0);
  CHECK_THAT(Sigmoid{}.value(std::log(3.0)), WithinRel(0.75, 1e-15));
  check_golden(Sigmoid{},
               {{-700, 9.85967654375977e-305, 9.85967654375977e-305, 9.85967654375977e-305},
                {-40.5, 2.576757109154981e-18, 2.576757109154981e-18, 2.576757109154981e-18},
                {-2.25, 0.09534946489910949, 0.08625794444256298, 0.06980864675077199},
                {-0.125, 0.46879062662624377, 0.24902597501361748, 0.015543889267927368},
                {0.75, 0.679178699175393, 0.21789499376181404, -0.07808428307814441},
                {3, 0.9525741268224333, 0.04517665973091213, -0.04089157466094348},
                {36, 0.9999999999999998, 2.319522830243568e-16, -2.319522830243567e-16},
                {60, 1, 8.75651076269652e-27, -8.75651076269652e-27}});
}

TEST_CASE("Sigmoid: neither overflows nor leaves its range", "[activations]") {
  const Sigmoid sigmoid;
  for (const double p : {1000.0, 1e300, infinity}) {
    CHECK(sigmoid.value(p) == 1);
    CHECK(sigmoid.value(-p) == 0);
    for (const double side : {-p, p}) {
      CHECK(sigmoid.derivative(side) == 0);
      CHECK(sigmoid.second_derivative(side) == 0);
    }
  }
  CHECK(sigmoid.value(-740.0) == std::exp(-740.0));  // exp(740) is infinite
  CHECK(sigmoid.derivative(-740.0) == std::exp(-740.0));
  CHECK(sigmoid.value(1000.0F) == 1);
  CHECK(sigmoid.value(-1000.0F) == 0);
  for (double p = -40; p <= 40; p += 0.37)
    CHECK_THAT(sigmoid.value(p) + sigmoid.value(-p), WithinRel(1.0, 1e-15));
}
