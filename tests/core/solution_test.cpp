// SPDX-License-Identifier: MIT
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
