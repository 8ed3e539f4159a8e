// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/metrics/probabilities.hpp>

#include "golden/metrics.hpp"
#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/predictions.hpp"

namespace probabilities_test {

using namespace linea;
using namespace linea::test;

TEST_CASE(
    "Log loss and Brier score: agree with scikit-learn, and the definition for several labels",
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

// tests/lectures/parametric_models_test.cpp tests the product of the probabilities.
TEST_CASE("Likelihood: underflows where its logarithm does not", "[metrics]") {
  // All labels except the positive one are treated as one label.
  CHECK_THAT(likelihood(V::Constant(3, 0.75), Eigen::Vector3i(1, 2, 5), 2),
             WithinRel(0.75 / 16, 1e-14));
  const V half = V::Constant(2000, 0.5);
  CHECK(likelihood(half, V::Ones(2000), 1) == 0);
  CHECK_THAT(log_likelihood(half, V::Ones(2000), 1), WithinRel(-2000 * std::log(2.0), 1e-12));
  CHECK(log_likelihood(V::Zero(2), V::Ones(2), 1) == -infinity);
  CHECK(likelihood(V::Zero(2), V::Ones(2), 1) == 0);
  CHECK(likelihood(V::Ones(2), V::Ones(2), 1) == 1);
  // The sample whose label has probability 0 is ignored, because its weight is 0.
  CHECK(log_likelihood(vector({0, 0.5}), V::Ones(2), 1, vector({0, 1})) == std::log(0.5));
}

TEST_CASE("Log loss and Brier score: two columns of two labels equal one, also at 0 and 1",
          "[metrics]") {
  Matrix<double> both(8, 2);
  both << (1 - chances.array()).matrix(), chances;
  CHECK_THAT(log_loss(both, positive, vector({0, 1}), s),
             WithinRel(log_loss(chances, positive, 1, s), 1e-12));
  CHECK_THAT(brier_score(both, positive, vector({0, 1}), s),
             WithinRel(2 * brier_score(chances, positive, 1, s), 1e-13));
  CHECK_THAT(log_loss(V(1 - chances.array()), positive, 0),
             // Computing 1 − (1 − q) loses digits of q.
             WithinRel(log_loss(chances, positive), 1e-12));
  CHECK(log_loss(vector({1, 0}), vector({1, 0})) == 0);
  CHECK(log_loss(vector({0, 0}), vector({1, 0})) == infinity);
  both.row(0) << positive[0], 1 - positive[0];  // a prediction that is certain, and wrong
  CHECK(log_loss(both, positive, vector({0, 1})) == infinity);
  CHECK(brier_score(positive, positive) == 0);
  CHECK(brier_score(V(1 - positive.array()), positive) == 1);
}

TEST_CASE("Probabilities: refused outside of 0 to 1, and if they do not sum to 1", "[metrics]") {
  const V q = vector({0.5, 1.25}), truth = vector({3, 4});
  CHECK_THROWS_WITH(log_loss(q, truth), "log_loss: probability 1 is 1.25, which is outside [0, 1]");
  CHECK_THROWS_WITH(likelihood(q, truth),
                    "likelihood: probability 1 is 1.25, which is outside [0, 1]");
  CHECK_THROWS_WITH(log_likelihood(V(-q), truth),
                    "log_likelihood: probability 0 is -0.5, which is outside [0, 1]");
  CHECK_THROWS_WITH(brier_score(q, truth),
                    "brier_score: probability 1 is 1.25, which is outside [0, 1]");
  const Matrix<double> less{{0.5, 0.5}, {0.25, 0.25}}, outside{{0.5, 0.5}, {1.25, -0.25}};
  CHECK_THROWS_WITH(log_loss(less, truth, truth),
                    "log_loss: the probabilities of a sample sum to 0.5 instead of 1");
  CHECK_THROWS_WITH(brier_score(less, truth, truth),
                    "brier_score: the probabilities of a sample sum to 0.5 instead of 1");
  CHECK(brier_score(less, truth, truth, vector({1, 0})) == 0.5);
  CHECK_THROWS_WITH(brier_score(outside, truth, truth),
                    "brier_score: a probability of label 3 is 1.25, which is outside [0, 1]");
  CHECK_THROWS_WITH(log_loss(less, vector({3, 2}), truth),
                    "log_loss: y(1) = 2 is none of the 2 labels");
}

}  // namespace probabilities_test
