// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <linea/step_sizes/inverse_lambda.hpp>
#include <stdexcept>

#include "support/catch.hpp"

using namespace linea;

TEST_CASE("InverseLambda: 1/(lambda t), of its own lambda or of the penalty's", "[step_sizes]") {
  REQUIRE(InverseLambda{0.5}.bound_to({0.25, 2, true})(4) == 0.5);
  REQUIRE(InverseLambda{}.bound_to({0.25, 2, true})(4) == 1);
  REQUIRE(InverseLambda{0.25}.offset_step(4) == 0.5);  // 1/√t, which is less than the step
  REQUIRE(InverseLambda{4}.offset_step(4) == 0.0625);
  REQUIRE_THROWS_WITH(
      InverseLambda{}.bound_to({0, 2, true}),
      "InverseLambda: the step 1/(lambda t) needs lambda > 0, of its own or of the penalty");
  const double infinity = std::numeric_limits<double>::infinity();
  REQUIRE_THROWS_AS(InverseLambda{infinity}.bound_to({0.25, 2, true}), std::invalid_argument);
}

TEST_CASE("InverseLambda: shortened, the step at t is a part of what it was, and falls on as 1/t",
          "[step_sizes]") {
  const InverseLambda step{0.1};
  const InverseLambda later = step.shortened(0.25, 30);
  REQUIRE_THAT(later(30), WithinRel(0.25 * step(30), 1e-15));
  REQUIRE_THAT(later.shortened(0.5, 50)(50), WithinRel(0.5 * later(50), 1e-15));
  for (const Index t : {31, 100, 10000}) {
    REQUIRE(later(t) < later(t - 1));
    REQUIRE(later(t) < step(t));
    // 1/step rises by λ with each step, before and after.
    REQUIRE_THAT(1 / later(t) - 1 / later(t - 1), WithinRel(0.1, 1e-9));
  }
}
