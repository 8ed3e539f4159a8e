// SPDX-License-Identifier: MIT
/// \file When a run of gradient steps ends, and how its batches grow.
#include <linea/losses/hinge.hpp>
#include <linea/losses/log.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/penalties/none.hpp>
#include <vector>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

namespace {

const auto x = synthetic::features(100, 4, 1);
const auto y = synthetic::signs(x, 2);
const Objective objective{Log{}, L2{0.01}};

}  // namespace

TEST_CASE("Sgd: ends after max_updates steps, in the middle of an epoch if need be",
          "[optimizers]") {
  const auto in_batches =
      BasicSgd<ConstantStep, Cyclic>{
          .max_updates = 3, .tolerance = 0, .step = {0.1}, .batch = 30, .iterate = Iterate::last}
          .minimize(objective, x, y);
  REQUIRE(in_batches.updates == 3);
  REQUIRE(in_batches.last_step == 0.1);
  for (const Index steps : {0, 1, 99, 100, 101, 250}) {
    const auto solution =
        BasicSgd<ConstantStep, Cyclic>{
            .max_updates = steps, .tolerance = 0, .step = {0.1}, .iterate = Iterate::last}
            .minimize(objective, x, y);
    REQUIRE(solution.updates == steps);
    REQUIRE(solution.epochs == (steps + 99) / 100);
    REQUIRE(solution.status == Status::epoch_limit);
    // The same samples one by one.
    auto learner = BasicSgd<ConstantStep>{.step = {0.1}}.start<double>(objective, 4);
    for (Index t = 0; t < steps; ++t) learner.update(x.row(t % 100), y[t % 100]);
    REQUIRE(solution.weights == learner.solution().weights);
  }
  // In steps of 30 an epoch has four, the last of them with 10 samples.
  const auto batches =
      BasicSgd<ConstantStep, Cyclic>{
          .max_updates = 6, .tolerance = 0, .step = {0.1}, .batch = 30, .iterate = Iterate::last}
          .minimize(objective, x, y);
  REQUIRE(batches.updates == 6);
  auto learner = BasicSgd<ConstantStep>{.step = {0.1}}.start<double>(objective, 4);
  for (const Index first : {0, 30, 60, 90, 0, 30})
    learner.update_batch(x.middleRows(first, std::min<Index>(30, 100 - first)),
                         y.segment(first, std::min<Index>(30, 100 - first)));
  REQUIRE(batches.weights == learner.solution().weights);
}

TEST_CASE("Sgd: ends when the objective is low enough, and not before", "[optimizers]") {
  std::vector<double> seen;
  const auto watch = [&](const Progress& progress) { seen.push_back(progress.objective); };
  const auto free = Sgd{.epochs = 30, .tolerance = 0}.minimize(objective, x, y, watch);
  REQUIRE(free.epochs == 30);
  const double target = 0.5 * (seen[0] + free.objective);
  std::size_t first = 0;
  while (seen[first] > target) ++first;
  REQUIRE(first > 0);
  const auto short_run =
      Sgd{.epochs = 30, .tolerance = 0, .target_objective = target}.minimize(objective, x, y);
  REQUIRE(short_run.status == Status::converged);
  REQUIRE(short_run.epochs == static_cast<Index>(first) + 1);
  REQUIRE(short_run.objective <= target);
}

