// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <linea/core/certificate.hpp>
#include <linea/core/solution.hpp>

#include "support/catch.hpp"
#include "support/constants.hpp"

using namespace linea;

TEMPLATE_TEST_CASE("Solution: only a finite gap proves how near the minimum is", "[core]",
                   Solution<double>, Solution<float>,
                   (Solution<double, Matrix<double>, Vector<double>>)) {
  TestType solution;
  solution.objective = 2;
  REQUIRE(solution.gap <= 1e-6 * solution.objective);  // what an empty optional says
  CHECK_FALSE(solution.is_proven(1e-6));
  CHECK_FALSE(solution.is_proven(test::infinity));
  solution.gap = 1e-3;
  CHECK(solution.is_proven(5e-4));
  CHECK_FALSE(solution.is_proven(4e-4));
  CHECK_FALSE(solution.is_proven(test::not_a_number));
  CHECK_FALSE(solution.is_proven(-1));
  solution.objective = -2;  // F may be below 0
  CHECK(solution.is_proven(5e-4));
  for (const double unknown : {test::infinity, -test::infinity, test::not_a_number}) {
    solution.gap = unknown;
    CHECK_FALSE(solution.is_proven(1));
  }
  solution.gap = 0;
  CHECK(solution.is_proven(0));
  solution.objective = 0;
  CHECK(solution.is_proven(0));
  for (const double unknown : {test::infinity, -test::infinity, test::not_a_number}) {
    solution.objective = unknown;
    CHECK_FALSE(solution.is_proven(1));
    CHECK_FALSE((Certificate{unknown, 0}.proves(1)));
  }
}

TEST_CASE("Certificate: gap and relative gap", "[core]") {
  CHECK(Certificate{2, 1.5}.gap() == 0.5);
  CHECK(Certificate{2, 1.5}.relative_gap() == 0.25);
  CHECK(Certificate{1, 1 + 1e-15}.gap() == 0);
  CHECK(Certificate{0, 0}.relative_gap() == 0);
  CHECK(Certificate{0, -1}.relative_gap() == test::infinity);
}

TEST_CASE("Certificate: numbers that are not finite prove nothing", "[core]") {
  const double infinity = test::infinity, nan = test::not_a_number;
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
