// SPDX-License-Identifier: MIT
#include <linea/core/types.hpp>
#include <linea/penalties/none.hpp>

#include "support/catch.hpp"

namespace none_test {

using namespace linea;

static_assert(LazyPenalty<NoPenalty> && ConjugatePenalty<NoPenalty> &&
              !ThresholdPenalty<NoPenalty> && !StronglyConvexPenalty<NoPenalty>);

namespace {

const Vector<double> w = (Vector<double>(4) << 3, -4, 0, 0.5).finished();

}  // namespace

TEST_CASE("NoPenalty: is zero and leaves weights alone", "[penalties]") {
  CHECK(NoPenalty{}.value(w) == 0);
  CHECK(NoPenalty{}.proximal(2.5, 10.0) == 2.5);
  CHECK(NoPenalty{}.decay(10.0) == 1);
  CHECK(strong_convexity_of(NoPenalty{}) == 0);
}

}  // namespace none_test
