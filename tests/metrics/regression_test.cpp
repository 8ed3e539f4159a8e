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
  CHECK(std::isnan(r2(vector({1, not_a_number}), vector({1, 2}))));
}

TEST_CASE("R2: of a constant y 1 if every prediction is right, else 0", "[metrics]") {
  // The mean of these is not 0.1 once rounded, nor their variance 0.
  const V constant = V::Constant(3, 0.1);
  CHECK(r2(constant, constant) == 1);
  CHECK(r2(vector({0.1, 0.1, 0.2}), constant) == 0);
  CHECK(r2(vector({7}), vector({7})) == 1);
  CHECK(r2(vector({5, 0.1, 0.2}), vector({9, 0.1, 0.1}), vector({0, 1, 3})) == 0);
  CHECK(std::isnan(r2(vector({0.1, 0.1, not_a_number}), constant)));
}

}  // namespace regression_test
