// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <linea/activations/exponential.hpp>
#include <linea/activations/sigmoid.hpp>
#include <linea/core/extras.hpp>
#include <linea/losses.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/penalties.hpp>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/separable.hpp"
#include "support/smooth_losses.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using namespace linea::test;

TEST_CASE("Newton and Lbfgs: features of very different size cost little", "[optimizers]") {
  Matrix<double> x = synthetic::features(300, 6, 12);
  const auto y = synthetic::signs(x, 13);
  const Objective objective{Log{}, NoPenalty{}};
  for_both(true, 1e-10, [&](const std::string& name, const auto& optimizer) {
    INFO(name);
    const auto plain = optimizer.minimize(objective, x, y);
    Matrix<double> scaled = x;
    const Vector<double> sizes{{1e-4, 1, 1e4, 1e2, 1e-2, 1e6}};
    scaled = x * sizes.asDiagonal();
    const auto solution = optimizer.minimize(objective, scaled, y);
    CHECK(solution.status == Status::settled);
    CHECK_THAT(solution.objective, WithinRel(plain.objective, 1e-9));
    CHECK(solution.epochs <= 2 * plain.epochs);
  });
}

TEST_CASE("Newton and Lbfgs: separable samples without penalty have no minimum of log loss",
          "[optimizers]") {
  const auto set = synthetic::separable(100, 4, 0.2, 14);
  for (const bool offset : {true, false})
    for_both(offset, 1e-6, [&](const std::string& name, auto optimizer) {
      INFO(name << " offset " << offset);
      optimizer.iterations = 2000;
      const auto solution = optimizer.minimize(Objective{Log{}, NoPenalty{}}, set.x, set.y);
      if (offset || solution.objective < 0.01) {
        CHECK(solution.status > Status::settled);
        CHECK(solution.objective < 1e-6);
      }
      CHECK(solution.weights.allFinite());
      CHECK_FALSE(solution.gap);
      // The squared hinge has one, and reaches it.
      const auto hinge = optimizer.minimize(Objective{SquaredHinge{}, NoPenalty{}}, set.x, set.y);
      CHECK(hinge.status == Status::settled);
      if (offset) CHECK(hinge.objective < 1e-30);
    });
}

TEST_CASE("Newton and Lbfgs: Poisson loss far from its start", "[optimizers]") {
  const auto x = synthetic::features(200, 3, 15);
  Vector<double> y(200);
  for (Index i = 0; i < 200; ++i) y[i] = std::round(std::exp(4 * x(i, 0) - 3 * x(i, 1)));
  const Objective objective{PoissonOfExponential{}, NoPenalty{}};
  // Counts up to 3 million: F = 0.04 is what is left of losses of that size, and is known to 11
  // digits or so.
  for_both(true, 1e-10, [&](const std::string& name, const auto& optimizer) {
    INFO(name);
    const auto solution = optimizer.minimize(objective, x, y);
    CHECK(solution.status == Status::settled);
    CHECK_THAT(solution.weights[0], WithinAbs(4, 0.1));
    CHECK_THAT(solution.weights[1], WithinAbs(-3, 0.1));
    // From where the mean is far too small, a full step of Newton's overflows.
    Extras<double> far;
    far.start_weights = Vector<double>::Zero(3);
    far.start_offset = -30;
    const auto other = optimizer.minimize(objective, x, y, far);
    CHECK(other.status == Status::settled);
    CHECK_THAT(other.objective, WithinRel(solution.objective, 1e-9));
    far.start_offset = 800;
    const auto lost = optimizer.minimize(objective, x, y, far);
    CHECK(lost.status == Status::diverged);
    CHECK(lost.weights.allFinite());
  });
}

TEST_CASE("Newton and Lbfgs: where the loss is flat at the start", "[optimizers]") {
  const auto x = synthetic::features(50, 3, 16);
  const Vector<double> y = 100 * synthetic::signs(x, 17);
  const Objective objective{Huber{1}, L2{1e-6}};
  for (const bool offset : {true, false}) {
    const Lbfgs exact{.offset = offset, .memory = 30, .tolerance = 1e-13};
    const double least = exact.minimize(objective, x, y).objective;
    for_both(offset, 1e-10, [&](const std::string& name, const auto& optimizer) {
      INFO(name << " offset " << offset);
      const auto solution = optimizer.minimize(objective, x, y);
      CHECK(solution.status == Status::converged);
      CHECK_THAT(solution.objective, WithinRel(least, 1e-9));
      // All satisfied: nothing to do.
      const auto nothing =
          optimizer.minimize(Objective{Log{}, NoPenalty{}}, Matrix<double>::Zero(4, 2).eval(),
                             Vector<double>{{1, -1, 1, -1}});
      CHECK(nothing.status == Status::settled);
      CHECK(nothing.weights.isZero(0));
      CHECK(nothing.updates == 0);
    });
  }
}

