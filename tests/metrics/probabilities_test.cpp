// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <linea/losses/log.hpp>
#include <linea/metrics/probabilities.hpp>

#include "golden/metrics.hpp"
#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/predictions.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using namespace linea::test;

namespace likelihood_test {

namespace {

struct Draw {
  V chances;
  V y;  // of 0 and 1
  V weights;
};
Draw draw(Index n, std::uint64_t seed) {
  Random random(seed);
  Draw result{V(n), V(n), V(n)};
  for (Index i = 0; i < n; ++i) {
    result.chances[i] = random.uniform();
    result.y[i] = random.uniform() < result.chances[i] ? 1 : 0;
    result.weights[i] = static_cast<double>(random.below(4));
  }
  result.weights[0] = 1;
  return result;
}

}  // namespace

TEST_CASE("Likelihood: the product of the probabilities of the true labels", "[metrics]") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto [q, y, weights] = draw(15, seed);
    double plain = 1;
    double weighted = 1;
    for (Index i = 0; i < 15; ++i) {
      // The lectures' form: f^y·(1 − f)^(1 − y).
      const double chance = std::pow(q[i], y[i]) * std::pow(1 - q[i], 1 - y[i]);
      plain *= chance;
      weighted *= std::pow(chance, weights[i]);
    }
    CHECK_THAT(likelihood(q, y), WithinRel(plain, 1e-13));
    CHECK_THAT(likelihood(q, y, 1, weights), WithinRel(weighted, 1e-13));
    CHECK_THAT(log_likelihood(q, y), WithinRel(std::log(plain), 1e-13));
    CHECK_THAT(log_likelihood(q, y, 1, weights), WithinRel(std::log(weighted), 1e-13));
  }
}

TEST_CASE("Log-likelihood: minus the log loss times the number of samples, or the sum of Log",
          "[metrics]") {
  const auto [q, y, weights] = draw(500, 1);
  CHECK_THAT(log_likelihood(q, y), WithinRel(-500 * log_loss(q, y), 1e-13));
  CHECK_THAT(log_likelihood(q, y, 1, weights),
             WithinRel(-weights.sum() * log_loss(q, y, 1, weights), 1e-13));
  double sum = 0;
  for (Index i = 0; i < 500; ++i) sum += Log{}.value(std::log(q[i] / (1 - q[i])), 2 * y[i] - 1);
  CHECK_THAT(log_likelihood(q, y), WithinRel(-sum, 1e-12));
}

TEST_CASE("Likelihood: any label may be the positive one, and all that are not it are one",
          "[metrics]") {
  const auto [q, y, weights] = draw(30, 3);
  CHECK(log_likelihood(q, V(8 * y), 8) == log_likelihood(q, y));
  CHECK_THAT(likelihood(V::Constant(3, 0.75), Eigen::Vector3i(1, 2, 5), 2),
             WithinRel(0.75 / 16, 1e-14));
  CHECK_THAT(likelihood(Eigen::RowVector2f(0.5F, 0.25F), Eigen::Array2i(1, 0)),
             WithinRel(0.375, 1e-14));
}

TEST_CASE("Likelihood: underflows where its logarithm does not", "[metrics]") {
  const V half = V::Constant(2000, 0.5);
  CHECK(likelihood(half, V::Ones(2000), 1) == 0);
  CHECK_THAT(log_likelihood(half, V::Ones(2000), 1), WithinRel(-2000 * std::log(2.0), 1e-12));
  CHECK(log_likelihood(V::Zero(2), V::Ones(2), 1) == -infinity);
  CHECK(likelihood(V::Zero(2), V::Ones(2), 1) == 0);
  CHECK(likelihood(V::Ones(2), V::Ones(2), 1) == 1);
  // The label that had no chance is not there.
  CHECK(log_likelihood(Eigen::Vector2d(0, 0.5), V::Ones(2), 1, Eigen::Vector2d(0, 1)) ==
        std::log(0.5));
}

