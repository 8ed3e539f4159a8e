// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <linea/core/certificate.hpp>

#include "support/catch.hpp"

using namespace linea;

TEST_CASE("Certificate: gap and relative gap", "[core]") {
  CHECK(Certificate{2, 1.5}.gap() == 0.5);
  CHECK(Certificate{2, 1.5}.relative_gap() == 0.25);
  CHECK(Certificate{1, 1 + 1e-15}.gap() == 0);
  CHECK(Certificate{0, 0}.relative_gap() == 0);
  CHECK(Certificate{0, -1}.relative_gap() == std::numeric_limits<double>::infinity());
}

TEST_CASE("Certificate: numbers that are not finite prove nothing", "[core]") {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Certificate c :
       {Certificate{nan, 0}, Certificate{0, nan}, Certificate{nan, nan}, Certificate{infinity, 0},
        Certificate{infinity, infinity}, Certificate{infinity, -infinity}, Certificate{1, infinity},
        Certificate{-infinity, -infinity}}) {
    CAPTURE(c.primal, c.dual);
    CHECK(std::isnan(c.gap()));
    CHECK(std::isnan(c.relative_gap()));
    CHECK_FALSE(c.proves(1, 1e300));
  }
  CHECK(Certificate{1, -infinity}.gap() == infinity);
  CHECK(Certificate{1, -infinity}.relative_gap() == infinity);
  CHECK_FALSE(Certificate{1, -infinity}.proves(1e300));
  CHECK(Certificate{1, 0.5}.proves(0.5));
  CHECK_FALSE(Certificate{1, 0.5}.proves(0.4));
  CHECK(Certificate{0, -1e-17}.proves(0, 1e-16));
}
