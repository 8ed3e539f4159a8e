// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/optimizers/numerics/falling_root.hpp>

#include "losses/all_losses.hpp"
#include "support/catch.hpp"

using namespace linea;

TEST_CASE("falling_root: finds where a falling function is 0, smooth or with a jump",
          "[optimizers]") {
  for (const double near : {-1e4, 0.0, 2.9, 1e3}) {
    CHECK_THAT(numerics::falling_root([](double b) { return 3 - b; }, near, 1e-3, 0),
               WithinAbs(3, 1e-9));
    CHECK_THAT(numerics::falling_root([](double b) { return b < 3 ? 5.0 : -1.0; }, near, 1e-3, 0),
               WithinAbs(3, 1e-6));
  }
  CHECK(numerics::falling_root([](double) { return 0.0; }, 7, 1, 0) == 7);
  // No root but infinity: as far as `small` asks for, and no farther.
  const double far = numerics::falling_root([](double b) { return std::exp(-b); }, 0, 1e-3, 1e-12);
  CHECK(far >= -std::log(1e-12));
  CHECK(far <= -2 * std::log(1e-12));
  const double back = numerics::falling_root([](double b) { return -std::exp(b); }, 0, 1e-3, 1e-12);
  CHECK(back <= std::log(1e-12));
  CHECK(back >= 2 * std::log(1e-12));
}
