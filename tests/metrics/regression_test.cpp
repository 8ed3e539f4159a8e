// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <linea/metrics/regression.hpp>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/predictions.hpp"

namespace regression_test {

using namespace linea;
using namespace linea::test;

namespace {

constexpr double rounding = 1e-14;  // relative: some tens of additions

}  // namespace

TEST_CASE("R2: 1 at best, 0 for the mean", "[metrics]") {
  CHECK(r2(a, a) == 1);
  CHECK_THAT(r2(V::Constant(8, a.mean()), a), WithinAbs(0, rounding));
}

TEST_CASE("R2: of a constant y 1 if every prediction is right, else 0", "[metrics]") {
  // The mean of these is not 0.1 once rounded, nor their variance 0.
  const V constant = V::Constant(3, 0.1);
  CHECK(r2(constant, constant) == 1);
  CHECK(r2(vector({0.1, 0.1, 0.2}), constant) == 0);
  CHECK(r2(vector({7}), vector({7})) == 1);
  CHECK(r2(vector({5, 0.1, 0.2}), vector({9, 0.1, 0.1}), vector({0, 1, 3})) == 0);
}

TEST_CASE("Regression metrics: the unit does not matter, be it as large or small as numbers are",
          "[metrics]") {
  const V y = vector({1, 2, 3.25, -4});
  const V p = vector({1.5, 2, 3, -3});
  const V weights = vector({1, 2, 1, 4});
  const double r_squared = r2(p, y, weights);
  // The last is the largest power of two whose multiples here are numbers.
  for (const double unit : {0x1p-1020, 0x1p-600, 0x1p-400, 0x1p600, 0x1p1021}) {
    CAPTURE(unit);
    const V far_y = unit * y;
    const V far_p = unit * p;
    CHECK(r2(far_p, far_y, weights) == r_squared);
    CHECK(root_mean_squared_error(far_p, far_y, weights) ==
          unit * root_mean_squared_error(p, y, weights));
    CHECK(mean_absolute_error(far_p, far_y, weights) == unit * mean_absolute_error(p, y, weights));
    // Of few errors other numbers are right, or these are as far from one another as can be.
    CHECK(mean_squared_error(far_p, far_y, weights) ==
          unit * (unit * mean_squared_error(p, y, weights)));
  }
  const double largest = std::numeric_limits<double>::max();
  const V ends = vector({largest, -largest});
  CHECK_THAT(r2(V(-ends), ends), WithinRel(-3.0, rounding));
  CHECK(r2(ends, ends) == 1);
  CHECK(mean_absolute_error(vector({-largest, 0, 0, 0}), vector({largest, 0, 0, 0})) ==
        largest / 2);
  CHECK(mean_absolute_error(V(V::Zero(64)), V(V::Constant(64, largest))) == largest);
  CHECK(sum_of_squared_errors(vector({1e200}), vector({0}), vector({1e-300})) ==
        Approx(1e100).epsilon(rounding));
  CHECK(sum_of_absolute_errors(vector({1e300}), vector({0}), vector({1e-300})) ==
        Approx(1).epsilon(rounding));
}

TEST_CASE("Regression metrics: an infinite prediction is infinitely wrong, and targets are finite",
          "[metrics]") {
  const V y = vector({1, 2, 4});
  const V p = vector({1, infinity, -infinity});
  CHECK(mean_squared_error(p, y) == infinity);
  CHECK(root_mean_squared_error(p, y) == infinity);
  CHECK(mean_absolute_error(p, y) == infinity);
  CHECK(r2(p, y) == -infinity);
  CHECK(r2(p, V(V::Ones(3))) == 0);
  CHECK_THROWS_WITH(r2(p, vector({1, infinity, 2})), "r2: y(1) is not finite");
  CHECK_THROWS_WITH(mean_absolute_error(y, vector({1, 2, -infinity})),
                    "mean_absolute_error: y(2) is not finite");
}

}  // namespace regression_test
