// SPDX-License-Identifier: MIT
/// \file Tests what the lectures state about the perceptron: svm-and-pegasos, section 3;
/// empirical-risk-and-sgd, equations (1)–(2); parametric-models, section 5;
/// linear-and-logistic-learners, section 7.3.2.
#include <linea/core/extras.hpp>
#include <linea/metrics/margins.hpp>
#include <linea/optimizers/perceptron.hpp>

#include "support/catch.hpp"
#include "support/separable.hpp"
#include "support/synthetic.hpp"

using namespace linea;

TEST_CASE(
    "Lectures: the perceptron on ±1, in order, from zero, makes at most (R/γ)² mistakes on "
    "separable data and stops at zero training error",
    "[lectures]") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto set =
        synthetic::separable(10 + static_cast<Index>(seed), 1 + static_cast<Index>(seed % 12),
                             seed % 2 ? 0.02 : 0.3, seed);
    Index counted = 0;
    const auto solution = Perceptron{.epochs = 1000000}.fit(
        set.x, set.y, [&](const Progress& progress) { counted += progress.mistakes; });
    REQUIRE(static_cast<double>(solution.mistakes) <= std::pow(set.radius / set.margin, 2));
    REQUIRE(solution.mistakes == counted);
    REQUIRE(solution.status == Status::converged);
    REQUIRE(solution.objective == 0);
    REQUIRE(margins(solution, set.x, set.y).smallest > 0);
  }
}

TEST_CASE("Lectures: the perceptron does not settle on data that are not separable, and says so",
          "[lectures]") {
  const auto x = synthetic::features(50, 2, 1);
  auto y = synthetic::signs(x, 2, 0);
  y[3] = -y[3];
  Matrix<double> doubled(51, 2);  // one sample is in both classes, so the data are inseparable
  doubled << x, x.row(0);
  Vector<double> both(51);
  both << y, -y[0];
  const auto solution = Perceptron{.epochs = 2000}.fit(doubled, both);
  REQUIRE(solution.status == Status::epoch_limit);
  REQUIRE(solution.epochs == 2000);
  REQUIRE(solution.mistakes >= 2000);
  REQUIRE(solution.objective > 0);
}

TEST_CASE(
    "Lectures: the perceptron on {0, 1} with the hard threshold, learning rate 1 and a random "
    "small start finds the same separators, and answers 1 at score 0",
    "[lectures]") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto set = synthetic::separable(40, 3, 0.1, seed);
    const Vector<double> bits = (set.y.array() + 1) / 2;
    const auto start = random_start<double>(3, seed);
    REQUIRE(ThresholdPerceptron{}.learning_rate == 1);
    const auto solution = ThresholdPerceptron{.epochs = 100000}.fit(set.x, bits, start);
    const auto signs = Perceptron{.epochs = 100000}.fit(set.x, set.y, start);
    REQUIRE(solution.status == Status::converged);
    REQUIRE(solution.objective == 0);
    REQUIRE(solution.weights == signs.weights);  // from a random start no score is 0
    REQUIRE(solution.offset == signs.offset);
  }
  // A score of 0 predicts 1, so with targets {0, 1} the target 1 is correct and the target 0 is a
  // mistake. With targets ±1, both are mistakes.
  const Matrix<double> x = Matrix<double>::Ones(1, 1);
  REQUIRE(ThresholdPerceptron{.epochs = 1}.fit(x, Vector<double>{{1}}).mistakes == 0);
  REQUIRE(ThresholdPerceptron{.epochs = 1}.fit(x, Vector<double>{{0}}).weights[0] == -1);
  REQUIRE(Perceptron{.epochs = 1}.fit(x, Vector<double>{{1}}).weights[0] == 1);
  REQUIRE(Perceptron{.epochs = 1}.fit(x, Vector<double>{{-1}}).weights[0] == -1);
}
