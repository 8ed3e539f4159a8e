// SPDX-License-Identifier: MIT
#pragma once
/// \file Makes the k-th allocation fail, for every k. The linker redirects all calls of malloc,
/// free and similar functions in this program, including those in Eigen's headers, to functions of
/// allocations.cpp. allocations.cpp also replaces operator new, which the C++ library calls, too.
/// See CMakeLists.txt.
#include <cstdint>
#include <functional>

#include "support/bits.hpp"
#include "support/catch.hpp"

namespace linea::test {

/// Returns the number of allocations so far. live_allocations returns how many of them have not
/// been freed.
std::int64_t allocations();
std::int64_t live_allocations();

/// Makes the k-th allocation from now on fail, and with `all_after` all later ones, too. For k = 0,
/// no allocation fails.
void fail_allocation(std::int64_t k, bool all_after);

/// Calls `run`, which returns a hash, twice for every k: once while only the k-th allocation fails,
/// and once while all later allocations fail, too. Each call must throw std::bad_alloc, throw a
/// reader's error about memory, or return the same hash as without failure. It must not leak, and
/// `intact` must return true after it. In the end, a run without failure must return the same hash.
void survives(
    const std::function<std::uint64_t()>& run,
    const std::function<bool()>& intact = [] { return true; });

}  // namespace linea::test