TEST_CASE("Likelihood: refuses what is no probability", "[metrics]") {
  const Eigen::Vector2d q(0.5, 1.25);
  CHECK_THROWS_WITH(likelihood(q, V::Ones(2), 1),
                    "likelihood: probability 1 is 1.25, which is outside [0, 1]");
  CHECK_THROWS_WITH(log_likelihood(-q, V::Ones(2), 1),
                    "log_likelihood: probability 0 is -0.5, which is outside [0, 1]");
}

TEST_CASE("Log loss: of two labels in two columns, that of one", "[metrics]") {
  const auto [q, y, weights] = draw(30, 4);
  Matrix<double> both(30, 2);
  both << q, (1 - q.array()).matrix();
  CHECK_THAT(log_loss(both, y, Eigen::Vector2d(1, 0), weights),
             WithinRel(log_loss(q, y, 1, weights), 1e-12));
  both.row(0) << 1 - y[0], y[0];  // certain, and wrong
  CHECK(log_loss(both, y, Eigen::Vector2d(1, 0)) == infinity);
}

TEST_CASE("Log loss: of several labels, refuses what is no probability", "[metrics]") {
  Matrix<double> q(2, 2);
  q << 0.5, 0.5, 0.75, 0.5;
  CHECK_THROWS_WITH(log_loss(q, Eigen::Vector2d(0, 1), Eigen::Vector2d(0, 1)),
                    "log_loss: the probabilities of a sample sum to 1.25 instead of 1");
  CHECK_THROWS_WITH(log_loss(q, Eigen::Vector2d(0, 2), Eigen::Vector2d(0, 1)),
                    "log_loss: y(1) = 2 is none of the 2 labels");
}

}  // namespace likelihood_test

TEST_CASE("Log loss and Brier score: scikit-learn's values, and the definition for several labels",
          "[metrics]") {
  namespace g = golden::metrics;
  const Matrix<double> table = Eigen::Map<const Matrix<double>>(g::chances.data(), 40, 3);
  const auto check = [&](const g::Figures& expected, const std::vector<double>& given) {
    CHECK_THAT(log_loss(table, g::y, g::labels, given), WithinRel(expected.log_loss, 1e-13));
    CHECK_THAT(brier_score(table.col(2), g::y, 5, given), WithinRel(expected.brier_of_five, 1e-13));
    CHECK_THAT(brier_score(table, g::y, g::labels, given), WithinRel(expected.brier, 1e-13));
  };
  check(g::plain, {});
  check(g::heavy, g::weights);
}

TEST_CASE("Brier score: of two labels in two columns, twice that of one", "[metrics]") {
  Matrix<double> both(8, 2);
  both << (1 - chances.array()).matrix(), chances;
  CHECK_THAT(brier_score(both, positive, vector({0, 1}), s),
             WithinRel(2 * brier_score(chances, positive, 1, s), 1e-13));
  CHECK(brier_score(positive, positive) == 0);
  CHECK(brier_score(V(1 - positive.array()), positive) == 1);
}

TEST_CASE("Brier score: refuses what is no probability", "[metrics]") {
  CHECK_THROWS_WITH(brier_score(vector({0.5, 1.25}), vector({0, 1})),
                    "brier_score: probability 1 is 1.25, which is outside [0, 1]");
  const V truth = vector({3, 4});
  const V labels = vector({3, 4});
  const Matrix<double> outside = (Matrix<double>(2, 2) << 0.5, 0.5, 1.25, -0.25).finished();
  CHECK_THROWS_WITH(brier_score(outside, truth, labels),
                    "brier_score: a probability of label 3 is 1.25, which is outside [0, 1]");
  const Matrix<double> less = (Matrix<double>(2, 2) << 0.5, 0.5, 0.25, 0.25).finished();
  CHECK_THROWS_WITH(brier_score(less, truth, labels),
                    "brier_score: the probabilities of a sample sum to 0.5 instead of 1");
  CHECK(brier_score(less, truth, labels, vector({1, 0})) == 0.5);
}
