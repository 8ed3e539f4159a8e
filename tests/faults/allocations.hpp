// SPDX-License-Identifier: MIT
#pragma once
/// \file Makes the k-th allocation fail, for every k. The linker redirects all calls of malloc,
/// free and similar functions in this program, including those in Eigen's headers, to functions of
/// allocations.cpp. allocations.cpp also replaces operator new, which the C++ library calls, too.
/// See CMakeLists.txt.
#include <bit>
#include <cstdint>
#include <functional>
#include <string_view>

#include "support/catch.hpp"

namespace linea::test {

/// Returns the number of allocations so far. live_allocations returns how many of them have not
/// been freed.
std::int64_t allocations();
std::int64_t live_allocations();

/// Makes the k-th allocation from now on fail, and with `all_after` all later ones, too. For k = 0,
/// no allocation fails.
void fail_allocation(std::int64_t k, bool all_after);

/// A hash of the bits of numbers (FNV-1a), for bitwise comparison.
class Bits {
 public:
  Bits& add(std::uint64_t value) {
    sum_ = (sum_ ^ value) * 0x100000001b3U;
    return *this;
  }
  Bits& add(double value) { return add(std::bit_cast<std::uint64_t>(value)); }
  Bits& add(float value) { return add(double{value}); }
  Bits& add(std::string_view text) {
    for (const char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
    return *this;
  }
  template <class Numbers>
    requires requires(const Numbers& numbers) { numbers.size(), numbers.data(); }
  Bits& add(const Numbers& numbers) {
    for (decltype(numbers.size()) i = 0; i < numbers.size(); ++i)
      add(static_cast<double>(numbers.data()[i]));
    return *this;
  }
  std::uint64_t sum() const { return sum_; }

 private:
  std::uint64_t sum_{0xcbf29ce484222325U};
};

/// Returns a hash of the weights and the offset of a solution.
template <class Solution>
std::uint64_t bits_of(const Solution& solution) {
  return Bits().add(solution.weights).add(static_cast<double>(solution.offset)).sum();
}

/// Calls `run`, which returns a hash, twice for every k: once while only the k-th allocation fails,
/// and once while all later allocations fail, too. Each call must throw std::bad_alloc, throw a
/// reader's error about memory, or return the same hash as without failure. It must not leak, and
/// `intact` must return true after it. In the end, a run without failure must return the same hash.
void survives(
    const std::function<std::uint64_t()>& run,
    const std::function<bool()>& intact = [] { return true; });

}  // namespace linea::test
