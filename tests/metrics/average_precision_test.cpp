// SPDX-License-Identifier: MIT
#include <linea/metrics/average_precision.hpp>

#include "golden/metrics.hpp"
#include "support/catch.hpp"
#include "support/predictions.hpp"

using namespace linea;
using namespace linea::test;

TEST_CASE("Average precision: scikit-learn's values", "[metrics]") {
  namespace g = golden::metrics;
  const Matrix<double> scores = Eigen::Map<const Matrix<double>>(g::scores.data(), 40, 3);
  const auto check = [&](const g::Figures& expected, const std::vector<double>& given) {
    CHECK_THAT(average_precision(scores.col(2), g::y, 5, given),
               WithinRel(expected.average_precision, 1e-13));
    CHECK_THAT(average_precision(scores, g::y, g::labels, Average::macro, given),
               WithinRel(expected.average_precision_macro, 1e-13));
    CHECK_THAT(average_precision(scores, g::y, g::labels, Average::weighted, given),
               WithinRel(expected.average_precision_weighted, 1e-13));
  };
  check(g::plain, {});
  check(g::heavy, g::weights);
}

TEST_CASE("Average precision: by hand", "[metrics]") {
  // Ranked: positive, negative, positive: 1/2·1 + 1/2·2/3.
  CHECK_THAT(average_precision(vector({3, 2, 1}), vector({1, 0, 1})), WithinRel(5.0 / 6, 1e-15));
  // All scores equal: the fraction of positives, as for guessing.
  CHECK(average_precision(vector({2, 2, 2, 2}), vector({1, 0, 0, 0})) == 0.25);
  CHECK(average_precision(vector({1, 2, 3}), vector({0, 1, 1})) == 1);
  CHECK(average_precision(vector({1, 2, 3}), V(V::Ones(3)), 1) == 1);
}

TEST_CASE("Average precision: refuses a label that is not there", "[metrics]") {
  CHECK_THROWS_WITH(average_precision(chances, V(V::Zero(8)), 1),
                    "average_precision: no sample has the label 1");
  Matrix<double> both(8, 2);
  both << -chances, chances;
  CHECK_THROWS_WITH(average_precision(both, V(V::Zero(8)), vector({0, 1})),
                    "average_precision: no sample has the label 1");
  CHECK(average_precision(both, V(V::Zero(8)), vector({0, 1}), Average::weighted) == 1);
  CHECK_THROWS_WITH(average_precision(both, positive, vector({0, 1}), Average::micro),
                    "average_precision: there is no micro average of rankings");
}
