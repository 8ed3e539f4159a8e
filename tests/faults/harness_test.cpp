// SPDX-License-Identifier: MIT
// The faults themselves: what survives() is for is noticed when it is there.
#include <Eigen/Core>
#include <vector>

#include "faults/allocations.hpp"

using namespace linea::test;

TEST_CASE("Faults: a leak, other bits and half a work are noticed") {
  int* lost[3] = {};  // kept, so that a sanitizer finds no leak
  std::size_t count = 0;
  const auto leaks = aftermath([&] {
    int* const first = new int(1);
    lost[count] = first;
    ++count;
    const std::vector<int> second(3);
    --count;
    delete first;
    return std::uint64_t{7};
  });
  for (std::size_t k = 0; k < count; ++k) delete lost[k];
  CHECK(count == 2);
  CHECK(leaks.allocations == 2);
  CHECK(leaks.leaks == 2);  // where the second one fails, alone or with all after it
  CHECK(leaks.strange == 0);
  const auto other = aftermath([] {
    try {
      return static_cast<std::uint64_t>(std::vector<int>(3).size());
    } catch (const std::bad_alloc&) {
      return std::uint64_t{0};
    }
  });
  CHECK(other.strange == 2);
  CHECK(other.refused == 0);
  bool is_whole = true;
  const auto half = aftermath(
      [&] {
        is_whole = false;
        const Eigen::VectorXd some(3);  // by malloc
        is_whole = true;
        return std::uint64_t{7};
      },
      [&] { return is_whole; });
  CHECK(half.half_done == 2);
}
