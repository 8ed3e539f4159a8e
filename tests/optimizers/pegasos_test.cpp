// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <linea/losses.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/orders/cyclic.hpp>
#include <linea/penalties.hpp>
#include <linea/step_sizes.hpp>

#include "support/catch.hpp"
#include "support/minimum.hpp"
#include "support/synthetic.hpp"

namespace pegasos_test {

using namespace linea;

TEST_CASE("Pegasos: after T steps w is the sum of the violators' y·x over λT", "[optimizers]") {
  const auto x = synthetic::features(80, 6, 1);
  const auto y = synthetic::signs(x, 2);
  const double lambda = 0.05;
  const BasicPegasos<InverseLambda, Cyclic> pegasos{
      .epochs = 5, .tolerance = 0, .offset = false, .iterate = Iterate::last};
  const auto solution = pegasos.minimize(Objective{Hinge{}, L2{lambda}}, x, y);

  // This is the algorithm of the paper's figure 1 in accumulator form, without rescaling vectors.
  Vector<double> sum = Vector<double>::Zero(6);
  double t = 0;
  for (int epoch = 0; epoch < 5; ++epoch)
    for (Index i = 0; i < 80; ++i) {
      const double agreement = t > 0 ? y[i] * x.row(i).dot(sum) / (lambda * t) : 0;
      if (agreement <= 1) sum += y[i] * x.row(i);
      ++t;
    }
  REQUIRE(solution.updates == 400);
  REQUIRE((solution.weights - sum / (lambda * t)).norm() < 1e-12 * solution.weights.norm());
}

TEST_CASE("Pegasos: the average is the mean of all iterates", "[optimizers]") {
  for (const double power : {0.0, 1.0, 2.5}) {
    const auto x = synthetic::features(60, 4, 3);
    const auto y = synthetic::signs(x, 4);
    const double lambda = 0.1;
    const BasicPegasos<InverseLambda, Cyclic> pegasos{.epochs = 4,
                                                      .tolerance = 0,
                                                      .iterate = Iterate::average,
                                                      .average_from = 1,
                                                      .average_power = power};
    const auto solution = pegasos.minimize(Objective{Hinge{}, L2{lambda}}, x, y);
    Vector<double> w = Vector<double>::Zero(4);
    double b = 0;
    Vector<double> mean = Vector<double>::Zero(4);
    double mean_b = 0;
    double t = 0;
    double total = 0;
    for (int epoch = 0; epoch < 4; ++epoch)
      for (Index i = 0; i < 60; ++i) {
        ++t;
        const double agreement = y[i] * (x.row(i).dot(w) + b);
        w *= 1 - 1 / t;
        if (agreement <= 1) {
          w += y[i] / (lambda * t) * x.row(i);
          b += y[i] * std::min(1 / (lambda * t), 1 / std::sqrt(t));
        }
        total += std::pow(t, power);
        mean += (w - mean) * std::pow(t, power) / total;
        mean_b += (b - mean_b) * std::pow(t, power) / total;
      }
    REQUIRE((solution.weights - mean).norm() < 1e-12 * mean.norm());
    REQUIRE_THAT(solution.offset, WithinRel(mean_b, 1e-12));
  }
}

TEST_CASE("Pegasos: a shrink is never negative, though λ > t", "[optimizers]") {
  // With λ = 8 and η = 1/t, 1 − ηλ is −7 at t = 1. From w = 1, one step gives max(0, −7)·1 + 1 = 1.
  const BasicPegasos<InverseTime, Cyclic> pegasos{
      .epochs = 1, .offset = false, .iterate = Iterate::last};
  const auto s = pegasos.minimize(Objective{Hinge{}, L2{8}}, Matrix<double>{{1}},
                                  Vector<double>{{1}}, {.start_weights = Vector<double>{{1}}});
  CHECK(s.weights[0] == 1);
}

TEST_CASE("Pegasos: the projection keeps w in the ball of radius 1/√λ", "[optimizers]") {
  const auto x = synthetic::features(100, 5, 7);
  const auto y = synthetic::signs(x, 8);
  const Objective objective{Hinge{}, L2{1e-3}};
  auto learner = Pegasos{.project = true}.start<double>(objective, 5);
  auto free = Pegasos{}.start<double>(objective, 5);
  const double radius = 1 / std::sqrt(1e-3);
  double largest = 0, largest_free = 0;
  for (Index i = 0; i < 100; ++i) {
    learner.update(x.row(i), y[i]);
    free.update(x.row(i), y[i]);
    largest = std::max(largest, learner.solution().weights.norm());
    largest_free = std::max(largest_free, free.solution().weights.norm());
  }
  CHECK(largest <= radius * (1 + 1e-12));
  CHECK(largest > radius * (1 - 1e-12));  // without a projection the first step is 1/λ times ‖x‖
  CHECK(largest_free > 2 * radius);
  const auto one =
      Pegasos{.epochs = 1, .offset = false, .project = true, .iterate = Iterate::last}.minimize(
          Objective{Hinge{}, L2{1}}, Matrix<double>{{10}}, Vector<double>{{1}});
  CHECK_THAT(one.weights[0], WithinRel(1.0, 1e-14));
}

// Theorem 1 for projected iterates: F(mean of w) − F* ≤ c(1 + ln T)/(2λT) with c = (√λ + R)² and R
// = max ‖xᵢ‖. The theorem bounds the average of the objectives of the steps, which is F if each
// step uses all samples.
TEST_CASE("Pegasos: the averaged iterate obeys the paper's theorem 1", "[optimizers]") {
  const auto x = synthetic::features(50, 4, 9);
  const auto y = synthetic::signs(x, 10);
  const double r = x.rowwise().norm().maxCoeff();
  for (const double lambda : {1.0, 0.1, 0.01}) {
    const Objective objective{Hinge{}, L2{lambda}};
    Pegasos pegasos{.epochs = 20000, .tolerance = 0, .offset = false, .batch = 50};
    const double reference = pegasos.minimize(objective, x, y).objective;
    pegasos.project = true;
    pegasos.iterate = Iterate::average;
    pegasos.average_from = 1;
    pegasos.average_power = 0;
    const double c = std::pow(std::sqrt(lambda) + r, 2);
    for (const Index steps : {1, 10, 100, 1000}) {
      pegasos.epochs = steps;
      const auto t = static_cast<double>(steps);
      CHECK(pegasos.minimize(objective, x, y).objective - reference <=
            c * (1 + std::log(t)) / (2 * lambda * t));
    }
  }
}

TEST_CASE("Pegasos: λ = 0 is refused", "[optimizers]") {
  const auto x = synthetic::features(10, 2, 1);
  const auto y = synthetic::signs(x, 2);
  CHECK_THROWS_WITH(Pegasos{}.minimize(Objective{Hinge{}, L2{0}}, x, y),
                    "Pegasos::minimize: lambda = 0 but the step 1/(lambda t) needs lambda > 0: "
                    "pass L2{lambda}, or take Sgd");
  const Pegasos projected{.project = true};
  CHECK_THROWS_WITH(projected.minimize(Objective{Hinge{}, ElasticNet{0.1, 0.1}}, x, y),
                    ContainsSubstring("projection needs an L2 penalty"));
  CHECK_THROWS_WITH(projected.start<double>(Objective{Squared{}, L2{0.1}}, 2),
                    ContainsSubstring("projection needs targets -1 and +1"));
}

TEST_CASE("Pegasos: a last iterate far above the start is not returned", "[optimizers]") {
  const Pegasos pegasos{.epochs = 1, .offset = false, .iterate = Iterate::last};
  const auto s =
      pegasos.minimize(Objective{Hinge{}, L2{0.01}}, Matrix<double>{{1}}, Vector<double>{{1}});
  CHECK(s.status == Status::diverged);
  CHECK(s.iterate == Iterate::best);
  CHECK(s.weights[0] == 0);
}

TEST_CASE("Pegasos: losses with growing slopes begin with a safe step", "[optimizers]") {
  const auto x = synthetic::features(300, 6, 4);
  const auto numbers = synthetic::numbers(x, 5);
  const auto signs = synthetic::signs(x, 6);
  const Pegasos pegasos{.epochs = 500, .tolerance = 0};
  for (const double lambda : {1.0, 0.1, 0.01, 1e-3}) {
    CAPTURE(lambda);
    const Objective squared{Squared{}, L2{lambda}};
    CHECK_THAT(pegasos.minimize(squared, x, numbers).objective,
               WithinRel(test::least_squares_minimum(x, numbers, lambda).objective, 0.01));
    CHECK(Pegasos{}.minimize(squared, Matrix<double>(100 * x), numbers).status != Status::diverged);
    const Objective hinged{SquaredHinge{}, L2{lambda}};
    CHECK_THAT(pegasos.minimize(hinged, x, signs).objective,
               WithinRel(Newton{}.minimize(hinged, x, signs).objective, 0.01));
  }
}

namespace {

/// The squared hinge loss as a loss of a user, without a curvature bound.
struct OwnSquaredHinge {
  template <class T>
  T value(T score, T target) const {
    return SquaredHinge{}.value(score, target);
  }
  template <class T>
  T derivative(T score, T target) const {
    return SquaredHinge{}.derivative(score, target);
  }
};
static_assert(!SmoothLoss<OwnSquaredHinge>);

}  // namespace

TEST_CASE("Pegasos: a loss without a curvature bound begins with a safe step too", "[optimizers]") {
  const auto x = synthetic::features(300, 6, 4);
  const auto y = synthetic::signs(x, 6);
  for (const double lambda : {0.01, 1e-3}) {
    CAPTURE(lambda);
    const auto told = Pegasos{}.minimize(Objective{SquaredHinge{}, L2{lambda}}, x, y);
    const auto own = Pegasos{}.minimize(Objective{OwnSquaredHinge{}, L2{lambda}}, x, y);
    CHECK(own.status != Status::diverged);
    CHECK_THAT(own.objective, WithinRel(told.objective, 1e-9));
  }
}

TEST_CASE("Pegasos: the first step ignores targets of weight 0", "[optimizers]") {
  const auto x = synthetic::features(40, 3, 4);
  Vector<double> y = synthetic::numbers(x, 5), weights = Vector<double>::Ones(40);
  const Objective objective{Squared{}, L2{1e-3}};
  CHECK(Pegasos{}.minimize(objective, x, Vector<double>(y.array() + 2e9)).status !=
        Status::diverged);
  y[0] = 1e30;
  weights[0] = 0;
  CHECK(Pegasos{}.minimize(objective, x, y, weights).status != Status::diverged);
}

TEST_CASE("Pegasos: heavy samples begin with a safe step", "[optimizers]") {
  const auto x = synthetic::features(200, 3, 4);
  const auto numbers = synthetic::numbers(x, 5);
  const Vector<double> signs = synthetic::signs(x, 6);
  Vector<double> weights = Vector<double>::Ones(200);
  weights[3] = 3000;
  const auto check = [&](const Pegasos& pegasos, const auto& objective, const Vector<double>& y) {
    const auto found = pegasos.minimize(objective, x, y, weights);
    CHECK(found.status != Status::diverged);
    CHECK(found.objective < 1.5 * Newton{}.minimize(objective, x, y, weights).objective);
  };
  for (const Index batch : {1, 8}) {
    const Pegasos pegasos{.epochs = 200 * batch, .tolerance = 0, .batch = batch};
    check(pegasos, Objective{Squared{}, L2{0.01}}, numbers);
    check(pegasos, Objective{SquaredHinge{}, L2{0.01}}, signs);
  }
  // Here λ = ½, L = 1, and the weights of mean 1 are ½ and 3/2: R² = max(½·(9 + 1), 3/2·(4 + 1)).
  const auto two =
      Pegasos{.epochs = 1}.minimize(Objective{Squared{}, L2{0.5}}, Matrix<double>{{3}, {2}},
                                    Vector<double>{{1, 0}}, Vector<double>{{1, 3}});
  CHECK_THAT(two.first_step, WithinRel(1 / (0.5 + 7.5), 1e-14));
}

TEST_CASE("Pegasos: a diverged run has F of the samples as stored", "[optimizers]") {
  Matrix<double> x(3, 3);
  x << 0.000363044, -1.23786e+11, 0.133288, 0.000558669, -1.23792e+11, 0.014601, 0.000486203,
      -1.23779e+11, 0.0900755;
  const Vector<double> y = Vector<double>::Ones(3);
  const double lambda = 9.77335e+06;
  const auto s = Pegasos{.epochs = 10}.minimize(Objective{Hinge{}, L2{lambda}}, x, y);
  REQUIRE(s.status == Status::diverged);
  REQUIRE(s.weights.norm() > 0);
  double f = lambda / 2 * s.weights.squaredNorm();
  for (Index i = 0; i < 3; ++i) f += std::max(1 - x.row(i).dot(s.weights) - s.offset, 0.0) / 3;
  CHECK_THAT(s.objective, WithinRel(f, 1e-9));
}

}  // namespace pegasos_test
