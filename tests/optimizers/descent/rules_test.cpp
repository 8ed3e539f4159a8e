// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/losses.hpp>
#include <linea/optimizers/descent/rules.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/step_sizes.hpp>

#include "support/catch.hpp"

using namespace linea;

namespace {

AutomaticStep automatic(double first, double lambda) {
  AutomaticStep step(first);
  step.horizon = 17;
  step.offset_scale = 0.3;
  step.facts.strong_convexity = lambda;
  return step;
}

}  // namespace

TEST_CASE("GradientRule: a step is that of the formula, before and after a run was rolled back",
          "[optimizers]") {
  for (const double factor : {1.0, 0.25})
    for (const Index t : {1, 2, 100}) {
      const descent::GradientRule<Log, L2, AutomaticStep> rule{Log{}, L2{0.5}, automatic(0.7, 0.5),
                                                               true,  1,       factor};
      const double size =
          factor * 0.7 / (std::sqrt(1 + static_cast<double>(t) / 17) + 0.7 * 0.5 * double(t));
      const double slope = -1 / (1 + std::exp(0.4));
      const Step<double> step = rule(0.4, 1.0, 3.0, t);
      CHECK_THAT(step.size, WithinRel(size, 1e-14));
      CHECK_THAT(step.shrink, WithinRel(1 - size * 0.5, 1e-14));
      CHECK_THAT(step.coefficient, WithinRel(-size * 3 * slope, 1e-14));
      CHECK_THAT(step.offset, WithinRel(-0.3 * size * 3 * slope, 1e-14));
    }
  const descent::GradientRule<Hinge, L2, ConstantStep> large{Hinge{}, L2{0.5}, ConstantStep{3},
                                                             false};
  CHECK(large.pace(1).shrink == 0);  // ηλ > 1: no step turns w around
  CHECK(large(0.5, 1.0, 1.0, Index{1}).offset == 0);
  CHECK(large(0.5, 1.0, 0.0, Index{1}).coefficient == 0);
}
