// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/optimizers/programs/shared_hinge_offset.hpp>

#include "support/catch.hpp"
#include "support/echo.hpp"
#include "support/synthetic.hpp"

using namespace linea;

TEST_CASE("Shared hinge offset: that of the samples of all ranks", "[optimizers]") {
  test::Echo echo;
  const Processes two(echo);
  Random random(29);
  for (int trial = 0; trial < 200; ++trial) {
    const Index n = 1 + static_cast<Index>(random.below(6));
    Vector<double> p(n), y(n), s(n);
    for (Index i = 0; i < n; ++i) {
      p[i] = std::round(4 * synthetic::normal(random)) / 2;
      y[i] = random.uniform() < 0.5 ? -1 : 1;
      s[i] = static_cast<double>(random.below(3));
    }
    for (const double near : {-1e3, -1.5, -1.0, 0.0, 0.25, 2.0, 1e3})
      CHECK(programs::hinge_offset(p, y, s, near, two) ==
            programs::hinge_offset(p, y, s, near, Processes{}));
  }
}

TEST_CASE("Shared hinge offset: numbers as keys keep their order", "[optimizers]") {
  const double numbers[] = {-INFINITY, -1e300, -1, -1e-310, 0, 1e-310, 1, 1e300, INFINITY};
  for (int k = 0; k < 9; ++k) {
    CHECK(programs::number_of(programs::key_of(numbers[k])) == numbers[k]);
    if (k > 0) CHECK(programs::key_of(numbers[k - 1]) < programs::key_of(numbers[k]));
  }
  CHECK(programs::key_of(-0.0) == programs::key_of(0.0));
}
