// SPDX-License-Identifier: MIT
#include <limits>
#include <linea/core/objective.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <stdexcept>

#include "support/catch.hpp"
#include "support/constants.hpp"

using namespace linea;

TEST_CASE("lambda_from_c: one over C times the samples, and back", "[core]") {
  CHECK(lambda_from_c(2, 50) == 0.01);
  CHECK(c_from_lambda(0.01, 50) == 2);
  for (const double lambda : {1e-12, 3e-4, 1.0, 7e5})
    for (const Index n : {Index{1}, Index{569}, std::numeric_limits<Index>::max() / 3})
      CHECK_THAT(lambda_from_c(c_from_lambda(lambda, n), n), WithinRel(lambda, 1e-15));
}

TEST_CASE("lambda_from_c: refuses what is not positive", "[core]") {
  REQUIRE_THROWS_AS(lambda_from_c(0, 10), std::invalid_argument);
  REQUIRE_THROWS_WITH(lambda_from_c(0, 10), "lambda_from_c: C = 0 is not a positive number");
  REQUIRE_THROWS_WITH(lambda_from_c(-1.5, 10), "lambda_from_c: C = -1.5 is not a positive number");
  REQUIRE_THROWS_WITH(lambda_from_c(test::infinity, 10),
                      ContainsSubstring("is not a positive number"));
  REQUIRE_THROWS_WITH(lambda_from_c(1, 0), "lambda_from_c: n = 0 samples");
  REQUIRE_THROWS_WITH(c_from_lambda(0, 10), "c_from_lambda: lambda = 0 is not a positive number");
  REQUIRE_THROWS_WITH(c_from_lambda(test::not_a_number, 10),
                      ContainsSubstring("is not a positive number"));
  REQUIRE_THROWS_WITH(c_from_lambda(1, -3), "c_from_lambda: n = -3 samples");
}
