// SPDX-License-Identifier: MIT
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <linea/core/types.hpp>
#include <linea/core/workers.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/catch.hpp"
#include "support/child_process.hpp"

using namespace linea;

TEST_CASE("Workers: every share is processed once, each on its own thread", "[core]") {
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

TEST_CASE("Workers: an exception of a task is rethrown, and the next task runs", "[core]") {
  Workers workers(3);
  const auto fail = [](Index k) {
    if (k > 0) throw std::runtime_error(std::to_string(k));
  };
  REQUIRE_THROWS_WITH(workers.run(fail), "1");
  std::atomic<int> calls{0};
  workers.run([&](Index) { ++calls; });
  REQUIRE(calls == 3);
}

TEST_CASE("Workers: after a long wait sleeping workers are woken", "[core]") {
  Workers workers(2);
  for (Index late = 0; late < 2; ++late)
    for (int turn = 0; turn < 20; ++turn) {
      std::atomic<int> calls{0};
      workers.run([&](Index k) {
        if (k == late) std::this_thread::sleep_for(std::chrono::milliseconds(2));
        ++calls;
      });
      REQUIRE(calls == 2);
      if (late == 1) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

#ifdef __GLIBC__
namespace {

/// Tests Workers(6) with memory for `stacks` thread stacks. Returns 0 if there are at most `most`
/// threads, every task is executed once in each of 100 runs, and the first exception is rethrown.
int work_with_memory_for(double stacks, Index most) {
  return linea::test::in_child([=] {
    constexpr std::size_t stack = std::size_t{64} << 20;
    ::pthread_attr_t attributes;
    ::pthread_attr_init(&attributes);
    ::pthread_attr_setstacksize(&attributes, stack);
    if (::pthread_setattr_default_np(&attributes) != 0) return 1;
    ::pthread_attr_destroy(&attributes);
    if (!linea::test::limit_memory(static_cast<std::size_t>(stacks * double(stack)))) return 2;
    Workers workers(6);
    if (workers.count() != 6 || workers.threads() > most) return 3;
    for (int turn = 0; turn < 100; ++turn) {
      std::vector<std::atomic<int>> calls(6);
      workers.run([&](Index k) { ++calls[static_cast<std::size_t>(k)]; });
      for (const auto& called : calls)
        if (called != 1) return 4;
    }
    try {
      workers.run([](Index k) {
        if (k > 1) throw k;
      });
    } catch (Index k) {
      return k == 2 ? 0 : 5;
    }
    return 6;
  });
}

}  // namespace

TEST_CASE("Workers: fewer threads do the same work if threads cannot be started", "[core]") {
  if (!linea::test::can_limit_memory()) return;
  CHECK(work_with_memory_for(0.5, 1) == 0);
  CHECK(work_with_memory_for(1.5, 2) == 0);
  CHECK(work_with_memory_for(3.5, 4) == 0);
  CHECK(work_with_memory_for(40, 6) == 0);
}
#endif

TEST_CASE("Workers: shares are disjoint, complete and even", "[core]") {
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
  // The product of the number of rows and the number of shares exceeds 32 bits.
  CHECK(share_of(100'000'000, 1023, 1024) == std::pair<Index, Index>(99'902'343, 100'000'000));
}
