// SPDX-License-Identifier: MIT
#include <linea/check/penalty.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l1.hpp>
#include <linea/penalties/l2.hpp>

#include "support/catch.hpp"

using namespace linea;

static_assert(ThresholdPenalty<ElasticNet> && StronglyConvexPenalty<ElasticNet> &&
              ConjugatePenalty<ElasticNet>);

namespace {

const Vector<double> w = (Vector<double>(4) << 3, -4, 0, 0.5).finished();

}  // namespace

TEST_CASE("ElasticNet: the sum of L1 and L2", "[penalties]") {
  const ElasticNet penalty{.l1 = 0.25, .l2 = 0.5};
  CHECK(penalty.value(w) == L1{0.25}.value(w) + L2{0.5}.value(w));
  CHECK(penalty.proximal(3.0, 2.0) == 1.25);
  CHECK(penalty.proximal(-0.5, 2.0) == 0);
  CHECK(penalty.decay(0.5) == 0.75);
  CHECK(penalty.threshold(2.0) == 0.5);
  CHECK(strong_convexity_of(penalty) == 0.5);
}
