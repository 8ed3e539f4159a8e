// SPDX-License-Identifier: MIT
#include <algorithm>
#include <linea/optimizers/order.hpp>
#include <numeric>

#include "support/catch.hpp"

using namespace linea;

namespace {

template <class O>
Sequence epoch(const O& order, std::size_t n, Index row_bytes, std::uint64_t seed) {
  Sequence sequence(n);
  Random random(seed);
  order.fill(sequence, row_bytes, random);
  return sequence;
}

bool is_permutation(Sequence sequence) {
  std::sort(sequence.begin(), sequence.end());
  for (std::size_t i = 0; i < sequence.size(); ++i)
    if (sequence[i] != i) return false;
  return true;
}

}  // namespace

TEST_CASE("Cyclic: rows in order", "[optimizers]") {
  REQUIRE(epoch(Cyclic{}, 4, 8, 1) == Sequence{0, 1, 2, 3});
}

TEST_CASE("Shuffled and WorkingSets: every row once an epoch, whatever the sizes", "[optimizers]") {
  for (const std::size_t n : {1U, 2U, 7U, 100U, 4097U})
    for (const Index row_bytes : {0, 1, 24, 432, 5000, 1000000}) {
      REQUIRE(is_permutation(epoch(Shuffled{}, n, row_bytes, 3)));
      REQUIRE(is_permutation(epoch(WorkingSets{}, n, row_bytes, 3)));
    }
}

TEST_CASE("Orders: the same seed gives the same epoch, another seed another", "[optimizers]") {
  REQUIRE(epoch(WorkingSets{}, 1000, 432, 5) == epoch(WorkingSets{}, 1000, 432, 5));
  REQUIRE(epoch(WorkingSets{}, 1000, 432, 5) != epoch(WorkingSets{}, 1000, 432, 6));
  REQUIRE(epoch(Shuffled{}, 1000, 432, 5) != epoch(Shuffled{}, 1000, 432, 6));
  Sequence sequence(1000);
  Random random(5);
  Shuffled{}.fill(sequence, 8, random);
  const Sequence first = sequence;
  Shuffled{}.fill(sequence, 8, random);
  REQUIRE(sequence != first);
}

TEST_CASE("WorkingSets: visits go through one working set after another", "[optimizers]") {
  // 1000-byte rows: chunks of 1 row of 1024 bytes, sets of 262 rows, drawn from all over.
  const auto small_chunks = epoch(WorkingSets{}, 10000, 1000, 1);
  const auto [low, high] = std::minmax_element(small_chunks.begin(), small_chunks.begin() + 262);
  REQUIRE(*high - *low > 9000);
  // One chunk of 256 rows a set: the first 256 visits are of 256 consecutive rows.
  const auto one_chunk = epoch(WorkingSets{256000, 256000}, 10000, 1000, 1);
  const auto [first, last] = std::minmax_element(one_chunk.begin(), one_chunk.begin() + 256);
  REQUIRE(*last - *first < 256);
  REQUIRE_FALSE(std::is_sorted(one_chunk.begin(), one_chunk.begin() + 256));
}

TEST_CASE("WithReplacement: draws are uniform over the rows", "[optimizers]") {
  std::vector<int> counts(10, 0);
  for (const auto row : epoch(WithReplacement{}, 10, 8, 2)) ++counts[row];
  REQUIRE(std::accumulate(counts.begin(), counts.end(), 0) == 10);
  REQUIRE_FALSE(std::count(counts.begin(), counts.end(), 1) == 10);
  // Chi-square with 9 degrees of freedom over 10^5 draws: above 33.7 once in 10^4 seeds.
  std::fill(counts.begin(), counts.end(), 0);
  Random random(3);
  for (int draw = 0; draw < 100000; ++draw) ++counts[random.below(10)];
  double chi_square = 0;
  for (const int count : counts) chi_square += (count - 1e4) * (count - 1e4) / 1e4;
  REQUIRE(chi_square < 33.7);
}

// The numbers are those of a second implementation, in Python, of generator, bounds and shuffles.
TEST_CASE("Orders: the first rows of seed 0 are the same on every platform", "[optimizers]") {
  const auto head = [](const Sequence& sequence) {
    return Sequence(sequence.begin(), sequence.begin() + 5);
  };
  CHECK(head(epoch(Shuffled{}, 100, 8, 0)) == Sequence{61, 7, 72, 45, 30});
  CHECK(head(epoch(WorkingSets{64, 1024}, 1000, 8, 0)) == Sequence{892, 924, 522, 580, 771});
  CHECK(head(epoch(WithReplacement{}, 100, 8, 0)) == Sequence{32, 38, 35, 1, 49});
}
