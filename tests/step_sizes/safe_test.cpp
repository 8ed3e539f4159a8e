// SPDX-License-Identifier: MIT
#include <linea/core/step_size.hpp>
#include <linea/step_sizes/safe.hpp>

#include "support/catch.hpp"

using namespace linea;

static_assert(StepSeries<SafeStep> && MomentStep<SafeStep>);

TEST_CASE("SafeStep: before it has seen samples it takes their norm for 1", "[step_sizes]") {
  REQUIRE(SafeStep{}.bound_to({0.5, 2, true})(1) == 1 / 2.5);
  REQUIRE(SafeStep{}.bound_to({0.5, 2, true}).shortened(0.25, 9)(10) == 0.25 / 2.5);
  REQUIRE(SafeStep{0.5}.shortened(0.25, 9)(10) == 0.125);
}

TEST_CASE("SafeStep: the inverse of 1.05 times the curvature along the samples, and of lambda",
          "[step_sizes]") {
  const SafeStep step = SafeStep{}.bound_to({2, 0.5, true});
  REQUIRE_FALSE(step.is_fitted());
  const SafeStep fitted = step.fitted_to(3);
  REQUIRE(fitted.is_fitted());
  REQUIRE_THAT(fitted(7), WithinRel(1 / (1.05 * 0.5 * 3 + 2), 1e-15));
  REQUIRE_THAT(SafeStep{}.bound_to({0, 0.5, true}).fitted_to(100)(1), WithinRel(1 / 52.5, 1e-15));
  REQUIRE(SafeStep{}.bound_to({0, 0.5, true}).fitted_to(0)(1) == 1);
  REQUIRE(SafeStep{}.bound_to({0.25, 0.5, true}).fitted_to(0)(1) == 4);
  REQUIRE(step.sum_diverges());
  REQUIRE_FALSE(step.sum_of_squares_converges());
}

TEST_CASE("SafeStep: a step below 0 and a loss without curvature bound are refused",
          "[step_sizes]") {
  REQUIRE_THROWS_WITH((SafeStep{-0.5}.bound_to({0, 1, true})), ContainsSubstring("size = -0.5"));
  REQUIRE_THROWS_WITH((SafeStep{}.bound_to({0, 1, false})),
                      ContainsSubstring("the loss has no curvature bound"));
}
