// SPDX-License-Identifier: MIT
#pragma once
/// \file Fails the k-th allocation, for every k. The linker redirects all calls of malloc and free
/// in this program here (also those in Eigen's headers), and operator new is replaced, also for the
/// C++ library; see CMakeLists.txt.
#include <bit>
#include <cstdint>
#include <functional>
#include <string_view>

#include "support/catch.hpp"

namespace linea::test {

/// The number of allocations so far, and of those not yet freed.
std::int64_t allocations();
std::int64_t live_allocations();

/// The k-th allocation from now on fails, and with `all_after` all later ones; 0: none.
void fail_allocation(std::int64_t k, bool all_after);

/// A hash of bits (FNV-1a) for bitwise comparison.
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

/// The weights and offset of a solution.
template <class Solution>
std::uint64_t bits_of(const Solution& solution) {
  return Bits().add(solution.weights).add(static_cast<double>(solution.offset)).sum();
}

/// Calls `run`, which returns a hash, with the k-th allocation failing, for every k, alone and with
/// all later ones. The result is std::bad_alloc, an error of a reader about memory, or the same
/// bits as without failure. Nothing is leaked, and `intact` holds then and after the next run
/// without failure, which gives the same bits.
void survives(
    const std::function<std::uint64_t()>& run,
    const std::function<bool()>& intact = [] { return true; });

}  // namespace linea::test
