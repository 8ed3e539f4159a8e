// SPDX-License-Identifier: MIT
/// \file The orders of visits: cyclic, shuffled, with replacement, and working sets.
#include <algorithm>
#include <cstdint>
#include <linea/losses/hinge.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/orders/shuffled.hpp>
#include <linea/orders/working_sets.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/step_sizes/automatic.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"
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

TEST_CASE("Cyclic: rows in order", "[orders]") {
  REQUIRE(epoch(Cyclic{}, 4, 8, 1) == Sequence{0, 1, 2, 3});
}

TEST_CASE("Shuffled and WorkingSets: every row once an epoch, for any sizes", "[orders]") {
  for (const std::size_t n : {1U, 2U, 7U, 100U, 4097U})
    for (const Index row_bytes : {0, 1, 24, 432, 5000, 1000000}) {
      REQUIRE(is_permutation(epoch(Shuffled{}, n, row_bytes, 3)));
      REQUIRE(is_permutation(epoch(WorkingSets{}, n, row_bytes, 3)));
    }
}

TEST_CASE("Orders: the same seed gives the same epoch, another seed another", "[orders]") {
  REQUIRE(epoch(WorkingSets{}, 1000, 432, 5) == epoch(WorkingSets{}, 1000, 432, 5));
  REQUIRE(epoch(WorkingSets{}, 1000, 432, 5) != epoch(WorkingSets{}, 1000, 432, 6));
  REQUIRE(epoch(Shuffled{}, 1000, 432, 5) != epoch(Shuffled{}, 1000, 432, 6));
  Random random(5);
  const Sequence first = visits_of(Shuffled{}, 1000, 8, random);
  REQUIRE(visits_of(Shuffled{}, 1000, 8, random) != first);
}

// The expected rows come from a second implementation, in Python, of the generator, the bounded
// numbers and the shuffles.
TEST_CASE("Orders: the first rows of seed 0 are the same on every platform", "[orders]") {
  const auto head = [](const Sequence& sequence) {
    return Sequence(sequence.begin(), sequence.begin() + 5);
  };
  CHECK(head(epoch(Shuffled{}, 100, 8, 0)) == Sequence{61, 7, 72, 45, 30});
  CHECK(head(epoch(WorkingSets{64, 1024}, 1000, 8, 0)) == Sequence{892, 924, 522, 580, 771});
  CHECK(head(epoch(WithReplacement{}, 100, 8, 0)) == Sequence{32, 38, 35, 1, 49});
}

TEST_CASE("Epoch: its shares contain every row once", "[orders]") {
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
        return all.size() == static_cast<std::size_t>(rows) && is_permutation(all);
      };
      CHECK(covered(WorkingSets{}));
      CHECK(covered(Shuffled{}));
      CHECK(covered(Cyclic{}));
    }
}

TEST_CASE("WorkingSets: the last set, shorter than the others, is shuffled too", "[orders]") {
  Random random(1);
  const Sequence s = visits_of(WorkingSets{800, 1600}, 500, 8, random);
  REQUIRE_FALSE(std::is_sorted(s.end() - 100, s.end()));
}

TEST_CASE("WorkingSets: visits one working set after another", "[orders]") {
  // Rows of 1000 bytes: chunks have one row, and sets have 262 rows, drawn from all rows.
  const auto small_chunks = epoch(WorkingSets{}, 10000, 1000, 1);
  const auto [low, high] = std::minmax_element(small_chunks.begin(), small_chunks.begin() + 262);
  REQUIRE(*high - *low > 9000);
  // Each set is one chunk of 256 rows, so the first 256 visits are of 256 consecutive rows.
  const auto one_chunk = epoch(WorkingSets{256000, 256000}, 10000, 1000, 1);
  const auto [first, last] = std::minmax_element(one_chunk.begin(), one_chunk.begin() + 256);
  REQUIRE(*last - *first < 256);
  REQUIRE_FALSE(std::is_sorted(one_chunk.begin(), one_chunk.begin() + 256));
}

TEST_CASE("WorkingSets: chunks are as large as the targets allow", "[orders]") {
  const Index n = 20000;
  const auto rows_of_chunk = [](const Vector<double>& y) {
    return WorkingSets{}.fitted_to(y, 64).chunk_bytes / 64;
  };
  Random random(1);
  Vector<double> mixed(n);
  for (double& target : mixed) target = random.below(4) == 0 ? 1 : -1;
  Vector<double> sorted = mixed;
  std::sort(sorted.begin(), sorted.end());
  Vector<double> drift(n);  // targets that rise with the row by as much as they vary
  for (Index i = 0; i < n; ++i) drift[i] = random.uniform() + static_cast<double>(i) / n;
  const Index most = rows_of_chunk(Vector<double>::Constant(n, 0.1));
  CHECK(most > 100);
  CHECK(rows_of_chunk(mixed) == most);
  CHECK(rows_of_chunk(sorted) == 1);
  CHECK(rows_of_chunk(drift) <= 16);
  // Two rows in five copy the class of the previous row. Chunks of 2 rows vary little more than
  // random rows do; chunks of 4 vary much more.
  Vector<double> sticky = mixed;
  for (Index i = 1; i < n; ++i)
    sticky[i] = random.below(5) < 2 ? sticky[i - 1] : (random.below(2) ? 1.0 : -1.0);
  CHECK(rows_of_chunk(sticky) == 2);
  // One chunk is not enough to decide.
  CHECK(rows_of_chunk(Vector<double>::LinSpaced(3, 0, 1)) == 1);
  // A size that is given is not changed.
  CHECK(WorkingSets{1}.fitted_to(sorted, 64).chunk_bytes == 1);
  // Samples stored by columns start with longer chunks, in sets of four.
  const auto columns = WorkingSets{}.fitted_to(mixed, 432, 131072);
  CHECK(columns.chunk_bytes == 131072);
  CHECK(columns.set_bytes == 524288);
}

TEST_CASE("WorkingSets: rows sorted by class converge as fast as in random order", "[orders]") {
  const auto x = synthetic::features(20000, 4, 1);  // 640 kB are three working sets
  const auto y = synthetic::signs(x, 2, 1.0);
  const auto sorted = synthetic::sorted_by_class(x, y);
  const Objective objective{Hinge{}, L2{1e-3}};
  const auto reached = [&]<class O>(const O& order, Index epochs, std::uint64_t seed) {
    return BasicSgd<AutomaticStep, O>{
        .epochs = epochs, .tolerance = 0, .order = order, .iterate = Iterate::average, .seed = seed}
        .minimize(objective, sorted.x, sorted.y)
        .objective;
  };
  const double least = reached(Shuffled{}, 200, 9);
  double by_chance = 0;
  double by_sets = 0;
  double by_blocks = 0;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    by_chance += reached(Shuffled{}, 5, seed) - least;
    by_sets += reached(WorkingSets{}, 5, seed) - least;
    by_blocks += reached(WorkingSets{32768}, 5, seed) - least;
  }
  REQUIRE(by_sets < 1.5 * by_chance);
  REQUIRE(by_blocks > 5 * by_chance);  // sorted rows need the smaller chunks
}
