// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/core/step_size.hpp>
#include <linea/losses/smooth_hinge.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/none.hpp>
#include <linea/step_sizes/automatic.hpp>

#include "support/catch.hpp"

using namespace linea;

static_assert(FittedStep<AutomaticStep> && StepSeries<AutomaticStep>);

TEST_CASE("AutomaticStep: knows curvature, epoch in steps, and the size of features",
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

TEST_CASE("AutomaticStep: of samples it keeps the largest norm, and the mean square of entries",
          "[step_sizes]") {
  AutomaticStep step = AutomaticStep{}.bound_to({0, 2, true});
  step.observe(0, 0);
  REQUIRE(step.offset_scale == 1);
  step.observe(12, 3);
  step.observe(8, 7);
  REQUIRE(step.offset_scale == 2);
  REQUIRE(step.seen.largest_norm == 12 + 4);
  step.start_at(0.25);
  step.observe(100, 1);
  REQUIRE(step.offset_scale == 2);
  REQUIRE_THAT(step(3000), WithinRel(0.25 / 2, 1e-15));
}
