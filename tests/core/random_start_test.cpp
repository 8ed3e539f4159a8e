// SPDX-License-Identifier: MIT
#include <linea/core/random.hpp>
#include <linea/core/random_start.hpp>

#include "support/catch.hpp"

using namespace linea;

TEST_CASE("random_start: small, spread over both signs, and the same for the same seed", "[core]") {
  const auto extras = random_start<double>(1000, 3, 0.1);
  REQUIRE(extras.start_weights.size() == 1000);
  REQUIRE(extras.start_weights.cwiseAbs().maxCoeff() <= 0.1);
  REQUIRE(extras.start_weights.cwiseAbs().maxCoeff() > 0.095);  // missed with chance 0.95^1000
  // The mean of 1000 uniform draws from ±0.1 has standard deviation 0.0018.
  REQUIRE(std::abs(extras.start_weights.mean()) < 0.01);
  REQUIRE(extras.start_offset != 0);
  REQUIRE(std::abs(extras.start_offset) <= 0.1);
  Random random(3);  // the draws themselves, the offset's the last
  for (const double weight : extras.start_weights)
    REQUIRE(weight == 0.1 * (2 * random.uniform() - 1));
  REQUIRE(extras.start_offset == 0.1 * (2 * random.uniform() - 1));
  REQUIRE(random_start<double>(1000, 3, 0.1).start_weights == extras.start_weights);
  REQUIRE(random_start<double>(1000, 4, 0.1).start_weights != extras.start_weights);
  const auto bare = random_start<float>(5, 3, 0.1, false);
  REQUIRE(bare.start_offset == 0);
  REQUIRE(bare.start_weights == extras.start_weights.head(5).cast<float>());
}

TEST_CASE("random_start: refuses a size that is not positive and no features", "[core]") {
  REQUIRE_THROWS_WITH(random_start<double>(0, 1), ContainsSubstring("random_start: 0 features"));
  REQUIRE_THROWS_WITH(random_start<double>(2, 1, 0), ContainsSubstring("size = 0 is not positive"));
}
