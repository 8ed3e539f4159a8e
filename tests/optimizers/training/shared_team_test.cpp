// SPDX-License-Identifier: MIT
/// \file Teams of two processes of which one is imagined. Real ones are tested in tests/mpi.
#include <cmath>
#include <linea/core/workers.hpp>
#include <linea/losses/perceptron_loss.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/optimizers/training/shared_team.hpp>
#include <linea/penalties/none.hpp>
#include <linea/step_sizes/constant.hpp>

#include "support/catch.hpp"
#include "support/echo.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using test::Echo;

TEST_CASE("SharedTeam: steps and moved visits are those of both processes", "[optimizers]") {
  const auto x = synthetic::features(50, 3, 1);
  const auto y = synthetic::signs(x, 2, 1.0);
  const Objective objective{PerceptronLoss{}, NoPenalty{}};
  const BasicSgd<ConstantStep> sgd{.step = {0.1}, .iterate = Iterate::last};
  Workers one(1);
  auto alone = sgd.start<double>(objective, 3);
  const auto own = samples::admit("test", objective.loss, x, y);
  alone.prepare(own, false);
  Echo echo;
  const auto shared = samples::admit("test", objective.loss, x, y, {}, Processes(echo));
  auto learner = sgd.start<double>(objective, 3);
  training::SharedTeam<double, decltype(learner)> team(learner, one);
  team.prepare(shared, false);
  for (int epoch = 0; epoch < 3; ++epoch) {
    const Index moved = alone.run_epoch(own, 1000);
    REQUIRE(moved > 0);
    REQUIRE(moved < 50);
    CHECK(team.run_epoch(shared, 1000) == 2 * moved);
    CHECK(team.updates() == 2 * alone.updates());
    CHECK(team.current_weights() == alone.current_weights());  // the mean of two that are equal
    CHECK(team.current_offset() == alone.current_offset());
  }
}

namespace {

/// The mean of two processes' averages after one epoch of least squares without a penalty.
template <class X>
Solution<double> averaged(const X& x, const Vector<double>& y, double step) {
  Echo echo;
  const auto set = samples::admit("test", Squared{}, x, y, {}, Processes(echo));
  const BasicSgd<ConstantStep> sgd{.step = {step}, .iterate = Iterate::average};
  auto learner = sgd.template start<double>(Objective{Squared{}, NoPenalty{}}, x.cols());
  Workers one(1);
  training::SharedTeam<double, decltype(learner)> team(std::move(learner), one);
  team.prepare(set, false);
  team.restart_average(true);
  team.run_epoch(set, 1000);
  return team.solution();
}

}  // namespace

TEST_CASE("SharedTeam: an average that is not finite has diverged, be it the offset alone",
          "[optimizers]") {
  const Vector<double> y = Vector<double>::Constant(8, 1e300);
  const SparseMatrix<double> none(8, 2);  // rows of zeros leave the weights where they are
  const auto offset_alone = averaged(none, y, 1e10);
  REQUIRE(offset_alone.weights.isZero(0));
  REQUIRE_FALSE(std::isfinite(offset_alone.offset));
  CHECK(offset_alone.status == Status::diverged);

  const Matrix<double> large = Matrix<double>::Constant(8, 2, 1e10);
  const auto both = averaged(large, y, 1e10);
  REQUIRE_FALSE(both.weights.allFinite());
  CHECK(both.status == Status::diverged);

  const auto fine = averaged(none, y, 0.5);
  CHECK(fine.status != Status::diverged);
  CHECK(fine.iterate == Iterate::average);
  CHECK(fine.offset > 0.5e300);
  CHECK(fine.offset < 1e300);
}
