// SPDX-License-Identifier: MIT
#include <limits>
#include <linea/activations/sigmoid.hpp>
#include <linea/activations/tanh.hpp>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/golden_activations.hpp"

using namespace linea;
using namespace linea::test;

static_assert(CurvedActivation<Tanh>);

TEST_CASE("Tanh: golden values, relative to their own size at both ends", "[activations]") {
  CHECK(Tanh{}.value(0.0) == 0);
  CHECK(Tanh{}.derivative(0.0) == 1);
  check_golden(Tanh{}, {{-350, -1, 3.943870617503908e-304, 7.887741235007817e-304},
                        {-20.5, -1, 6.251528757339955e-18, 1.250305751467991e-17},
                        {-2.25, -0.9780261147388136, 0.04346491888890094, 0.0850196514966989},
                        {-0.125, -0.12435300177159621, 0.9845363309503934, 0.2448600962137502},
                        {0.75, 0.6351489523872873, 0.5965858082813315, -0.7578417022780214},
                        {3, 0.9950547536867305, 0.00986603716544019, -0.019634494363042435},
                        {18, 0.9999999999999996, 9.278091320974273e-16, -1.8556182641948537e-15},
                        {40, 1, 7.219405551381661e-35, -1.4438811102763322e-34}});
  for (const double side : {-infinity, -1000.0, 1000.0, infinity}) {
    CHECK(Tanh{}.value(side) == (side > 0 ? 1 : -1));
    CHECK(Tanh{}.derivative(side) == 0);
    CHECK(Tanh{}.second_derivative(side) == 0);
  }
}

TEST_CASE("Tanh: a sigmoid stretched to −1 and +1", "[activations]") {
  for (double p = -5; p <= 5; p += 0.37)
    CHECK_THAT(Tanh{}.value(p), WithinAbs(2 * Sigmoid{}.value(2 * p) - 1, 1e-15));
}
