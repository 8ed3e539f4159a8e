// SPDX-License-Identifier: MIT
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

TEST_CASE("WorkingSets: the last set, shorter than the others, is shuffled too", "[orders]") {
  Random random(1);
  const Sequence s = visits_of(WorkingSets{800, 1600}, 500, 8, random);
  REQUIRE_FALSE(std::is_sorted(s.end() - 100, s.end()));
}

TEST_CASE("WorkingSets: visits go through one working set after another", "[orders]") {
  // 1000-byte rows: chunks of a row, sets of 262 rows, drawn from all over.
  const auto small_chunks = epoch(WorkingSets{}, 10000, 1000, 1);
  const auto [low, high] = std::minmax_element(small_chunks.begin(), small_chunks.begin() + 262);
  REQUIRE(*high - *low > 9000);
  // One chunk of 256 rows a set: the first 256 visits are of 256 consecutive rows.
  const auto one_chunk = epoch(WorkingSets{256000, 256000}, 10000, 1000, 1);
  const auto [first, last] = std::minmax_element(one_chunk.begin(), one_chunk.begin() + 256);
  REQUIRE(*last - *first < 256);
  REQUIRE_FALSE(std::is_sorted(one_chunk.begin(), one_chunk.begin() + 256));
}

TEST_CASE("WorkingSets: chunks are as large as the targets let them be", "[orders]") {
  const Index n = 20000;
  const auto chosen = [](const Vector<double>& y, Index row_bytes) {
    return WorkingSets{}.fitted_to(y, row_bytes).chunk_bytes;
  };
  Random random(1);
  Vector<double> mixed(n);
  for (double& target : mixed) target = random.below(4) == 0 ? 1 : -1;
  Vector<double> sorted = mixed;
  std::sort(sorted.begin(), sorted.end());
  Vector<double> drift(n);  // numbers that rise with the row by as much as they scatter
  for (Index i = 0; i < n; ++i) drift[i] = random.uniform() + static_cast<double>(i) / n;
  for (const Index row_bytes : {24, 64, 432}) {
    CHECK(chosen(mixed, row_bytes) == 32768);
    CHECK(chosen(sorted, row_bytes) == row_bytes);
    CHECK(chosen(drift, row_bytes) <= 1024);
    CHECK(chosen(Vector<double>::Constant(n, -1), row_bytes) == 32768);
    CHECK(chosen(Vector<double>::Constant(n, 0.1), row_bytes) == 32768);
  }
  // Runs of 16 of a class: chunks of 1 or 2 rows of them are as good as random ones, 4 are not.
  Vector<double> runs(n);
  for (Index i = 0; i < n; i += 16) runs.segment(i, 16).setConstant(random.below(2) ? 1 : -1);
  CHECK(chosen(runs, 256) == 256);
  // Two rows in five are of the class before them: chunks of 2 are still as good, 4 are not.
  Vector<double> sticky = mixed;
  for (Index i = 1; i < n; ++i)
    sticky[i] = random.below(5) < 2 ? sticky[i - 1] : (random.below(2) ? 1.0 : -1.0);
  CHECK(chosen(sticky, 64) == 128);
  // One chunk tells nothing.
  CHECK(chosen(Vector<double>::LinSpaced(3, 0, 1), 64) == 64);
  // A size that is given stays.
  CHECK(WorkingSets{1}.fitted_to(sorted, 64).chunk_bytes == 1);
  CHECK(WorkingSets{4096}.fitted_to(sorted, 64).chunk_bytes == 4096);
  CHECK(chosen(Vector<double>::Ones(1), 64) == 64);
  // Columns begin with longer stretches, in sets of four of them.
  const auto columns = WorkingSets{}.fitted_to(mixed, 432, 131072);
  CHECK(columns.chunk_bytes == 131072);
  CHECK(columns.set_bytes == 524288);
  CHECK(WorkingSets{}.fitted_to(sorted, 432, 131072).chunk_bytes == 432);
}

TEST_CASE("WorkingSets: rows that are sorted by class are learnt as fast as in random order",
          "[orders]") {
  const auto x = synthetic::features(20000, 4, 1);  // 640 kB: three working sets
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
  REQUIRE(by_blocks > 5 * by_chance);  // what the choice of the chunks is for
}
