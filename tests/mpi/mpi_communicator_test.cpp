// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/mpi/mpi_communicator.hpp>
#include <vector>

#include "support/catch.hpp"

namespace mpi_communicator_test {

using namespace linea;

namespace {

/// Returns a number from 1e-6 to 1e6. A sum of such numbers depends on its order.
double entry(Index rank, Index j, int turn) {
  const auto t = static_cast<double>(j + 31 * rank + 7 * turn);
  return std::sin(1.7 * t) * std::pow(10, std::fmod(5 * t, 13) - 6);
}

}  // namespace

TEST_CASE("MpiCommunicator: sums in the order of the ranks, by shared memory and by messages") {
  MpiCommunicator by_memory;
  MpiCommunicator by_messages(MPI_COMM_WORLD, false);
  // The counts are: few numbers, few numbers per rank, one piece of shared memory, more than one
  // piece, and many pieces.
  for (const Index count : {0, 1, 64, 65, 1000, 32768, 32769, 200000})
    for (int turn = 0; turn < 6; ++turn) {
      std::vector<double> own(static_cast<std::size_t>(count)), sums(own.size());
      for (Index j = 0; j < count; ++j) {
        const auto at = static_cast<std::size_t>(j);
        own[at] = entry(by_memory.rank(), j, turn);
        sums[at] = entry(0, j, turn);
        for (Index k = 1; k < by_memory.size(); ++k) sums[at] += entry(k, j, turn);
      }
      std::vector<double> other = own;
      by_memory.sum(own.data(), count);
      by_messages.sum(other.data(), count);
      REQUIRE(own == sums);
      REQUIRE(other == sums);
    }
  CHECK(by_memory.rounds() == by_messages.rounds());
  CHECK(by_memory.bytes_sent() == by_messages.bytes_sent());
  CHECK((by_memory.bytes_sent() > 0) == (by_memory.size() > 1));
}

TEST_CASE("SharedSums: ranks do not overtake each other") {
  mpi::SharedSums shared(MPI_COMM_WORLD);
  MpiCommunicator ranks(MPI_COMM_WORLD, false);
  double there[2] = {shared.is_available() ? 1.0 : 0.0, shared.is_available() ? 0.0 : 1.0};
  ranks.largest(there, 2);
  REQUIRE(there[0] + there[1] == 1);  // all ranks agree
  if (!shared.is_available()) {
    WARN("no memory for ranks to share here");
    return;
  }
  // Each sum starts from the result of the previous one. Any late read or early write would affect
  // all later sums.
  const auto count = static_cast<Index>(3 * 32768 + 17);
  std::vector<double> numbers(static_cast<std::size_t>(count));
  std::vector<double> expected(numbers.size());
  for (Index j = 0; j < count; ++j)
    expected[static_cast<std::size_t>(j)] = static_cast<double>(j % 1000);
  const auto size = static_cast<double>(ranks.size());
  for (int turn = 0; turn < 200; ++turn) {
    for (std::size_t j = 0; j < numbers.size(); ++j)
      numbers[j] = expected[j] + static_cast<double>(ranks.rank());
    shared.sum(numbers.data(), count);
    for (double& number : expected) number = size * number + size * (size - 1) / 2;
    REQUIRE(numbers == expected);
    for (double& number : expected) number = std::fmod(number, 1024);
  }
}

}  // namespace mpi_communicator_test
