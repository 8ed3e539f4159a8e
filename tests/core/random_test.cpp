// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <linea/core/extras.hpp>
#include <linea/core/random.hpp>
#include <vector>

#include "support/catch.hpp"
#include "support/random_place.hpp"

using linea::Random;

TEST_CASE("Random: the published xoshiro256++ from a splitmix64 state", "[core]") {
  // For seed 0, the state is the first four outputs s0, …, s3 of splitmix64 (reference code of
  // Vigna, prng.di.unimi.it). The first output of xoshiro256++ is rotl(s0 + s3, 23) + s0.
  Random random(0);
  const std::uint64_t s0 = 0xe220a8397b1dcdafU;
  const std::uint64_t s3 = 0xf88bb8a8724c81ecU;
  const std::uint64_t sum = s0 + s3;
  REQUIRE(random() == ((sum << 23) | (sum >> 41)) + s0);
}

TEST_CASE("Random: the same seed, the same numbers", "[core]") {
  const auto drawn = [](std::uint64_t seed) {
    Random random(seed);
    std::vector<std::uint64_t> numbers(100);
    for (auto& number : numbers) number = random();
    return numbers;
  };
  REQUIRE(drawn(42) == drawn(42));
  REQUIRE(drawn(42) != drawn(43));
}

TEST_CASE("Random: below is smaller than its bound and reaches every number", "[core]") {
  Random random(1);
  for (const std::uint64_t bound :
       {1ULL, 2ULL, 3ULL, 7ULL, 4294967295ULL, 4294967297ULL, 1ULL << 63})
    for (int i = 0; i < 1000; ++i) REQUIRE(random.below(bound) < bound);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70000; ++i) ++counts[linea::test::random_place(random, 7)];
  // The standard deviation of a count is 93, so the bound is six standard deviations.
  for (const int count : counts) REQUIRE(std::abs(count - 10000) < 560);
  bool large = false;
  for (int i = 0; i < 100; ++i) large = large || random.below(1ULL << 63) > (1ULL << 62);
  REQUIRE(large);
}

TEST_CASE("Random: uniform is in 0 to below 1, with mean one half", "[core]") {
  Random random(2);
  double sum = 0;
  for (int i = 0; i < 100000; ++i) {
    const double u = random.uniform();
    REQUIRE((0 <= u && u < 1));
    sum += u;
  }
  REQUIRE_THAT(sum / 100000, WithinAbs(0.5, 0.005));  // more than five standard deviations
}

TEST_CASE("Random: a shuffle keeps the elements, and all orders are equally likely", "[core]") {
  Random random(3);
  std::array<int, 6> counts{};
  for (int trial = 0; trial < 60000; ++trial) {
    std::array<int, 3> values{0, 1, 2};
    random.shuffle(std::span<int>(values));
    std::array<int, 3> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    REQUIRE(sorted == std::array<int, 3>{0, 1, 2});
    ++counts[static_cast<std::size_t>(values[0] * 2 + (values[1] > values[2]))];
  }
  // The bound is six standard deviations.
  for (const int count : counts) REQUIRE(std::abs(count - 10000) < 560);
}

TEST_CASE("random_start: draws from both sides of 0, the offset last", "[core]") {
  const auto extras = linea::random_start<double>(1000, 3, 0.1);
  Random random(3);
  for (const double weight : extras.start_weights)
    REQUIRE(weight == 0.1 * (2 * random.uniform() - 1));
  REQUIRE(extras.start_offset == 0.1 * (2 * random.uniform() - 1));
  REQUIRE(extras.start_weights.size() == 1000);
  REQUIRE(linea::random_start<double>(1000, 4, 0.1).start_weights != extras.start_weights);
  const auto bare = linea::random_start<float>(5, 3, 0.1, false);
  REQUIRE(bare.start_offset == 0);
  REQUIRE(bare.start_weights == extras.start_weights.head(5).cast<float>());
}

TEST_CASE("random_start: refuses a size that is not positive and no features", "[core]") {
  REQUIRE_THROWS_WITH(linea::random_start<double>(0, 1),
                      ContainsSubstring("random_start: 0 features"));
  REQUIRE_THROWS_WITH(linea::random_start<double>(2, 1, 0),
                      ContainsSubstring("size = 0 is not positive"));
}
