// SPDX-License-Identifier: MIT
#include <linea/metrics/brier_score.hpp>

#include "golden/metrics.hpp"
#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/predictions.hpp"

using namespace linea;
using namespace linea::test;

TEST_CASE("Brier score: scikit-learn's values, and its definition for several labels",
          "[metrics]") {
  namespace g = golden::metrics;
  const Matrix<double> table = Eigen::Map<const Matrix<double>>(g::chances.data(), 40, 3);
  const auto check = [&](const g::Figures& expected, const std::vector<double>& given) {
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
  CHECK_THROWS_WITH(brier_score(vector({0.5, not_a_number}), vector({0, 1})),
                    "brier_score: prediction 1 is not a number");
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
