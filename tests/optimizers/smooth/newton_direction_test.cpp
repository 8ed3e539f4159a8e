// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <linea/losses.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/penalties.hpp>
#include <string>

#include "support/catch.hpp"
#include "support/exact_minimum.hpp"
#include "support/hard_problems.hpp"
#include "support/sanitizer.hpp"
#include "support/smooth_losses.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using namespace linea::test;

TEST_CASE("Newton and Lbfgs: a Huber loss whose bend is far narrower than the residuals",
          "[optimizers]") {
  // Next to no residual is within δ of 0, so ∇² is 0 or of rank 1 nearly everywhere.
  for (const double lambda : {0.0, 1e-3}) {
    Matrix<double> x = synthetic::features(400, 5, 31);
    x.col(2) *= 1e3;
    const Vector<double> y = 1e5 * synthetic::numbers(x, 32, 2.0);
    const Objective objective{Huber{1}, L2{lambda}};
    const ExactProblem<Huber> exact{Huber{1},       lambda,         true,
                                    x.cast<Long>(), y.cast<Long>(), LongVector::Ones(400)};
    for_both(true, 1e-6, [&](const std::string& name, const auto& optimizer) {
      INFO(name << ", lambda " << lambda);
      const auto solution = optimizer.minimize(objective, x, y);
      const Long least =
          exact.descend(solution.weights.template cast<Long>(), solution.offset).value;
      CHECK(solution.status == Status::converged);
      CHECK(solution.objective <= static_cast<double>(least) * (1 + 1e-6));
      CHECK(solution.objective < 0.9 * static_cast<double>(exact.constant().value));
    });
    CHECK_THAT(Newton{}.minimize(objective, x, y).objective,
               WithinRel(Lbfgs{.iterations = 5000}.minimize(objective, x, y).objective, 2e-6));
  }
}

TEST_CASE("Newton and Lbfgs: without a bound, convergence is that of all directions",
          "[optimizers]") {
  // The third column is the sum of two others but for a hundredth of a percent, on which the
  // targets depend: a rough step of Newton's method does not see it.
  Matrix<double> x = synthetic::features(200, 6, 41);
  const Vector<double> hidden = x.col(2);
  x.col(2) = x.col(0) + x.col(1) + 1e-4 * hidden;
  Vector<double> y = synthetic::numbers(x, 42, 0.1);
  y += hidden;
  const ExactProblem<Squared> exact{
      Squared{}, 0, false, x.cast<Long>(), y.cast<Long>(), LongVector::Ones(200)};
  const auto least = static_cast<double>(exact.descend(LongVector::Zero(6), 0).value);
  for_both(false, 1e-6, [&](const std::string& name, const auto& optimizer) {
    INFO(name);
    const auto solution = optimizer.minimize(Objective{Squared{}, NoPenalty{}}, x, y);
    CHECK(solution.status == Status::converged);
    CHECK(solution.objective <= least * (1 + 1e-6));
  });
}

TEST_CASE("Newton and Lbfgs: the objective is F at the weights, after tiny directions too",
          "[optimizers]") {
  for (std::uint64_t seed = 1; seed <= (is_watched ? 20 : 60); ++seed) {
    const auto x = synthetic::features(20, 30, seed);
    const auto y = synthetic::signs(x, seed + 100, 2.0);
    const Objective objective{SquaredHinge{}, L2{1e-10}};
    for_both(seed % 2 == 0, 1e-6, [&](const std::string& name, const auto& optimizer) {
      INFO(name << " " << seed);
      const auto solution = optimizer.minimize(objective, x, y);
      const double value = objective_value(objective, x, y, solution.weights, solution.offset);
      CHECK_THAT(solution.objective, WithinRel(value, 1e-12));
      REQUIRE(solution.gap);
      if (solution.status == Status::converged) CHECK(*solution.gap <= 1e-6 * value + 1e-16);
    });
  }
}

TEST_CASE("Newton and Lbfgs: scores far larger than the residuals hide no direction",
          "[optimizers]") {
  // The targets depend on the difference of two columns that are equal to a millionth. Without an
  // offset a constant column makes scores of five million, whose rounding enters every slope.
  for (const std::uint64_t seed : {57U, 59U}) {
    Matrix<double> x = synthetic::features(80, 4, seed);
    const Vector<double> hidden = x.col(1);
    x.col(1) = x.col(0).array() * (1 + 1e-6 * hidden.array());
    x.col(3).setConstant(-23.6);
    const Vector<double> noise = synthetic::features(80, 1, seed + 1).col(0);
    const Vector<double> y =
        (0.7 * x.col(2) + 0.01 * x.col(0).cwiseProduct(hidden) + noise).array() - 5e6;
    const ExactProblem<Huber> exact{
        Huber{1}, 0, false, x.cast<Long>(), y.cast<Long>(), LongVector::Ones(80)};
    for_both(false, 1e-6, [&](const std::string& name, const auto& optimizer) {
      INFO(name << ", seed " << seed);
      const auto solution = optimizer.minimize(Objective{Huber{1}, NoPenalty{}}, x, y);
      const auto least = exact.descend(solution.weights.template cast<Long>(), 0).value;
      CHECK(solution.status <= Status::precision_limit);
      CHECK(solution.objective <= static_cast<double>(least) * (1 + 1e-6));
    });
  }
}

