// SPDX-License-Identifier: MIT
#pragma once
/// \file A hash of the bits of numbers, for bitwise comparison.
#include <bit>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace linea::test {

/// The hash FNV-1a with 64 bits, over the bytes of numbers from the lowest to the highest.
class Bits {
 public:
  template <class T>
  requires std::is_arithmetic_v<T> Bits& add(T number) {
    using Number = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    const auto bits = std::bit_cast<Number>(number);
    for (unsigned k = 0; k < 8 * sizeof(T); k += 8)
      sum_ = (sum_ ^ (bits >> k & 255)) * 0x100000001b3U;
    return *this;
  }
  Bits& add(std::string_view text) {
    for (const char c : text) add(static_cast<int>(c));
    return *this;
  }
  template <class Numbers>
    requires requires(const Numbers& numbers) { numbers.size(), numbers.data(); }
  Bits& add(const Numbers& numbers) {
    for (decltype(numbers.size()) i = 0; i < numbers.size(); ++i) add(numbers.data()[i]);
    return *this;
  }
  std::uint64_t sum() const { return sum_; }

 private:
  std::uint64_t sum_{0xcbf29ce484222325U};
};

/// Returns a hash of the weights and the offset of a solution.
template <class Solution>
std::uint64_t bits_of(const Solution& solution) {
  return Bits().add(solution.weights).add(solution.offset).sum();
}

}  // namespace linea::test
