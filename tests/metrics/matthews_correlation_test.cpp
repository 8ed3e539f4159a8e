// SPDX-License-Identifier: MIT
#include <linea/metrics/matthews_correlation.hpp>

#include "golden/metrics.hpp"
#include "support/catch.hpp"
#include "support/predictions.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using namespace linea::test;

TEST_CASE("Matthews correlation: scikit-learn's values", "[metrics]") {
  namespace g = golden::metrics;
  const auto is_five = [](const std::vector<double>& v) {
    return V((metrics::doubles_of(v).array() == 5).cast<double>());
  };
  const auto check = [&](const g::Figures& expected, const std::vector<double>& given) {
    CHECK_THAT(matthews_correlation(g::predicted, g::y, given),
               WithinRel(expected.matthews, 1e-13));
    CHECK_THAT(matthews_correlation(is_five(g::predicted), is_five(g::y), given),
               WithinRel(expected.matthews_of_five, 1e-13));
  };
  check(g::plain, {});
  check(g::heavy, g::weights);
}

TEST_CASE("Matthews correlation: of two labels, that of the numbers", "[metrics]") {
  const auto x = synthetic::features(60, 1, 3);
  const V truth = synthetic::signs(x, 4);
  const V guess = synthetic::signs(x, 4, 1.5);
  const V p = guess.array() - guess.mean();
  const V t = truth.array() - truth.mean();
  CHECK_THAT(matthews_correlation(guess, truth), WithinRel(p.dot(t) / p.norm() / t.norm(), 1e-13));
  CHECK_THAT(matthews_correlation(V(-guess), truth),
             WithinRel(-matthews_correlation(guess, truth), 1e-13));
}

TEST_CASE("Matthews correlation: 1 at best, 0 for a constant, refused for a constant y",
          "[metrics]") {
  CHECK_THAT(matthews_correlation(y, y), WithinRel(1.0, 1e-14));
  CHECK(matthews_correlation(y, y) <= 1);
  CHECK(matthews_correlation(V::Ones(3), vector({1, 2, 2}), vector({0.1, 0.2, 0.3})) == 0);
  CHECK(matthews_correlation(V(V::Constant(8, 7)), y) == 0);
  CHECK_THROWS_WITH(matthews_correlation(y, V(V::Ones(8))),
                    "matthews_correlation: y has one label only");
  CHECK_THROWS_WITH(matthews_correlation(vector({1, 2, 1}), vector({1, 1, 2}), vector({1, 1, 0})),
                    "matthews_correlation: y has one label only");
}
