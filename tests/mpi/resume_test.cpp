// SPDX-License-Identifier: MIT
/// \file States of runs on rows that are divided among processes.
#include <linea/losses/hinge.hpp>
#include <linea/losses/log.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/auto.hpp>
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/interior_point.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/optimizers/softmax_newton.hpp>
#include <linea/penalties/l1.hpp>
#include <linea/penalties/l2.hpp>
#include <stdexcept>
#include <string>

#include "mpi/divided.hpp"
#include "support/catch.hpp"
#include "support/same_bits.hpp"

namespace mpi_resume_test {

using namespace linea;
using namespace divided;

namespace {

/// Extras whose observer, on the last rank alone, ends the run after `epoch`; 0: never.
Extras<double> observed(Index epoch, RunState* state) {
  Extras<double> extras;
  extras.processes = world();
  extras.state = state;
  extras.observer = [epoch](const Progress& progress) {
    const bool is_last = world().rank() == world().size() - 1;
    return is_last && progress.epoch == epoch ? Control::stop : Control::proceed;
  };
  return extras;
}

/// run(extras) has the same bits whether it is stopped at each of its first epochs and taken up by
/// as many ranks, or not.
template <class Run>
void resumes(const Run& run, Index epochs) {
  const auto whole = run(observed(0, nullptr));
  REQUIRE(whole.epochs >= epochs);
  RunState state;
  for (Index epoch = 1; epoch < epochs; ++epoch) {
    INFO("stopped after epoch " << epoch);
    run(observed(epoch, &state));
    REQUIRE(!state.empty());
  }
  const auto resumed = run(observed(0, &state));
  REQUIRE(same_bits(resumed.weights, whole.weights));
  REQUIRE(same_bits(resumed.offset, whole.offset));
  REQUIRE(same_bits(resumed.objective, whole.objective));
  REQUIRE(resumed.status == whole.status);
  REQUIRE(resumed.epochs == whole.epochs);
  REQUIRE(resumed.updates == whole.updates);
  REQUIRE(resumed.gap == whole.gap);
  const auto again = run(observed(0, &state));  // from its end
  REQUIRE(same_bits(again.weights, whole.weights));
  REQUIRE(same_bits(again.objective, whole.objective));
}

template <class O, class L, class P>
void resumes(const O& optimizer, const Objective<L, P>& objective, Index epochs) {
  const auto [x, y] = made_up(211, 7);
  for (const auto division : {Division::even, Division::last_empty, Division::by_target}) {
    const auto p = divide(x, y, made_up_weights(211), division);
    resumes(
        [&](Extras<double> extras) {
          extras.sample_weights = p.weights;
          return optimizer.minimize(objective, p.x, p.y, extras);
        },
        epochs);
  }
}

template <class F>
std::string refusal(F&& run) {
  try {
    run();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

std::string of_last() {
  const auto ranks = std::to_string(world().size());
  return " (rank " + std::to_string(world().size() - 1) + " of " + ranks + ")";
}

}  // namespace

TEST_CASE("RunState: descent on ranks goes on to the bits of one that nobody stopped", "[mpi]") {
  const Objective hinge{Hinge{}, L2{1e-2}};
  resumes(Sgd{.epochs = 6, .tolerance = 0}, hinge, 6);
  resumes(Sgd{.epochs = 5, .iterate = Iterate::average, .threads = 2}, hinge, 5);
  resumes(Pegasos{.epochs = 5, .tolerance = 0}, hinge, 5);
  resumes(GradientDescent{.epochs = 5}, Objective{Log{}, L2{1e-2}}, 5);
}

TEST_CASE("RunState: so do dual ascent and the interior point on ranks", "[mpi]") {
  const Objective hinge{Hinge{}, L2{1e-2}};
  resumes(DualCoordinateAscent{.tolerance = 1e-3}, hinge, 4);
  resumes(DualCoordinateAscent{.tolerance = 1e-3, .offset = false}, Objective{Log{}, L2{1e-2}}, 3);
  resumes(InteriorPoint{}, hinge, 4);
}

TEST_CASE("RunState: so do Newton, Lbfgs and CoordinateDescent on ranks", "[mpi]") {
  // Epochs of the first two are passes; a few iterations have more.
  resumes(Newton{.tolerance = 1e-10}, Objective{Log{}, L2{1e-3}}, 5);
  resumes(Lbfgs{.tolerance = 1e-8}, Objective{Log{}, L2{1e-3}}, 8);
  resumes(CoordinateDescent{.tolerance = 1e-10}, Objective{Squared{}, L1{1e-2}}, 3);
}

TEST_CASE("RunState: softmax regression on ranks goes on to the bits, too", "[mpi]") {
  const auto [x, signs] = made_up(211, 5);
  Vector<double> y(211);
  for (Index i = 0; i < 211; ++i) y[i] = signs[i] < 0 ? 0 : 1 + static_cast<double>(i % 2);
  const auto p = divide(x, y, {}, Division::even);
  resumes(
      [&](const Extras<double>& extras) {
        return SoftmaxNewton{.tolerance = 1e-10}.minimize(L2{1e-3}, p.x, p.y, extras);
      },
      3);
}

TEST_CASE("RunState: what is not a state of all ranks, of one moment, is refused on all", "[mpi]") {
  if (world().size() == 1) return;
  const Objective objective{Log{}, L2{1e-3}};
  const auto [x, y] = made_up(210, 4);
  const auto p = divide(x, y, {}, Division::even);
  const auto run = [&](RunState& state, Index epoch) {
    return Lbfgs{.tolerance = 1e-8}.minimize(objective, p.x, p.y, observed(epoch, &state));
  };
  const bool is_last = world().rank() == world().size() - 1;
  RunState early;
  run(early, 3);
  RunState late = early;
  run(late, 5);
  REQUIRE(late.bytes != early.bytes);

  RunState mixed = is_last ? early : late;
  const std::string bytes = mixed.bytes;
  REQUIRE(refusal([&] { run(mixed, 0); }) ==
          "Lbfgs::minimize: the states of the ranks are not of one moment");
  REQUIRE(mixed.bytes == bytes);  // a state that is refused is as it was
  RunState none = is_last ? RunState{} : late;
  REQUIRE(refusal([&] { run(none, 0); }) ==
          "Lbfgs::minimize: the state is empty, but those of other ranks are not" + of_last());
  Extras<double> lacking = observed(0, is_last ? nullptr : &late);
  REQUIRE(refusal([&] { (void)Lbfgs{}.minimize(objective, p.x, p.y, lacking); }) ==
          "a state is kept by all ranks or by none, but this one gives no Extras::state" +
              of_last());
  lacking.observer = nullptr;
  REQUIRE(refusal([&] {
            (void)Newton{}.minimize(objective, p.x, p.y, lacking);
          }).starts_with("a state is kept by all ranks or by none"));
  // One process, with the rows of this rank, is not one of several.
  const std::string alone = refusal([&] {
    Extras<double> extras;
    extras.state = &late;
    (void)Lbfgs{.tolerance = 1e-8}.minimize(objective, p.x, p.y, extras);
  });
  REQUIRE(alone == "Lbfgs::minimize: the state is of a run with a number of ranks = " +
                       std::to_string(world().size()) + ", but this one has 1");
  const auto whole = run(early, 0);
  REQUIRE(whole.status == Status::converged);
}

TEST_CASE("RunState: another number of ranks starts from the weights", "[mpi]") {
  const Objective objective{Log{}, L2{1e-3}};
  const auto [x, y] = made_up(210, 4);
  const auto p = divide(x, y, {}, Division::even);
  Point<double> seen;
  const auto alone = Newton{.tolerance = 1e-10}.minimize(
      objective, p.all_x, p.all_y, [&](const Progress& progress) {
        seen = progress.iterate();
        return progress.updates == 2 ? Control::stop : Control::proceed;
      });
  REQUIRE(alone.status == Status::stopped);
  Extras<double> extras;
  extras.processes = world();
  extras.start_weights = seen.weights;
  extras.start_offset = seen.offset;
  const auto all = Newton{.tolerance = 1e-10}.minimize(objective, p.x, p.y, extras);
  const auto fresh = Newton{.tolerance = 1e-10}.minimize(objective, p.all_x, p.all_y);
  REQUIRE(all.status == Status::converged);
  REQUIRE(all.iterations < fresh.iterations);
  REQUIRE_THAT(all.objective, WithinRel(fresh.objective, 1e-9));
}

}  // namespace mpi_resume_test
