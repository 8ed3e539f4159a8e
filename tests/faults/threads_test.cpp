// SPDX-License-Identifier: MIT
// Makes the k-th start of a thread fail, alone and with all later starts, for every k. The other
// threads must give the same bits.
#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <linea/losses/log.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>

#include "faults/allocations.hpp"
#include "support/sanitizer.hpp"
#include "support/synthetic.hpp"

// Sanitizers replace pthread_create themselves, so their builds skip this test.
#ifndef LINEA_TEST_OF_A_SANITIZER
namespace {
std::atomic<int> starts{0};
std::atomic<int> failing_start{0};
std::atomic<bool> all_starts_after{false};
}  // namespace

using Create = int(::pthread_t*, const ::pthread_attr_t*, void* (*)(void*), void*);

extern "C" int pthread_create(::pthread_t* thread, const ::pthread_attr_t* attributes,
                              void* (*start)(void*), void* argument) noexcept {
  static auto* const real = reinterpret_cast<Create*>(::dlsym(RTLD_NEXT, "pthread_create"));
  const int number = ++starts;
  const int first = failing_start;
  if (first > 0 && (all_starts_after ? number >= first : number == first)) return EAGAIN;
  return real(thread, attributes, start, argument);
}

using namespace linea;
using namespace linea::test;

namespace {

/// Checks that `run` gives the same bits whichever thread cannot be started.
template <class F>
void does_with_fewer(F&& run) {
  const std::uint64_t expected = run();
  starts = 0;
  REQUIRE(run() == expected);
  const int all = starts;
  REQUIRE(all > 0);
  for (const bool all_after : {false, true})
    for (int k = 1; k <= all; ++k) {
      starts = 0;
      all_starts_after = all_after;
      failing_start = k;
      const auto had = live_allocations();
      const std::uint64_t got = run();
      const auto has = live_allocations();
      failing_start = 0;
      INFO("start " << k << " of " << all);
      CHECK(got == expected);
      CHECK(has == had);
    }
}

}  // namespace

TEST_CASE("Faults: threads that cannot be started") {
  const Matrix<double> x = synthetic::features(40, 3, 1);
  const Vector<double> y = synthetic::signs(x, 2);
  const Objective objective{Log{}, L2{0.1}};
  does_with_fewer([&] { return bits_of(Newton{.threads = 4}.minimize(objective, x, y)); });
  does_with_fewer(
      [&] { return bits_of(Sgd{.epochs = 12, .threads = 4}.minimize(objective, x, y)); });
}
#endif
