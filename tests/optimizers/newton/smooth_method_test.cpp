// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <linea/activations/exponential.hpp>
#include <linea/activations/sigmoid.hpp>
#include <linea/core/extras.hpp>
#include <linea/losses.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/certify.hpp>
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

TEST_CASE("sample_curvatures: selects one in `stride` and keeps the sum", "[optimizers]") {
  const Vector<double> all = Vector<double>::LinSpaced(4000, 1, 2);
  std::uint32_t turn = 0;
  Vector<double> draws = Vector<double>::Zero(4000), curvatures;
  for (int draw = 0; draw < 4; ++draw) {
    detail::newton::sample_curvatures({}, 0, 4, turn, all, curvatures);
    CHECK_THAT(curvatures.sum(), WithinRel(all.sum(), 1e-12));
    draws += (curvatures.array() > 0).cast<double>().matrix();
  }
  CHECK(draws == Vector<double>::Ones(4000));  // each sample is in one of the four draws
  const Vector<double> one = Vector<double>::Unit(4, 1);
  for (int draw = 0; draw < 4; ++draw) {  // if all selected curvatures are 0, all are kept
    detail::newton::sample_curvatures({}, 0, 4, turn, one, curvatures);
    CHECK(curvatures == one);
  }
}

TEST_CASE("averaging_reach: the least power of 2 at which the slopes change by a tenth",
          "[optimizers]") {
  const Vector<double> scores{{-1, 0.5, 2}};
  const Vector<double> y = Vector<double>::Constant(3, -1), no_weights;
  const Log log;
  const detail::samples::LossBlocksOf loss(log);
  const detail::samples::RiskOfScores risk(loss, y, no_weights);
  const Vector<double> slopes =
      scores.unaryExpr([](double z) { return 1 / (1 + std::exp(-z)) / 3; });
  const auto lost = [&](double reach) {
    Vector<double> curvatures;
    risk.widen(scores, reach, curvatures);
    return reach * curvatures.sum() / slopes.sum();
  };
  const double reach = detail::newton::averaging_reach(risk, scores, slopes);
  CHECK(lost(reach) > 0.1);
  CHECK(lost(reach / 2) <= 0.1);
  const Vector<double> far = Vector<double>::Constant(3, 100);
  CHECK(detail::newton::averaging_reach(risk, scores, far) == 0);  // no reach suffices
}

