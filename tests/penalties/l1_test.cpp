// SPDX-License-Identifier: MIT
#include <linea/check/penalty.hpp>
#include <linea/penalties/l1.hpp>

#include "support/catch.hpp"

namespace l1_test {

using namespace linea;

static_assert(ThresholdPenalty<L1> && !StronglyConvexPenalty<L1> && ConjugatePenalty<L1>);

namespace {

const Vector<double> w = (Vector<double>(4) << 3, -4, 0, 0.5).finished();

}  // namespace

TEST_CASE("L1: lambda times the sum of sizes, and weights become exactly zero", "[penalties]") {
  const L1 penalty{.lambda = 0.5};
  CHECK(penalty.value(w) == 3.75);
  CHECK(penalty.proximal(3.0, 1.0) == 2.5);
  CHECK(penalty.proximal(-3.0, 1.0) == -2.5);
  CHECK(penalty.proximal(0.5, 1.0) == 0);
  CHECK(penalty.proximal(-0.25, 1.0) == 0);
  CHECK(penalty.decay(2.0) == 1);
  CHECK(penalty.threshold(2.0) == 1);
  CHECK(strong_convexity_of(penalty) == 0);
}

}  // namespace l1_test
