// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/mpi/mpi_communicator.hpp>
#include <vector>

#include "support/catch.hpp"

namespace mpi_communicator_test {

using namespace linea;

namespace {

/// Returns a number of at most 1e6 in absolute value. The sizes of these numbers differ so much
/// that rounding makes a sum depend on its order.
double entry(Index rank, Index j, int turn) {
  const auto t = static_cast<double>(j + 31 * rank + 7 * turn);
  return std::sin(1.7 * t) * std::pow(10, std::fmod(5 * t, 13) - 6);
}

}  // namespace

TEST_CASE("MpiCommunicator: sums in the order of the ranks") {
  MpiCommunicator world;
  for (const Index count : {0, 1, 64, 65, 1000, 200000})
    for (int turn = 0; turn < 3; ++turn) {
      std::vector<double> own(static_cast<std::size_t>(count)), sums(own.size());
      for (Index j = 0; j < count; ++j) {
        const auto at = static_cast<std::size_t>(j);
        own[at] = entry(world.rank(), j, turn);
        sums[at] = entry(0, j, turn);
        for (Index k = 1; k < world.size(); ++k) sums[at] += entry(k, j, turn);
      }
      world.sum(own.data(), count);
      REQUIRE(own == sums);
    }
  CHECK(world.rounds() == 18);
  CHECK((world.bytes_sent() > 0) == (world.size() > 1));
}

}  // namespace mpi_communicator_test
