// SPDX-License-Identifier: MIT
#include <linea/metrics/regression.hpp>
#include <linea/metrics/relative_errors.hpp>

#include "golden/metrics.hpp"
#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/predictions.hpp"

using namespace linea;
using namespace linea::test;

TEST_CASE("Relative errors: scikit-learn's values", "[metrics]") {
  namespace g = golden::metrics;
  const auto check = [](const g::Figures& expected, const std::vector<double>& given) {
    CHECK_THAT(root_mean_squared_error(g::estimate, g::number, given),
               WithinRel(expected.rmse, 1e-13));
    CHECK_THAT(mean_absolute_percentage_error(g::estimate, g::number, given),
               WithinRel(expected.percentage, 1e-13));
    CHECK_THAT(explained_variance(g::estimate, g::number, given),
               WithinRel(expected.explained, 1e-13));
  };
  check(g::plain, {});
  check(g::heavy, g::weights);
  CHECK_THAT(median_absolute_error(g::estimate, g::number),
             WithinRel(g::median_absolute_error, 1e-14));
}

TEST_CASE("Median absolute error: the middle by weight", "[metrics]") {
  const V zero = V::Zero(3);
  const V errors = vector({-3, 1, 2});
  CHECK(median_absolute_error(errors, zero) == 2);
  CHECK(median_absolute_error(errors, zero, vector({1, 5, 1})) == 1);
  CHECK(median_absolute_error(errors, zero, vector({2, 1, 1})) == 2.5);
  CHECK(median_absolute_error(errors, zero, vector({5, 1, 1})) == 3);
  CHECK(median_absolute_error(errors, zero, vector({0, 1, 1})) == 1.5);
  CHECK(median_absolute_error(vector({7}), vector({3})) == 4);
  CHECK(median_absolute_error(vector({7, not_a_number}), vector({3, 3}), vector({1, 0})) == 4);
}

TEST_CASE("Explained variance: a constant error costs nothing, and a constant y has none",
          "[metrics]") {
  CHECK(explained_variance(V(a.array() + 2), a) == 1);
  CHECK_THAT(explained_variance(V(b.array() + 5), a), WithinRel(explained_variance(b, a), 1e-12));
  // Of equal means it is r2.
  const V centred = b.array() - (b - a).mean();
  CHECK_THAT(explained_variance(b, a), WithinRel(r2(centred, a), 1e-12));
  const V tenth = V::Constant(3, 0.1);
  CHECK(explained_variance(tenth, V(2 * tenth)) == 1);
  CHECK(explained_variance(vector({1, 2, 3}), tenth) == 0);
}

TEST_CASE("Relative errors: the unit does not matter, be it as large or small as numbers are",
          "[metrics]") {
  const V t = vector({1, 2, 3.25, -4});
  const V p = vector({1.5, 2, 3, -3});
  for (const double unit : {0x1p-1020, 0x1p-600, 0x1p600, 0x1p1021}) {
    CAPTURE(unit);
    CHECK(explained_variance(V(unit * p), V(unit * t)) == explained_variance(p, t));
    CHECK(median_absolute_error(V(unit * p), V(unit * t)) == unit * median_absolute_error(p, t));
    CHECK(mean_absolute_percentage_error(V(unit * p), V(unit * t)) ==
          mean_absolute_percentage_error(p, t));
  }
  const V ends = vector({1.5e308, -1.5e308});
  CHECK(mean_absolute_percentage_error(V(-ends), ends) == 2);
  CHECK_THAT(explained_variance(V(-ends), ends), WithinRel(-3.0, 1e-14));
  CHECK(mean_absolute_percentage_error(vector({1e300, 1e300}), vector({1e-8, 1e-8})) ==
        Approx(1e308));
  // Infinite predictions.
  const V wrong = vector({infinity, infinity});
  CHECK(median_absolute_error(wrong, vector({1, 2})) == infinity);
  CHECK(explained_variance(wrong, vector({1, 2})) == -infinity);
}

TEST_CASE("Relative errors: refuse fractions of 0 and what is no number", "[metrics]") {
  CHECK_THROWS_WITH(mean_absolute_percentage_error(vector({1, 2}), vector({1, 0})),
                    "mean_absolute_percentage_error: y(1) is 0");
  CHECK(mean_absolute_percentage_error(vector({1, 2}), vector({1, 0}), vector({1, 0})) == 0);
  CHECK_THROWS_WITH(median_absolute_error(vector({1, not_a_number}), vector({1, 0})),
                    "median_absolute_error: prediction 1 is not a number");
  CHECK_THROWS_WITH(explained_variance(vector({1, 2}), vector({1, not_a_number})),
                    "explained_variance: y(1) is not a number");
}
