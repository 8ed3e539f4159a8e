// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <linea/core/order.hpp>
#include <linea/core/random.hpp>
#include <linea/core/types.hpp>
#include <linea/orders/cyclic.hpp>
#include <linea/orders/shuffled.hpp>
#include <linea/orders/with_replacement.hpp>
#include <linea/orders/working_sets.hpp>
#include <numeric>

#include "support/catch.hpp"
#include "support/visits.hpp"

using namespace linea;

TEST_CASE("Orders: the same seed gives the same epoch, another seed another", "[core]") {
  REQUIRE(epoch(WorkingSets{}, 1000, 432, 5) == epoch(WorkingSets{}, 1000, 432, 5));
  REQUIRE(epoch(WorkingSets{}, 1000, 432, 5) != epoch(WorkingSets{}, 1000, 432, 6));
  REQUIRE(epoch(Shuffled{}, 1000, 432, 5) != epoch(Shuffled{}, 1000, 432, 6));
  Random random(5);
  const Sequence first = visits_of(Shuffled{}, 1000, 8, random);
  REQUIRE(visits_of(Shuffled{}, 1000, 8, random) != first);
}

// The numbers are those of a second implementation, in Python, of generator, bounds and shuffles.
TEST_CASE("Orders: the first rows of seed 0 are the same on every platform", "[core]") {
  const auto head = [](const Sequence& sequence) {
    return Sequence(sequence.begin(), sequence.begin() + 5);
  };
  CHECK(head(epoch(Shuffled{}, 100, 8, 0)) == Sequence{61, 7, 72, 45, 30});
  CHECK(head(epoch(WorkingSets{64, 1024}, 1000, 8, 0)) == Sequence{892, 924, 522, 580, 771});
  CHECK(head(epoch(WithReplacement{}, 100, 8, 0)) == Sequence{32, 38, 35, 1, 49});
}

TEST_CASE("Epoch: its shares hold every row once", "[core]") {
  for (const Index rows : {1, 10, 1000, 5000})
    for (const Index count : {2, 3, 7}) {
      Random random(1);
      const auto covered = [&](const auto& order) {
        Epoch epoch;
        order.draw(epoch, rows, 432, random);
        Sequence all;
        for (Index k = 0; k < count; ++k) {
          Epoch share = epoch.share(k, count);
          Sequence arrivals;
          Sequence turns;
          for (share.deal(100, random, arrivals, turns); !turns.empty();
               share.deal(100, random, arrivals, turns))
            for (const auto turn : turns) all.push_back(arrivals[turn]);
        }
        std::sort(all.begin(), all.end());
        Sequence expected(static_cast<std::size_t>(rows));
        std::iota(expected.begin(), expected.end(), 0U);
        return all == expected;
      };
      CHECK(covered(WorkingSets{}));
      CHECK(covered(Shuffled{}));
      CHECK(covered(Cyclic{}));
    }
}
