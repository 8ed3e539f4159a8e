// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/metrics/regression.hpp>

#include "golden/metrics.hpp"
#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/predictions.hpp"

namespace regression_test {

using namespace linea;
using namespace linea::test;

namespace {

constexpr double rounding = 1e-14;  // relative rounding error of tens of additions

}  // namespace

TEST_CASE("Relative errors: agree with scikit-learn", "[metrics]") {
  namespace g = golden::metrics;
  const auto check = [](const g::Figures& expected, const std::vector<double>& given) {
    const auto& p = g::estimate;
    CHECK_THAT(root_mean_squared_error(p, g::number, given), WithinRel(expected.rmse, 1e-13));
    CHECK_THAT(mean_absolute_percentage_error(p, g::number, given),
               WithinRel(expected.percentage, 1e-13));
    CHECK_THAT(explained_variance(p, g::number, given), WithinRel(expected.explained, 1e-13));
  };
  check(g::plain, {});
  check(g::heavy, g::weights);
  CHECK_THAT(median_absolute_error(g::estimate, g::number),
             WithinRel(g::median_absolute_error, rounding));
}

TEST_CASE("R2 and explained variance: 1 at best, 0 for the mean, and 1 or 0 if y is constant",
          "[metrics]") {
  CHECK(r2(a, a) == 1);
  CHECK_THAT(r2(V::Constant(8, a.mean()), a), WithinAbs(0, rounding));
  // The rounded mean is not 0.1, and the rounded variance is not 0.
  const V constant = V::Constant(3, 0.1);
  CHECK(r2(constant, constant) == 1);
  CHECK(r2(vector({0.1, 0.1, 0.2}), constant) == 0);
  CHECK(r2(vector({7}), vector({7})) == 1);
  CHECK(r2(vector({5, 0.1, 0.2}), vector({9, 0.1, 0.1}), vector({0, 1, 3})) == 0);
  // A constant error does not affect the explained variance. For equal means the explained variance
  // is r2.
  CHECK(explained_variance(V(a.array() + 2), a) == 1);
  CHECK_THAT(explained_variance(V(b.array() + 5), a), WithinRel(explained_variance(b, a), 1e-12));
  const V centred = b.array() - (b - a).mean();
  CHECK_THAT(explained_variance(b, a), WithinRel(r2(centred, a), 1e-12));
  CHECK(explained_variance(constant, V(2 * constant)) == 1);
  CHECK(explained_variance(vector({1, 2, 3}), constant) == 0);
}

TEST_CASE("Regression metrics: the unit does not matter", "[metrics]") {
  const V y = vector({1, 2, 3.25, -4}), p = vector({1.5, 2, 3, -3}), w = vector({1, 2, 1, 4});
  for (const double unit : {0x1p-480, 0x1p-100, 0x1p100, 0x1p480}) {
    CAPTURE(unit);
    const V far_y = unit * y, far_p = unit * p;
    CHECK(r2(far_p, far_y, w) == r2(p, y, w));
    CHECK(root_mean_squared_error(far_p, far_y, w) == unit * root_mean_squared_error(p, y, w));
    CHECK(mean_absolute_error(far_p, far_y, w) == unit * mean_absolute_error(p, y, w));
    CHECK(mean_squared_error(far_p, far_y, w) == unit * (unit * mean_squared_error(p, y, w)));
    CHECK(explained_variance(far_p, far_y) == explained_variance(p, y));
    CHECK(median_absolute_error(far_p, far_y) == unit * median_absolute_error(p, y));
    CHECK(mean_absolute_percentage_error(far_p, far_y) == mean_absolute_percentage_error(p, y));
  }
}

TEST_CASE("Regression metrics: refuse targets out of range", "[metrics]") {
  const V p = vector({1, 2});
  CHECK_THROWS_WITH(r2(p, vector({1, -1e200})), "r2: y(1) is -1e+200" + above);
  CHECK_THROWS_WITH(mean_squared_error(p, vector({0, 1e-200})),
                    "mean_squared_error: the largest magnitude of y is 1e-200" + below);
  CHECK(mean_squared_error(p, vector({1, -1e200}), vector({1, 0})) == 0);
}

TEST_CASE(
    "Regression metrics: an infinite prediction has an infinite error, and targets are finite",
    "[metrics]") {
  const V y = vector({1, 2, 4}), p = vector({1, infinity, -infinity});
  CHECK(mean_squared_error(p, y) == infinity);
  CHECK(root_mean_squared_error(p, y) == infinity);
  CHECK(mean_absolute_error(p, y) == infinity);
  CHECK(r2(p, y) == -infinity);
  CHECK(r2(p, V(V::Ones(3))) == 0);
  CHECK(median_absolute_error(V(V::Constant(2, infinity)), vector({1, 2})) == infinity);
  CHECK(explained_variance(V(V::Constant(2, infinity)), vector({1, 2})) == -infinity);
  CHECK_THROWS_WITH(r2(p, vector({1, infinity, 2})), "r2: y(1) is not finite");
  CHECK_THROWS_WITH(mean_absolute_error(y, vector({1, 2, -infinity})),
                    "mean_absolute_error: y(2) is not finite");
  CHECK_THROWS_WITH(mean_absolute_percentage_error(vector({1, 2}), vector({1, 0})),
                    "mean_absolute_percentage_error: y(1) is 0");
  CHECK(mean_absolute_percentage_error(vector({1, 2}), vector({1, 0}), vector({1, 0})) == 0);
}

TEST_CASE("Median absolute error: the weighted median", "[metrics]") {
  const struct {
    V weights;
    double median;
  } rows[] = {{{}, 2},
              {vector({1, 5, 1}), 1},
              {vector({2, 1, 1}), 2.5},
              {vector({5, 1, 1}), 3},
              {vector({0, 1, 1}), 1.5}};
  for (const auto& [weights, median] : rows)
    CHECK(median_absolute_error(vector({-3, 1, 2}), V(V::Zero(3)), weights) == median);
  // Half of the sum of equal weights is half, although 3·0.1 is not 0.3 in double.
  CHECK(median_absolute_error(vector({1, 2, 3, 4, 5, 6}), V(V::Zero(6)), V(V::Constant(6, 0.1))) ==
        3.5);
  CHECK(median_absolute_error(vector({7}), vector({3})) == 4);
  CHECK(median_absolute_error(vector({7, not_a_number}), vector({3, 3}), vector({1, 0})) == 4);
}

}  // namespace regression_test
