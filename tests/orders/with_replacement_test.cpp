// SPDX-License-Identifier: MIT
#include <algorithm>
#include <linea/orders/with_replacement.hpp>
#include <numeric>
#include <vector>

#include "support/catch.hpp"
#include "support/random_place.hpp"
#include "support/visits.hpp"

using namespace linea;

TEST_CASE("WithReplacement: draws are uniform over the rows", "[orders]") {
  std::vector<int> counts(10, 0);
  for (const auto row : epoch(WithReplacement{}, 10, 8, 2)) ++counts[row];
  REQUIRE(std::accumulate(counts.begin(), counts.end(), 0) == 10);
  REQUIRE_FALSE(std::count(counts.begin(), counts.end(), 1) == 10);
  // Chi-square with 9 degrees of freedom over 10^5 draws: above 33.7 once in 10^4 seeds.
  std::fill(counts.begin(), counts.end(), 0);
  Random random(3);
  for (int draw = 0; draw < 100000; ++draw) ++counts[linea::test::random_place(random, 10)];
  double chi_square = 0;
  for (const int count : counts) chi_square += (count - 1e4) * (count - 1e4) / 1e4;
  REQUIRE(chi_square < 33.7);
}