TEST_CASE("Sgd: ends when an epoch hardly moves the weights", "[optimizers]") {
  std::vector<double> changes;
  Vector<double> before = Vector<double>::Zero(5);
  const auto all = [&](const Progress& progress) { changes.push_back(progress.change); };
  const GradientDescent descent{.epochs = 60, .tolerance = 0, .iterate = Iterate::last};
  descent.minimize(objective, x, y, all);
  REQUIRE(changes[0] == 1);  // from zero
  // The reported change is that of (w, b) between epochs, relative to where it ended.
  for (Index epoch = 1; epoch <= 3; ++epoch) {
    const auto at =
        GradientDescent{.epochs = epoch, .tolerance = 0, .iterate = Iterate::last}.minimize(
            objective, x, y);
    Vector<double> now(5);
    now << at.weights, at.offset;
    REQUIRE_THAT(changes[static_cast<std::size_t>(epoch - 1)],
                 WithinRel((now - before).norm() / now.norm(), 1e-12));
    before = now;
  }
  std::size_t first = 0;
  while (changes[first] > 0.02) ++first;
  REQUIRE(first > 3);
  REQUIRE(first < 59);
  const auto run = GradientDescent{.epochs = 60, .tolerance = 0, .change_tolerance = 0.02}.minimize(
      objective, x, y);
  REQUIRE(run.status == Status::converged);
  REQUIRE(run.epochs == static_cast<Index>(first) + 1);
}

TEST_CASE("Sgd: batches grow from epoch to epoch until one is the whole set", "[optimizers]") {
  std::vector<Index> updates;
  Sgd{.epochs = 9, .tolerance = 0, .batch = 4, .batch_growth = 2}.minimize(
      objective, x, y, [&](const Progress& progress) { updates.push_back(progress.updates); });
  // Batches of 4, 8, 16, 32, 64, 100, 100 …: 25, 13, 7, 4, 2, 1, 1 steps.
  REQUIRE(updates == std::vector<Index>{25, 38, 45, 49, 51, 52, 53, 54, 55});

  updates.clear();
  Pegasos{.epochs = 3, .tolerance = 0, .batch = 10, .batch_growth = 1.5}.minimize(
      objective, x, y,
      observed_by<double>([&](const Progress& progress) { updates.push_back(progress.updates); }));
  REQUIRE(updates == std::vector<Index>{10, 17, 22});  // batches of 10, 15, 22

  // An epoch fed by hand grows as one of a run does.
  const BasicSgd<ConstantStep, Cyclic> sgd{
      .epochs = 3, .tolerance = 0, .step = {0.1}, .batch = 10, .batch_growth = 3};
  auto learner = sgd.start<double>(objective, 4);
  for (int epoch = 0; epoch < 3; ++epoch) learner.epoch(x, y);
  REQUIRE(learner.updates() == 10 + 4 + 2);
}

TEST_CASE("Sgd: a solution holds the best iterate and where the run stood at its end",
          "[optimizers]") {
  // A step that is too long for the end: the current iterate is worse than the best.
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
  refuses({.max_updates = -1}, "Sgd::minimize: at most -1 updates");
  refuses({.change_tolerance = -1e-3}, "change_tolerance = -0.001 is not >= 0");
  refuses({.target_objective = std::nan("")}, "target_objective is not a number");
  refuses({.batch_growth = 0.5}, "batch_growth = 0.5, but batches do not shrink");
  refuses({.batch_growth = std::numeric_limits<double>::infinity()}, "batch_growth = inf");
}

TEST_CASE("Sgd: a last epoch that is cut short is no measure of change", "[optimizers]") {
  const BasicSgd<ConstantStep, Cyclic> sgd{
      .max_updates = 101, .tolerance = 0, .change_tolerance = 0.05, .step = {0.01}};
  const auto cut = sgd.minimize(objective, x, y);
  REQUIRE(cut.updates == 101);
  REQUIRE(cut.status == Status::epoch_limit);
}

TEST_CASE("Sgd: a warm start that is low enough stays where it is", "[optimizers]") {
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
  // Reached exactly is reached: hinge loss 0 on separable data.
  const Matrix<double> line{{-2}, {-1}, {1}, {2}};
  const Vector<double> sides{{-1, -1, 1, 1}};
  const auto zero =
      BasicSgd<ConstantStep>{.tolerance = 0, .target_objective = 0, .step = {1}}.minimize(
          Objective{Hinge{}, NoPenalty{}}, line, sides);
  REQUIRE(zero.objective == 0);
  REQUIRE(zero.status == Status::converged);
}
