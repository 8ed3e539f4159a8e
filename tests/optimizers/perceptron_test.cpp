// SPDX-License-Identifier: MIT
#include <linea/optimizers/perceptron.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

namespace {

struct Separable {
  Matrix<double> x;
  Vector<double> y;
  double radius{0};  // max ‖(x, 1)‖
  double margin{0};  // of one separator of norm 1 over (w, b), not the best
};

/// Points on both sides of a random hyperplane, none nearer to it than `gap`.
Separable separable(Index n, Index d, double gap, std::uint64_t seed) {
  Random random(seed);
  Vector<double> u(d + 1);
  for (double& value : u) value = synthetic::normal(random);
  u.normalize();
  Separable set{Matrix<double>(n, d), Vector<double>(n), 0, 1e300};
  for (Index i = 0; i < n;) {
    for (Index j = 0; j < d; ++j) set.x(i, j) = synthetic::normal(random);
    const double score = set.x.row(i).dot(u.head(d)) + u[d];
    if (std::abs(score) < gap) continue;
    set.y[i] = score > 0 ? 1 : -1;
    set.margin = std::min(set.margin, std::abs(score));
    set.radius = std::max(set.radius, std::sqrt(set.x.row(i).squaredNorm() + 1));
    ++i;
  }
  return set;
}

}  // namespace

TEST_CASE("Perceptron: makes at most (R/γ)² mistakes on separable data, and then none",
          "[optimizers]") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto set = separable(20 + static_cast<Index>(seed) * 5, 2 + static_cast<Index>(seed % 9),
                               seed % 2 ? 0.05 : 0.3, seed);
    const auto solution = Perceptron{.epochs = 100000}.fit(set.x, set.y);
    REQUIRE(solution.status == Status::converged);
    REQUIRE(solution.objective == 0);
    REQUIRE(static_cast<double>(solution.mistakes) <= std::pow(set.radius / set.margin, 2));
    REQUIRE(((set.x * solution.weights).array() + solution.offset)
                .cwiseProduct(set.y.array())
                .minCoeff() > 0);
  }
}

TEST_CASE("Perceptron: its steps are those of the textbook", "[optimizers]") {
  Matrix<double> x(3, 2);
  x << 1, 0, 0, 1, 1, 1;
  Vector<double> y(3);
  y << 1, -1, 1;
  // By hand: (1,0)+: score 0 is a mistake, w = (1,0), b = 1. (0,1)-: 1, mistake, w = (1,-1), b = 0.
  // (1,1)+: 0, mistake, w = (2,0), b = 1.
  const auto one = Perceptron{.epochs = 1}.fit(x, y);
  REQUIRE(one.weights == Eigen::Vector2d(2, 0));
  REQUIRE(one.offset == 1);
  REQUIRE(one.mistakes == 3);
  REQUIRE(one.updates == 3);
  REQUIRE(one.status == Status::epoch_limit);
  // Averaged: the mean of (1,0), (1,-1), (2,0) and of 1, 0, 1.
  const auto averaged = Perceptron{.epochs = 1, .average = true}.fit(x, y);
  REQUIRE_THAT(averaged.weights[0], WithinRel(4.0 / 3, 1e-15));
  REQUIRE_THAT(averaged.weights[1], WithinRel(-1.0 / 3, 1e-15));
  REQUIRE_THAT(averaged.offset, WithinRel(2.0 / 3, 1e-15));
  REQUIRE(averaged.iterate == Iterate::average);
}

TEST_CASE("Perceptron: without offset it stays zero, and lines through the origin are found",
          "[optimizers]") {
  const auto x = synthetic::features(50, 3, 4);
  const Vector<double> y =
      (x * Eigen::Vector3d(1, -2, 0.5)).unaryExpr([](double s) { return s > 0 ? 1.0 : -1.0; });
  const auto solution = Perceptron{.epochs = 10000, .offset = false}.fit(x, y);
  REQUIRE(solution.status == Status::converged);
  REQUIRE(solution.offset == 0);
}

TEST_CASE("Perceptron: xor is never separated, and says so", "[optimizers]") {
  Matrix<double> x(4, 2);
  x << 0, 0, 0, 1, 1, 0, 1, 1;
  const Eigen::Vector4d y(-1, 1, 1, -1);
  const auto solution = Perceptron{.epochs = 500}.fit(x, y);
  REQUIRE(solution.status == Status::epoch_limit);
  REQUIRE(solution.epochs == 500);
  REQUIRE(solution.objective >= 0.25);
}

TEST_CASE("Perceptron: weight k equals k repeats of the sample, plain and averaged, bit for bit",
          "[optimizers]") {
  const auto x = synthetic::features(40, 5, 8);
  const auto y = synthetic::signs(x, 9, 1.0);
  Random random(10);
  Eigen::VectorXi counts(40);
  for (int& count : counts) count = static_cast<int>(random.below(5));
  const auto xs = synthetic::repeated(x, counts);
  const auto ys = synthetic::repeated(y, counts);
  for (const bool average : {false, true}) {
    const Perceptron perceptron{.epochs = 7, .average = average};
    const auto weighted = perceptron.fit(x, y, {.sample_weights = counts.cast<double>()});
    const auto repeated = perceptron.fit(xs, ys);
    REQUIRE(weighted.weights == repeated.weights);
    REQUIRE(weighted.offset == repeated.offset);
    REQUIRE(weighted.mistakes == repeated.mistakes);
    REQUIRE_THAT(weighted.objective, WithinRel(repeated.objective, 1e-14));
    auto by_epoch = perceptron.start<double>(5);
    auto by_sample = perceptron.start<double>(5);
    for (int epoch = 0; epoch < 7; ++epoch) {
      by_epoch.epoch(x, y, counts.cast<double>());
      for (Index i = 0; i < x.rows(); ++i) by_sample.update(x.row(i), y[i], counts[i]);
    }
    REQUIRE(by_epoch.solution().weights == repeated.weights);
    REQUIRE(by_sample.solution().weights == repeated.weights);
  }
}

TEST_CASE("Perceptron: k epochs at once equal k calls of one epoch, online too", "[optimizers]") {
  const auto x = synthetic::features(60, 4, 2);
  const auto y = synthetic::signs(x, 3, 1.0);
  for (const bool average : {false, true}) {
    const Perceptron perceptron{.epochs = 5, .average = average};
    const auto fitted = perceptron.fit(x, y);
    auto by_epoch = perceptron.start<double>(4);
    auto by_sample = perceptron.start<double>(4);
    for (int epoch = 0; epoch < 5; ++epoch) {
      by_epoch.epoch(x, y);
      for (Index i = 0; i < x.rows(); ++i) by_sample.update(x.row(i), y[i]);
    }
    REQUIRE(by_epoch.solution().weights == fitted.weights);
    REQUIRE(by_sample.solution().weights == fitted.weights);
    REQUIRE(by_sample.solution().offset == fitted.offset);
    REQUIRE(by_sample.mistakes() == fitted.mistakes);
  }
}