TEST_CASE("Newton and Lbfgs: separable samples without penalty", "[optimizers]") {
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
      // The squared hinge loss attains its minimum.
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
  // Counts are up to 3 million. F = 0.04 is a small difference of losses of that size, accurate to
  // 11 digits.
  for_both(true, 1e-10, [&](const std::string& name, const auto& optimizer) {
    INFO(name);
    const auto solution = optimizer.minimize(objective, x, y);
    CHECK(solution.status == Status::settled);
    CHECK_THAT(solution.weights[0], WithinAbs(4, 0.1));
    CHECK_THAT(solution.weights[1], WithinAbs(-3, 0.1));
    // From a start whose mean is far too small, a full Newton step overflows.
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

TEST_CASE("Newton and Lbfgs: a loss that is flat at the start", "[optimizers]") {
  const auto x = synthetic::features(50, 3, 16);
  const Vector<double> y = 100 * synthetic::signs(x, 17);
  const Objective objective{Huber{1}, L2{1e-6}};
  for (const bool offset : {true, false}) {
    const Lbfgs exact{.tolerance = 1e-13, .offset = offset, .memory = 30};
    const double least = exact.minimize(objective, x, y).objective;
    for_both(offset, 1e-10, [&](const std::string& name, const auto& optimizer) {
      INFO(name << " offset " << offset);
      const auto solution = optimizer.minimize(objective, x, y);
      CHECK(solution.status == Status::converged);
      CHECK_THAT(solution.objective, WithinRel(least, 1e-9));
      // If x is 0 and both classes have the same size, the start at 0 is the minimum.
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
    CHECK(warm.epochs <= 4);  // passes for scores, ∇F, mean squares and the bound
  });
}

TEST_CASE("Newton and Lbfgs: a loss that is not convex has no gap", "[optimizers]") {
  const auto x = synthetic::features(100, 3, 27);
  const auto y = shares(x, 28);
  const Objective objective{Composed{Squared{}, Sigmoid{}}, L2{1e-3}};
  for (const bool offset : {true, false})
    for_both(offset, 1e-9, [&](const std::string& name, const auto& optimizer) {
      INFO(name << " offset " << offset);
      Extras<double> flat;
      // At these scores ℓ″ < 0 for many samples.
      flat.start_weights = Vector<double>::Constant(3, 8);
      const auto solution = optimizer.minimize(objective, x, y, flat);
      CHECK_FALSE(solution.gap);
      CHECK(solution.status == Status::settled);
      CHECK(solution.objective < objective_value(objective, x, y, flat.start_weights, 0.0));
    });
}

TEST_CASE("Newton and Lbfgs: a start that overflows ends with finite numbers", "[optimizers]") {
  const Matrix<double> x{{0.5, 1e150}};
  const Vector<double> y{{-1.0}};
  const Objective objective{Log{}, L2{1e-3}};
  const Extras<double> start{.start_weights = Vector<double>{{-5.0, 1e200}}};
  for (const bool offset : {false, true})
    for_both(offset, 0.5, [&](const std::string& name, const auto& optimizer) {
      INFO(name << " offset " << offset);
      const auto solution = optimizer.minimize(objective, x, y, start);
      CHECK(solution.status == Status::diverged);
      CHECK(solution.weights.allFinite());
      CHECK(std::isfinite(solution.offset));
    });
}

TEST_CASE("Newton and Lbfgs: a truncated run is no worse than the best constant", "[optimizers]") {
  // All counts are 3 for any x: the constant b = log 3 has loss 0.
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
      // A start that is given is used.
      Extras<double> given;
      given.start_weights = Vector<double>::Constant(3, 1e-5);
      if (iterations == 0)
        CHECK(optimizer.minimize(objective, x, y, given).weights == given.start_weights);
    });
}

TEST_CASE("Newton and Lbfgs: steps across the kinks of a loss are not convergence",
          "[optimizers]") {
  // One sample in 26 is of the other class, with a tiny weight, and the classes are separable, so
  // the minimum is 0. Near the best constant, F falls by 1e-7 before other losses become curved.
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

TEST_CASE("Newton: few columns take few passes", "[optimizers]") {
  // The columns have very different scales and nearly depend on each other. Conjugate gradients
  // need hundreds of passes.
  Matrix<double> x = synthetic::features(6000, 20, 31);
  for (Index j = 10; j < 20; ++j) x.col(j) = x.col(j - 10) + 1e-2 * x.col(j);
  for (Index j = 0; j < 20; ++j) x.col(j) *= std::pow(10.0, static_cast<double>(j % 4));
  const Vector<double> y = synthetic::signs(x, 32, 2.0);
  const SparseMatrix<double> sparse = x.sparseView();
  Extras<double> weighted;
  weighted.sample_weights = Vector<double>::LinSpaced(6000, 0, 2);
  for (const double lambda : {1e-2, 1e-4, 1e-6})
    for (const bool has_offset : {false, true})
      for (const auto& extras : {Extras<double>{}, weighted}) {
        CAPTURE(lambda, has_offset, extras.sample_weights.size());
        const Objective objective{Log{}, L2{lambda}};
        const Newton newton{.tolerance = 1e-8, .offset = has_offset};
        const auto solution = newton.minimize(objective, x, y, extras);
        CHECK(solution.status == Status::converged);
        CHECK(solution.epochs <= (lambda < 1e-3 ? 100 : 45));
        const auto proof =
            certify(objective, solution, x, y,
                    {.offset = has_offset, .sample_weights = extras.sample_weights, .epochs = 0});
        CHECK(proof.gap() <= 2e-8 * solution.objective);
        const auto agrees = [&](const Solution<double>& other) {
          CHECK(other.status == Status::converged);
          CHECK_THAT(other.objective, WithinRel(solution.objective, 2e-8));
        };
        agrees(newton.minimize(objective, sparse, y, extras));
        Extras<double> started = extras;
        started.start_weights = 0.9 * solution.weights;
        agrees(newton.minimize(objective, x, y, started));
      }
}

TEST_CASE("Newton: a misleading sample of rows costs only passes", "[optimizers]") {
  // All rows of the first subsample, one row in four, have the wrong label.
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
