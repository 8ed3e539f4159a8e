// SPDX-License-Identifier: MIT
//
// The golden values are those of R's pt (tests/golden/make_standard_errors.R), and of mpmath 1.2.1
// with 40 digits: betainc(v/2, 0.5, 0, v/(v + t*t), regularized=True).
#include <cmath>
#include <linea/models/coefficients.hpp>
#include <numbers>

#include "golden/standard_errors.hpp"
#include "support/catch.hpp"
#include "support/constants.hpp"

namespace coefficients_test {

using namespace linea;
using namespace linea::test;
using linea::detail::two_sided_tail;

TEST_CASE("Tail probability: R's and mpmath's values", "[models]") {
  for (const auto& tail : golden::tails) {
    CAPTURE(tail.t, tail.freedom);
    CHECK_THAT(two_sided_tail(tail.t, tail.freedom), WithinRel(tail.p, 1e-12));
    CHECK(two_sided_tail(-tail.t, tail.freedom) == two_sided_tail(tail.t, tail.freedom));
  }
  CHECK_THAT(two_sided_tail(4, 5000), WithinRel(6.4257183067983701e-5, 1e-12));
  CHECK_THAT(two_sided_tail(1.96, 12000), WithinRel(0.050018898428325142, 1e-12));
  CHECK_THAT(two_sided_tail(12, 12000), WithinRel(5.4865607678183583e-33, 1e-12));
  CHECK_THAT(two_sided_tail(37, 20000), WithinRel(6.3938049260036969e-290, 1e-12));
}

TEST_CASE("Tail probability: closed forms of one, two and infinitely many degrees of freedom",
          "[models]") {
  for (const double t : {1e-9, 0.01, 0.5, 1.0, 3.0, 1e3, 1e12, 1e200}) {
    CAPTURE(t);
    CHECK_THAT(two_sided_tail(t, 1), WithinRel(2 / std::numbers::pi * std::atan2(1.0, t), 1e-13));
    const double r = t / std::sqrt(2.0);
    // The tail is 1 − r/√(1 + r²), computed here without cancellation.
    const double h = std::hypot(1, r);
    CHECK_THAT(two_sided_tail(t, 2), WithinRel(1 / h / (h + r), 1e-13));
    CHECK(two_sided_tail(t, infinity) == std::erfc(r));
  }
}

TEST_CASE("Tail probability: limits", "[models]") {
  for (const double freedom : {0.5, 1.0, 5.0, 1e5, infinity}) {
    CHECK(two_sided_tail(0, freedom) == 1);
    CHECK(two_sided_tail(infinity, freedom) == 0);
    CHECK(std::isnan(two_sided_tail(not_a_number, freedom)));
  }
  CHECK(std::isnan(two_sided_tail(1, 0)));
  CHECK(std::isnan(two_sided_tail(1, not_a_number)));
}

}  // namespace coefficients_test
