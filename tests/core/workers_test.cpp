// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <linea/core/types.hpp>
#include <linea/core/workers.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/catch.hpp"

using namespace linea;

TEST_CASE("Workers: every share is worked on once, each on a thread of its own", "[core]") {
  for (const Index count : {1, 2, 5}) {
    Workers workers(count);
    REQUIRE(workers.count() == count);
    for (int turn = 0; turn < 50; ++turn) {
      std::vector<std::thread::id> on(static_cast<std::size_t>(count));
      std::atomic<int> calls{0};
      workers.run([&](Index k) {
        on[static_cast<std::size_t>(k)] = std::this_thread::get_id();
        ++calls;
      });
      REQUIRE(calls == count);
      REQUIRE(on.front() == std::this_thread::get_id());
      std::sort(on.begin(), on.end());
      REQUIRE(std::unique(on.begin(), on.end()) == on.end());
    }
  }
}

TEST_CASE("Workers: what a task throws arrives, and the next task runs", "[core]") {
  Workers workers(3);
  const auto fail = [](Index k) {
    if (k > 0) throw std::runtime_error(std::to_string(k));
  };
  REQUIRE_THROWS_WITH(workers.run(fail), "1");
  std::atomic<int> calls{0};
  workers.run([&](Index) { ++calls; });
  REQUIRE(calls == 3);
}

TEST_CASE("Workers: shares are disjoint, cover everything and are even", "[core]") {
  for (const Index n : {0, 1, 7, 100})
    for (const Index count : {1, 2, 3, 8}) {
      Index covered = 0;
      for (Index k = 0; k < count; ++k) {
        const auto share = share_of(n, k, count);
        REQUIRE(share.first == covered);
        REQUIRE(share.second - share.first <= n / count + 1);
        covered = share.second;
      }
      REQUIRE(covered == n);
    }
}
