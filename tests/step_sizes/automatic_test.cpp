// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/losses/smooth_hinge.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/none.hpp>
#include <linea/step_sizes/automatic.hpp>

#include "support/catch.hpp"

using namespace linea;

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