TEST_CASE("Newton and Lbfgs: a warm start at the minimum stays there", "[optimizers]") {
  const auto x = synthetic::features(100, 5, 20);
  const auto y = synthetic::signs(x, 21);
  const Objective objective{Log{}, L2{0.01}};
  for_both(true, 1e-12, [&](const std::string& name, auto optimizer) {
    INFO(name);
    const auto cold = optimizer.minimize(objective, x, y);
    optimizer.tolerance = 1e-6;
    const auto warm = optimizer.minimize(
        objective, x, y, {.start_weights = cold.weights, .start_offset = cold.offset});
    CHECK(warm.updates == 0);
    CHECK(warm.status == Status::converged);
    CHECK(warm.weights == cold.weights);
    CHECK(warm.offset == cold.offset);
    CHECK(warm.epochs <= 4);  // scores, ∇F, mean squares, the proof
  });
}

TEST_CASE("Newton and Lbfgs: F falls, and the gap is known wherever a run ends", "[optimizers]") {
  const auto x = synthetic::features(150, 8, 4);
  const auto y = synthetic::signs(x, 5);
  const Objective objective{Log{}, L2{1e-3}};
  const double least = Newton{.tolerance = 1e-15}.minimize(objective, x, y).objective;
  for_both(true, 1e-12, [&](const std::string& name, auto optimizer) {
    INFO(name);
    const auto run = [&](Index iterations, Index stop) {
      optimizer.iterations = iterations;
      std::vector<double> seen;
      const auto solution = optimizer.minimize(objective, x, y, [&](const Progress& progress) {
        CHECK(progress.step_size > 0);
        CHECK(progress.change > 0);
        if (!seen.empty()) CHECK(progress.objective() <= seen.back() * (1 + 1e-14));
        seen.push_back(progress.objective());
        return progress.epoch == stop ? Control::stop : Control::proceed;
      });
      CHECK(solution.updates == static_cast<Index>(seen.size()));
      REQUIRE(solution.gap);
      CHECK(*solution.gap >= solution.objective - least - 1e-15);
      CHECK(*solution.gap <= solution.objective);  // 0 is a bound, at the least
      return solution;
    };
    CHECK(run(5000, -1).status == Status::converged);
    for (const Index epochs : {1, 3}) {
      const auto stopped = run(5000, epochs);
      CHECK(stopped.status == Status::stopped);
      const auto limited = run(epochs, -1);
      CHECK(limited.status == Status::epoch_limit);
      CHECK(limited.updates == epochs);
      CHECK(limited.weights == stopped.weights);
    }
    const auto none = run(0, -1);
    CHECK(none.status == Status::epoch_limit);
    CHECK(none.weights.isZero(0));
    CHECK(none.objective <= std::log(2.0));
  });
  CHECK_THROWS_WITH(Lbfgs{.memory = 0}.minimize(objective, x, y),
                    "Lbfgs::minimize: a memory of 0 changes");
}

TEST_CASE("Newton and Lbfgs: a loss that is not convex has no gap", "[optimizers]") {
  const auto x = synthetic::features(100, 3, 27);
  const auto y = shares(x, 28);
  const Objective objective{Composed{Squared{}, Sigmoid{}}, L2{1e-3}};
  for (const bool offset : {true, false})
    for_both(offset, 1e-9, [&](const std::string& name, const auto& optimizer) {
      INFO(name << " offset " << offset);
      Extras<double> flat;
      flat.start_weights = Vector<double>::Constant(3, 8);  // where ℓ″ < 0 for many
      const auto solution = optimizer.minimize(objective, x, y, flat);
      CHECK_FALSE(solution.gap);
      CHECK(solution.status == Status::settled);
      CHECK(solution.objective < objective_value(objective, x, y, flat.start_weights, 0.0));
    });
}

TEST_CASE("Newton and Lbfgs: a start that overflows ends with finite numbers", "[optimizers]") {
  const Matrix<double> x{{0.5, std::numeric_limits<double>::max()}};
  const Vector<double> y{{-1.0}};
  const Objective objective{Log{}, L2{1e-3}};
  const Extras<double> start{.start_weights = Vector<double>{{-5.0, 2.0}}};
  for (const bool offset : {false, true})
    for_both(offset, 0.5, [&](const std::string& name, const auto& optimizer) {
      INFO(name << " offset " << offset);
      const auto solution = optimizer.minimize(objective, x, y, start);
      CHECK(solution.status == Status::diverged);
      CHECK(solution.weights.allFinite());
      CHECK(std::isfinite(solution.offset));
    });
}

TEST_CASE("Newton and Lbfgs: cut short, no worse than the best constant", "[optimizers]") {
  // The loss of counts that are all 3, whatever x: b = log 3 alone has no loss.
  const Matrix<double> x = 1e4 * synthetic::features(40, 3, 29);
  const Vector<double> y = Vector<double>::Constant(40, 3);
  const Objective objective{Composed{Poisson{}, Exponential{}}, NoPenalty{}};
  const double best = objective_value(objective, x, y, Vector<double>::Zero(3), std::log(3.0));
  REQUIRE(best < 1e-15);
  for (const Index iterations : {0, 1, 2})
    for_both(true, 0, [&](const std::string& name, auto optimizer) {
      INFO(name << ", " << iterations << " iterations");
      optimizer.iterations = iterations;
      const auto cut = optimizer.minimize(objective, x, y);
      CHECK(cut.objective <= best + 1e-15);
      // Where the start is given, it is gone on from.
      Extras<double> given;
      given.start_weights = Vector<double>::Constant(3, 1e-5);
      if (iterations == 0)
        CHECK(optimizer.minimize(objective, x, y, given).weights == given.start_weights);
    });
}
