// SPDX-License-Identifier: MIT
/// \file Runs of gradient steps: when they end, how batches grow, which iterate a solution holds,
/// how a run is rolled back, and what observers see.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <linea/core/extras.hpp>
#include <linea/losses.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/descent/training_run.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/orders/cyclic.hpp>
#include <linea/penalties.hpp>
#include <linea/step_sizes/constant.hpp>
#include <vector>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

namespace training_run_test {

using namespace linea;

namespace {

const auto x = synthetic::features(100, 4, 1);
const auto y = synthetic::signs(x, 2);
const Objective objective{Log{}, L2{0.01}};

}  // namespace

TEST_CASE("Sgd: ends after max_updates steps, even within an epoch", "[optimizers]") {
  BasicSgd<ConstantStep, Cyclic> sgd{.tolerance = 0, .step = {0.1}, .iterate = Iterate::last};
  // With batches of 30, an epoch has four steps, and the last of them has 10 samples.
  for (const Index batch : {1, 30})
    for (const Index steps : {0, 1, 3, 6, 99, 100, 101, 250}) {
      CAPTURE(batch, steps);
      sgd.batch = batch;
      sgd.max_updates = steps;
      const auto solution = sgd.minimize(objective, x, y);
      const Index of_epoch = (99 + batch) / batch;
      CHECK(solution.updates == steps);
      CHECK(solution.epochs == (steps + of_epoch - 1) / of_epoch);
      CHECK(solution.status == Status::epoch_limit);
      CHECK(solution.last_step == 0.1);
      // Pass the same samples to a learner.
      auto learner = sgd.start<double>(objective, 4);
      for (Index t = 0; t < steps; ++t) {
        const Index first = t % of_epoch * batch;
        const Index count = std::min(batch, 100 - first);
        learner.update_batch(x.middleRows(first, count), y.segment(first, count));
      }
      CHECK(solution.weights == learner.solution().weights);
    }
}

TEST_CASE("Sgd: ends when the objective is low enough, not earlier", "[optimizers]") {
  std::vector<double> seen;
  Sgd sgd{.epochs = 30, .tolerance = 0};
  const auto free = sgd.minimize(
      objective, x, y, [&](const Progress& progress) { seen.push_back(progress.objective()); });
  CHECK(free.epochs == 30);
  sgd.target_objective = 0.5 * (seen[0] + free.objective);
  std::size_t first = 0;
  while (seen[first] > sgd.target_objective) ++first;
  CHECK(first > 0);
  const auto short_run = sgd.minimize(objective, x, y);
  CHECK(short_run.status == Status::converged);
  CHECK(short_run.epochs == static_cast<Index>(first) + 1);
  CHECK(short_run.objective <= sgd.target_objective);
}

TEST_CASE("Sgd: ends when an epoch hardly changes the weights", "[optimizers]") {
  std::vector<double> changes;
  Vector<double> before = Vector<double>::Zero(5);
  GradientDescent descent{.epochs = 60, .tolerance = 0, .iterate = Iterate::last};
  (void)descent.minimize(objective, x, y, [&](const Progress& progress) {
    // Compute the change of (w, b) between epochs, relative to the norm of (w, b) at the end.
    const Point<double> point = progress.iterate();
    Vector<double> now(5);
    now << point.weights, point.offset;
    REQUIRE_THAT(progress.change, WithinRel((now - before).norm() / now.norm(), 1e-12));
    changes.push_back(progress.change);
    before = now;
  });
  std::size_t first = 0;
  while (changes[first] > 0.02) ++first;
  REQUIRE(first > 3);
  REQUIRE(first < 59);
  descent.change_tolerance = 0.02;
  const auto run = descent.minimize(objective, x, y);
  CHECK(run.status == Status::settled);
  CHECK(run.epochs == static_cast<Index>(first) + 1);
  // The change in a last epoch that is cut short does not count.
  const BasicSgd<ConstantStep, Cyclic> cut{
      .max_updates = 101, .tolerance = 0, .change_tolerance = 0.05, .step = {0.01}};
  CHECK(cut.minimize(objective, x, y).status == Status::epoch_limit);
}

TEST_CASE("Sgd: batches grow from epoch to epoch up to the whole set", "[optimizers]") {
  const auto updates_of = [](auto optimizer) {
    optimizer.tolerance = 0;
    std::vector<Index> updates;
    (void)optimizer.minimize(objective, x, y,
                             [&](const Progress& now) { updates.push_back(now.updates); });
    return updates;
  };
  // Batches of 4, 8, 16, 32, 64, 100, 100 … samples make 25, 13, 7, 4, 2, 1, 1 … steps.
  CHECK(updates_of(Sgd{.epochs = 9, .batch = 4, .batch_growth = 2}) ==
        std::vector<Index>{25, 38, 45, 49, 51, 52, 53, 54, 55});
  CHECK(updates_of(Pegasos{.epochs = 3, .batch = 10, .batch_growth = 1.5}) ==
        std::vector<Index>{10, 17, 22});  // batches of 10, 15 and 22
  // The batches of a learner grow in the same way.
  auto learner = Sgd{.batch = 10, .batch_growth = 3}.start<double>(objective, 4);
  for (int epoch = 0; epoch < 3; ++epoch) learner.epoch(x, y);
  CHECK(learner.updates() == 10 + 4 + 2);
}

TEST_CASE("Sgd: a solution holds the best iterate and the last", "[optimizers]") {
  // Near the minimum the step is too long: the current iterate is worse than the best.
  const BasicSgd<ConstantStep> sgd{.epochs = 20, .tolerance = 0, .step = {0.8}};
  auto last = sgd;
  last.iterate = Iterate::last;
  const auto best = sgd.minimize(objective, x, y);
  const auto end = last.minimize(objective, x, y);
  REQUIRE(best.current.weights == end.weights);
  REQUIRE(best.current.offset == end.offset);
  REQUIRE(best.current.objective == end.objective);
  REQUIRE(best.objective < best.current.objective);
  REQUIRE(end.current.weights == end.weights);
}

TEST_CASE("Sgd: refuses options out of their domain", "[optimizers]") {
  const auto refuses = [&](const Sgd& sgd, const char* message) {
    REQUIRE_THROWS_WITH(sgd.minimize(objective, x, y), ContainsSubstring(message));
  };
  refuses({.epochs = -1}, "-1 epochs");
  refuses({.tolerance = -1}, "tolerance");
  refuses({.retries = -1}, "-1 retries");
  refuses({.batch = 0}, "a batch of 0 samples");
  refuses({.max_updates = -1}, "Sgd::minimize: at most -1 updates");
  refuses({.change_tolerance = -1e-3}, "change_tolerance = -0.001 is not >= 0");
  refuses({.target_objective = std::nan("")}, "target_objective is not a number");
  refuses({.average_from = 0}, "average_from = 0, but epochs count from 1");
  refuses({.average_power = 4}, "average_power = 4 is not in [0, 3]");
  refuses({.batch_growth = 0.5}, "batch_growth = 0.5, but batches do not shrink");
  refuses({.batch_growth = std::numeric_limits<double>::infinity()}, "batch_growth = inf");
  for (const double step : {0.0, std::nan("")})
    REQUIRE_THROWS_WITH((BasicSgd<ConstantStep>{.step = {step}}.minimize(objective, x, y)),
                        ContainsSubstring("the step size at t = 1 is "));
  CHECK_THROWS_WITH(Sgd{}.start<double>(objective, 0), "Sgd::start: 0 features");
}

TEST_CASE("Sgd: a warm start below the target objective is returned", "[optimizers]") {
  const auto whole = Sgd{.epochs = 50, .tolerance = 0}.minimize(objective, x, y);
  Extras<double> start;
  start.start_weights = whole.weights;
  start.start_offset = whole.offset;
  const auto still =
      BasicSgd<ConstantStep>{
          .target_objective = 1.001 * whole.objective, .step = {0.5}, .iterate = Iterate::last}
          .minimize(objective, x, y, start);
  REQUIRE(still.status == Status::converged);
  REQUIRE(still.epochs == 0);
  REQUIRE(still.weights == whole.weights);
  REQUIRE(still.objective == whole.objective);
  // The target counts as reached if F equals it: the hinge loss is 0 on separable data.
  const Matrix<double> line{{-2}, {-1}, {1}, {2}};
  const Vector<double> sides{{-1, -1, 1, 1}};
  const auto zero =
      BasicSgd<ConstantStep>{.tolerance = 0, .target_objective = 0, .step = {1}}.minimize(
          Objective{Hinge{}, NoPenalty{}}, line, sides);
  REQUIRE(zero.objective == 0);
  REQUIRE(zero.status == Status::converged);
}

TEST_CASE("Sgd: without epochs the start is returned, the best constant or 0", "[optimizers]") {
  // F is a mean over several blocks of rows, the last of which is not full.
  const auto many = synthetic::features(9001, 3, 5);
  const auto signs = synthetic::signs(many, 6);
  const Vector<double> zero = Vector<double>::Zero(3);
  for (const auto& weights :
       {Vector<double>{}, Vector<double>(Vector<double>::LinSpaced(9001, 0.1, 3))}) {
    const auto at = [&](double b) {
      return objective_value(objective, many, signs, zero, b, weights);
    };
    const auto sgd = Sgd{.epochs = 0}.minimize(objective, many, signs, weights);
    CHECK(sgd.offset != 0);
    CHECK_THAT(sgd.objective, WithinRel(at(sgd.offset), 1e-14));
    CHECK(at(sgd.offset) < at(sgd.offset + 0.1));
    CHECK(at(sgd.offset) < at(sgd.offset - 0.1));
    CHECK(sgd.weights == zero);
    CHECK(sgd.current.weights == zero);
    const auto pegasos = Pegasos{.epochs = 0}.minimize(objective, many, signs, weights);
    CHECK_THAT(pegasos.objective, WithinRel(at(0), 1e-14));
  }
}

TEST_CASE("Sgd: a rollback continues from the start with a shorter step", "[optimizers]") {
  const Objective squared{Squared{}, L2{0.01}};
  const Extras<double> warm{.start_weights = Vector<double>::LinSpaced(4, -1, 1),
                            .start_offset = 0.5};
  for (Extras<double> extras : {Extras<double>{}, warm}) {
    std::vector<double> changes;
    extras.observer = [&](const Progress& progress) {
      changes.push_back(progress.change);
      return Control::proceed;
    };
    const auto after = [&](double step, Index epochs) {
      changes.clear();
      const BasicSgd<ConstantStep, Cyclic> sgd{
          .epochs = epochs, .tolerance = 0, .step = {step}, .iterate = Iterate::last};
      return sgd.minimize(squared, x, y, extras);
    };
    const Vector<double> zero = Vector<double>::Zero(4);
    const auto wild = after(8, 3);
    CHECK(wild.restarts == 3);
    CHECK(wild.weights == (extras.start_weights.size() ? extras.start_weights : zero));
    CHECK(wild.current.weights == wild.weights);
    const auto recovered = after(8, 5);
    REQUIRE(changes.size() == 5);
    const double change = changes[3];
    const auto tame = after(8 * std::pow(0.25, 3), 2);
    CHECK(recovered.restarts == 3);
    CHECK(tame.restarts == 0);
    CHECK(recovered.weights == tame.weights);
    CHECK(recovered.objective == tame.objective);
    CHECK(change == changes[0]);  // relative to the iterate to which the run was rolled back
  }
}

TEST_CASE("Sgd: does not settle before F is below its start, unless that is 0", "[optimizers]") {
  // The targets are independent of x, and the step is too long, even after a rollback.
  Matrix<double> wide(200, 5);
  Vector<double> noise(200);
  Random random(3);
  for (Index i = 0; i < 200; ++i) {
    for (Index j = 0; j < 5; ++j) wide(i, j) = 6 * random.uniform() - 3;
    noise[i] = random.uniform() < 0.5 ? -1 : 1;
  }
  const auto stuck = BasicSgd<ConstantStep>{.epochs = 60, .step = {1}}.minimize(
      Objective{Log{}, L2{1e-3}}, wide, noise);
  CHECK(stuck.restarts > 0);
  CHECK(stuck.epochs == 60);
  CHECK(stuck.status == Status::epoch_limit);
  const Vector<double> threes = Vector<double>::Constant(100, 3);
  const auto exact = Sgd{}.minimize(Objective{Squared{}, NoPenalty{}}, x, threes);
  CHECK(exact.objective == 0);
  CHECK(exact.status == Status::settled);
}

TEST_CASE("Sgd: an observer sees the iterates of shorter runs and can stop there", "[optimizers]") {
  for (const Iterate iterate : {Iterate::last, Iterate::average}) {
    BasicSgd<ConstantStep> sgd{.epochs = 12,
                               .tolerance = 0,
                               .step = {2},
                               .iterate = iterate,
                               .average_from = 1,
                               .retries = 0};
    std::vector<Point<double>> shown;
    (void)sgd.minimize(objective, x, y,
                       [&](const Progress& progress) { shown.push_back(progress.iterate()); });
    REQUIRE(shown.size() == 12);
    for (sgd.epochs = 1; sgd.epochs <= 12; ++sgd.epochs) {
      const auto solution = sgd.minimize(objective, x, y);
      const auto& point = shown[static_cast<std::size_t>(sgd.epochs) - 1];
      CHECK(solution.iterate == iterate);
      CHECK(point.weights == solution.weights);
      CHECK(point.offset == solution.offset);
      CHECK(point.objective == solution.objective);
    }
  }
  const auto check = [](auto optimizer) {
    for (const Index epochs : {1, 4, 10, 13}) {
      const auto stopped = optimizer.minimize(objective, x, y, [&](const Progress& progress) {
        return progress.epoch == epochs ? Control::stop : Control::proceed;
      });
      auto shorter = optimizer;
      shorter.epochs = epochs;
      const auto ended = shorter.minimize(objective, x, y);
      CHECK(stopped.status == Status::stopped);
      CHECK(stopped.weights == ended.weights);
      CHECK(stopped.objective == ended.objective);
    }
  };
  check(Sgd{.tolerance = 0});
  check(GradientDescent{.tolerance = 0});  // every iterate is the best so far
}

TEST_CASE("Sgd: after a rollback an observer sees the current iterate", "[optimizers]") {
  // The first steps are far too long. All values that are reported for an epoch belong to one
  // iterate.
  const Objective squared{Squared{}, L2{0.01}};
  Index restarts = 0;
  (void)BasicSgd<ConstantStep>{.epochs = 30, .tolerance = 0, .step = {100}}.minimize(
      squared, x, y, [&](const Progress& progress) {
        const Point<double> point = progress.iterate();
        REQUIRE(point.weights.allFinite());
        REQUIRE_THAT(objective_value(squared, x, y, point.weights, point.offset),
                     WithinRel(progress.objective(), 1e-10));
        restarts = progress.restarts;
      });
  CHECK(restarts > 0);
  // The distance to the minimum is 1 at first and doubles at every step: F becomes 4 and 16 times F
  // at the start. The second epoch is rolled back to the start.
  std::vector<double> shown;
  (void)BasicSgd<ConstantStep>{.epochs = 2, .tolerance = 0, .offset = false, .step = {3}}.minimize(
      Objective{Squared{}, NoPenalty{}}, Matrix<double>{{1}}, Vector<double>{{1}},
      [&](const Progress& progress) { shown.push_back(progress.iterate().weights[0]); });
  CHECK(shown == std::vector<double>{3, 0});
}

TEST_CASE("Sgd: an observer does not change a run", "[optimizers]") {
  for (const double step : {0.05, 0.8, 300.0})
    for (const double tolerance : {0.0, 1e-4})
      for (const Iterate iterate : {Iterate::best, Iterate::last, Iterate::average}) {
        const BasicSgd<ConstantStep> sgd{
            .epochs = 47, .tolerance = tolerance, .step = {step}, .iterate = iterate};
        std::vector<double> seen;
        const auto watched = sgd.minimize(
            objective, x, y, [&](const Progress& now) { seen.push_back(now.objective()); });
        const auto alone = sgd.minimize(objective, x, y);
        CHECK(alone.weights == watched.weights);
        CHECK(alone.offset == watched.offset);
        CHECK(alone.objective == watched.objective);
        CHECK(alone.status == watched.status);
        CHECK(alone.epochs == watched.epochs);
        CHECK(alone.restarts == watched.restarts);
        CHECK(alone.current.weights == watched.current.weights);
        CHECK(static_cast<Index>(seen.size()) == watched.epochs);
      }
}

}  // namespace training_run_test
