// SPDX-License-Identifier: MIT
/// \file Step sizes: the step length at step t, its fit to the samples, and invalid parameters.
#include <cmath>
#include <linea/core/step_size.hpp>
#include <linea/losses/smooth_hinge.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/none.hpp>
#include <linea/step_sizes/automatic.hpp>
#include <linea/step_sizes/inverse_lambda.hpp>
#include <linea/step_sizes/safe.hpp>
#include <stdexcept>

#include "support/catch.hpp"
#include "support/constants.hpp"

using namespace linea;

static_assert(FittedStep<AutomaticStep> && StepSeries<AutomaticStep>);
static_assert(StepSeries<SafeStep> && MomentStep<SafeStep>);

TEST_CASE("AutomaticStep: depends on curvature, steps an epoch, and the size of features",
          "[step_sizes]") {
  auto l = Sgd{}.start<double>(Objective{SmoothHinge{0.01}, NoPenalty{}}, 1);
  l.update(Vector<double>(Vector<double>::Ones(1)), 1);
  REQUIRE_THAT(l.step_size(), WithinRel(1 / (100 * 2 * std::sqrt(1.001)), 1e-12));
  const Matrix<double> x = 2 * Matrix<double>::Ones(100, 3);
  auto b = Sgd{.batch = 10}.start<double>(Objective{Squared{}, NoPenalty{}}, 3);
  b.epoch(x, Vector<double>::LinSpaced(100, 0, 1));
  const auto& step = b.rule().step_size;
  REQUIRE(step.horizon == 10);
  REQUIRE(step.offset_scale == 4);
  REQUIRE(step.offset_step(3) == 4 * step(3));
}

TEST_CASE("AutomaticStep: first/(sqrt(1 + t/horizon) + first*lambda*t)", "[step_sizes]") {
  AutomaticStep step = AutomaticStep{0.5}.bound_to({0.25, 2, true});
  REQUIRE(step.is_fitted());
  REQUIRE_FALSE(AutomaticStep{}.is_fitted());
  REQUIRE(step.offset_step(30) == step(30));
  step.scale_to(10, 3);
  REQUIRE_THAT(step(30), WithinRel(0.5 / (2 + 0.5 * 0.25 * 30), 1e-15));
  REQUIRE_THAT(step.offset_step(30), WithinRel(3 * step(30), 1e-15));
  REQUIRE_THAT(step.shortened(0.125, 30)(30), WithinRel(0.0625 / (2 + 0.0625 * 0.25 * 30), 1e-15));
  REQUIRE(step.sum_diverges());
  REQUIRE(step.sum_of_squares_converges());
  REQUIRE_FALSE(AutomaticStep{0.5}.bound_to({0, 2, true}).sum_of_squares_converges());
}

TEST_CASE("AutomaticStep: keeps the largest norm and the mean square of the entries",
          "[step_sizes]") {
  AutomaticStep step = AutomaticStep{}.bound_to({0, 2, true});
  step.observe(0, 0);
  REQUIRE(step.offset_scale == 1);
  REQUIRE(step.seen.largest_norm == 1);
  step.observe(0.25, 1);  // forgets the 1, which is no norm of x
  REQUIRE(step.seen.largest_norm == 0.25 + 0.25);
  step = AutomaticStep{}.bound_to({0, 2, true});
  step.observe(12, 3);
  step.observe(8, 7);
  REQUIRE(step.offset_scale == 2);
  REQUIRE(step.seen.largest_norm == 12 + 4);
  step.start_at(0.25);
  step.observe(100, 1);
  REQUIRE(step.offset_scale == 2);
  REQUIRE_THAT(step(3000), WithinRel(0.25 / 2, 1e-15));
}

TEST_CASE("InverseLambda: 1/(lambda t), with its own lambda or that of the penalty",
          "[step_sizes]") {
  REQUIRE(InverseLambda{0.5}.bound_to({0.25, 2, true})(4) == 0.5);
  REQUIRE(InverseLambda{}.bound_to({0.25, 2, true})(4) == 1);
  REQUIRE(InverseLambda{0.25}.offset_step(4) == 0.5);  // 1/√t, which is less than the step size
  REQUIRE(InverseLambda{4}.offset_step(4) == 0.0625);
  REQUIRE_THROWS_WITH(
      InverseLambda{}.bound_to({0, 2, true}),
      "InverseLambda: the step 1/(lambda t) needs lambda > 0, here or in the penalty");
  REQUIRE_THROWS_AS(InverseLambda{test::infinity}.bound_to({0.25, 2, true}), std::invalid_argument);
}

TEST_CASE("InverseLambda: shortened, the step at t is scaled and continues to fall as 1/t",
          "[step_sizes]") {
  const InverseLambda step{0.1};
  const InverseLambda later = step.shortened(0.25, 30);
  REQUIRE_THAT(later(30), WithinRel(0.25 * step(30), 1e-15));
  REQUIRE_THAT(later.shortened(0.5, 50)(50), WithinRel(0.5 * later(50), 1e-15));
  for (const Index t : {31, 100, 10000}) {
    REQUIRE(later(t) < later(t - 1));
    REQUIRE(later(t) < step(t));
    // 1/step grows by λ in each step, before and after the change.
    REQUIRE_THAT(1 / later(t) - 1 / later(t - 1), WithinRel(0.1, 1e-9));
  }
}

TEST_CASE("SafeStep: assumes norm 1 before it has samples", "[step_sizes]") {
  REQUIRE(SafeStep{}.bound_to({0.5, 2, true})(1) == 1 / 2.5);
  REQUIRE(SafeStep{}.bound_to({0.5, 2, true}).shortened(0.25, 9)(10) == 0.25 / 2.5);
  REQUIRE(SafeStep{0.5}.shortened(0.25, 9)(10) == 0.125);
}

TEST_CASE("SafeStep: the inverse of 1.05 times the curvature along the samples, plus lambda",
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

TEST_CASE("SafeStep: a negative step and a loss without curvature bound are refused",
          "[step_sizes]") {
  REQUIRE_THROWS_WITH((SafeStep{-0.5}.bound_to({0, 1, true})), ContainsSubstring("size = -0.5"));
  REQUIRE_THROWS_WITH((SafeStep{}.bound_to({0, 1, false})),
                      ContainsSubstring("the loss has no curvature bound"));
}
