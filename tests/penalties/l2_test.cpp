// SPDX-License-Identifier: MIT
#include <linea/check/penalty.hpp>
#include <linea/penalties/l2.hpp>

#include "support/catch.hpp"

namespace l2_test {

using namespace linea;

static_assert(LazyPenalty<L2> && StronglyConvexPenalty<L2> && ConjugatePenalty<L2> &&
              !ThresholdPenalty<L2>);

namespace {

const Vector<double> w = (Vector<double>(4) << 3, -4, 0, 0.5).finished();

}  // namespace

TEST_CASE("L2: half of lambda times the squared norm", "[penalties]") {
  const L2 penalty{.lambda = 0.5};
  CHECK(penalty.value(w) == 6.3125);
  CHECK(penalty.proximal(3.0, 1.0) == 2);
  CHECK(penalty.decay(0.5) == 0.75);
  CHECK(penalty.decay(2.0) == 0);
  CHECK(penalty.decay(3.0) == 0);
  CHECK(strong_convexity_of(penalty) == 0.5);
  CHECK(L2{}.value(w) == 0);
}

}  // namespace l2_test
