// SPDX-License-Identifier: MIT
#include <linea/orders/cyclic.hpp>

#include "support/catch.hpp"
#include "support/visits.hpp"

using namespace linea;

TEST_CASE("Cyclic: rows in order", "[orders]") {
  REQUIRE(epoch(Cyclic{}, 4, 8, 1) == Sequence{0, 1, 2, 3});
}
