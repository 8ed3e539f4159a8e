// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <linea/orders/shuffled.hpp>
#include <linea/orders/working_sets.hpp>

#include "support/catch.hpp"
#include "support/visits.hpp"

using namespace linea;

namespace {

bool is_permutation(Sequence sequence) {
  std::sort(sequence.begin(), sequence.end());
  for (std::size_t i = 0; i < sequence.size(); ++i)
    if (sequence[i] != i) return false;
  return true;
}

}  // namespace

TEST_CASE("Shuffled and WorkingSets: every row once an epoch, whatever the sizes", "[orders]") {
  for (const std::size_t n : {1U, 2U, 7U, 100U, 4097U})
    for (const Index row_bytes : {0, 1, 24, 432, 5000, 1000000}) {
      REQUIRE(is_permutation(epoch(Shuffled{}, n, row_bytes, 3)));
      REQUIRE(is_permutation(epoch(WorkingSets{}, n, row_bytes, 3)));
    }
}