TEST_CASE("Newton and Lbfgs: what the difference of nearly equal columns tells is found",
          "[optimizers]") {
  // Columns 1 and 0 are equal to 1e-9 of themselves: ∇²F has lost their difference, in units of
  // which the same problem is plain.
  const double apart = 1e-9;
  Matrix<double> x = synthetic::features(80, 4, 3);
  x.col(1) = x.col(0).array() * (1 + apart * x.col(1).array());
  Matrix<double> plain = x;
  plain.col(1) = (x.col(1) - x.col(0)) / apart;
  for (const bool offset : {true, false})
    for_each_smooth_loss(plain, [&](const auto& loss, const Vector<double>& y) {
      const Objective objective{loss, NoPenalty{}};
      const double least =
          Newton{.offset = offset, .tolerance = 1e-12}.minimize(objective, plain, y).objective;
      for_both(offset, 1e-6, [&](const std::string& name, const auto& optimizer) {
        INFO(name << ' ' << name_of(loss) << ", offset " << offset);
        const auto solution = optimizer.minimize(objective, x, y);
        CHECK(solution.objective <= least * (1 + 1e-6));
        if (name == "Newton") CHECK(solution.status == Status::converged);
      });
    });
}

TEST_CASE("Newton and Lbfgs: columns far from 0 without an offset are solved, or it is said",
          "[optimizers]") {
  // Two columns 1e12 deviations from 0, as many samples as weights: F can be 0.
  const HardProblem far = hard_problem(712537);
  for_both(false, 1e-6, [&](const std::string& name, const auto& optimizer) {
    INFO(name);
    const auto solution = optimizer.minimize(Objective{Squared{}, NoPenalty{}}, far.x, far.y);
    const bool is_solved = solution.objective < 1e-15 * far.y.squaredNorm();
    CHECK((is_solved || solution.status != Status::converged));
  });
  // Most samples are where the loss is straight, and along what is left F falls without bending.
  const HardProblem straight = hard_problem(411821);
  const Huber loss{straight.parameter};
  for_both(false, 1e-6, [&](const std::string& name, const auto& optimizer) {
    INFO(name);
    const auto solution = optimizer.minimize(Objective{loss, NoPenalty{}}, straight.x, straight.y);
    const bool is_solved = solution.objective < 2.531e8;
    CHECK((is_solved || solution.status != Status::converged));
  });
}

TEST_CASE("Newton and Lbfgs: a step that crosses the bends of a loss promises nothing",
          "[optimizers]") {
  // One sample in 26 is of the other class and of next to no weight, and a line tells it apart: the
  // minimum is 0. Near the best constant F falls by a ten-millionth until the others bend.
  for (const double rare : {1e-3, 1e-5})
    for (const double width : {1.0, 0.01}) {
      const Matrix<double> x = Vector<double>::LinSpaced(26, 0, 25);
      Vector<double> y = Vector<double>::Ones(26), weights = y;
      y[0] = -1;
      weights[0] = rare;
      const Objective objective{SmoothHinge{width}, NoPenalty{}};
      for_both(true, 1e-6, [&](const std::string& name, const auto& optimizer) {
        INFO(name << ", weight " << rare << ", width " << width);
        const auto solution = optimizer.minimize(objective, x, y, {.sample_weights = weights});
        if (solution.status == Status::converged) CHECK(solution.objective <= 1e-16 * rare);
        if (name == "Lbfgs") CHECK(solution.status == Status::converged);
      });
    }
}

TEST_CASE("Newton and Lbfgs: samples that are told apart slowly are not forgotten",
          "[optimizers]") {
  // Ten samples at 0, half of them of each class, cost ln 2 each whatever w is. The others cost the
  // less the larger w is, so F falls to 10·ln 2/S, but no w attains that. The last sample is near 0
  // and has little weight: its cost falls a hundred times more slowly than those of the rest.
  for (const double tolerance : {1e-3, 1e-4, 1e-6})
    for (const double near : {0.03, 0.01, 0.003})
      for (const double weight : {0.1, 1e-2, 1e-3, 3e-4, 1e-4, 1e-5}) {
        Matrix<double> x(31, 1);
        Vector<double> y(31), weights = Vector<double>::Ones(31);
        for (Index i = 0; i < 31; ++i) {
          y[i] = i % 2 == 0 ? -1 : 1;
          x(i, 0) = i < 10 ? 0 : y[i];
        }
        x(30, 0) *= near;
        weights[30] = weight;
        const double least = 10 * std::log(2.0) / (30 + weight);
        for_both(true, tolerance, [&](const std::string& name, const auto& optimizer) {
          INFO(name << ", tolerance " << tolerance << ", " << near << " of weight " << weight);
          const auto solution =
              optimizer.minimize(Objective{Log{}, NoPenalty{}}, x, y, {.sample_weights = weights});
          CHECK(solution.status == Status::converged);
          CHECK(solution.objective <= least * (1 + tolerance));
        });
      }
}
