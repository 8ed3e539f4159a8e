// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <linea/losses.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/certify.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/penalties.hpp>
#include <string>

#include "support/catch.hpp"
#include "support/hard_problems.hpp"
#include "support/long_double_descent.hpp"
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
    HardProblem exact{.family = Family::smooth_numbers, .loss = LossKind::huber, .l2 = lambda};
    exact.x = x;
    exact.y = y;
    for_both(true, 1e-6, [&](const std::string& name, const auto& optimizer) {
      INFO(name << ", lambda " << lambda);
      const auto solution = optimizer.minimize(objective, x, y);
      const Real least = minimum_from(exact, point_of(exact, solution));
      CHECK(solution.status == (lambda > 0 ? Status::converged : Status::settled));
      CHECK(solution.objective <= static_cast<double>(least) * (1 + 1e-6));
      CHECK(solution.objective < 0.9 * static_cast<double>(best_constant(exact).value));
    });
    CHECK_THAT(Newton{}.minimize(objective, x, y).objective,
               WithinRel(Lbfgs{.iterations = 5000}.minimize(objective, x, y).objective, 2e-6));
  }
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
      });
    }
}

TEST_CASE("Newton: where columns are few, a proof of the same minimum in few passes",
          "[optimizers]") {
  // Columns of very different size that nearly depend on each other: conjugate gradients took
  // hundreds of passes.
  Matrix<double> x = synthetic::features(6000, 20, 31);
  for (Index j = 10; j < 20; ++j) x.col(j) = x.col(j - 10) + 1e-2 * x.col(j);
  for (Index j = 0; j < 20; ++j) x.col(j) *= std::pow(10.0, static_cast<double>(j % 4));
  const Vector<double> y = synthetic::signs(x, 32, 2.0);
  const Eigen::MatrixXd columns = x;
  const Eigen::SparseMatrix<double, Eigen::RowMajor> sparse = x.sparseView();
  Extras<double> weighted;
  weighted.sample_weights = Vector<double>::LinSpaced(6000, 0, 2);
  for (const double lambda : {1e-2, 1e-4, 1e-6})
    for (const bool has_offset : {false, true})
      for (const auto& extras : {Extras<double>{}, weighted}) {
        CAPTURE(lambda, has_offset, extras.sample_weights.size());
        const Objective objective{Log{}, L2{lambda}};
        const Newton newton{.offset = has_offset, .tolerance = 1e-8};
        const auto solution = newton.minimize(objective, x, y, extras);
        CHECK(solution.status == Status::converged);
        CHECK(solution.epochs <= 100);
        const auto proof =
            certify(objective, solution, x, y,
                    {.offset = has_offset, .sample_weights = extras.sample_weights, .epochs = 0});
        CHECK(proof.gap() <= 2e-8 * solution.objective);
        const auto agrees = [&](const Solution<double>& other) {
          CHECK(other.status == Status::converged);
          CHECK_THAT(other.objective, WithinRel(solution.objective, 2e-8));
        };
        agrees(newton.minimize(objective, columns, y, extras));
        agrees(newton.minimize(objective, sparse, y, extras));
        Extras<double> started = extras;
        started.start_weights = 0.9 * solution.weights;
        agrees(newton.minimize(objective, x, y, started));
      }
}

TEST_CASE("Newton: samples of few columns that mislead cost passes, not the minimum",
          "[optimizers]") {
  // Every row that the first directions are made from, one in four, has its label turned.
  const Matrix<double> x = synthetic::features(4096, 8, 41);
  Vector<double> y = synthetic::signs(x, 42, 0.3);
  for (Index i = 0; i < 4096; ++i)
    if (static_cast<std::uint32_t>(i) * 2654435769U < 1U << 30U) y[i] = -y[i];
  const Objective objective{Log{}, L2{1e-4}};
  const auto solution = Newton{.tolerance = 1e-9}.minimize(objective, x, y);
  const auto other = Lbfgs{.tolerance = 1e-9}.minimize(objective, x, y);
  CHECK(solution.status == Status::converged);
  CHECK_THAT(solution.objective, WithinRel(other.objective, 2e-9));
  CHECK(solution.epochs <= 60);
}
