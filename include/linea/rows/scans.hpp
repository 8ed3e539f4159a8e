// SPDX-License-Identifier: MIT
#pragma once
/// \file Checks of contiguous numbers: loops without branches, so that compilers vectorize them.
#include <bit>  // bit_cast
#include <cstdint>
#include <limits>
#include <linea/core/types.hpp>
#include <type_traits>  // conditional_t

namespace linea::detail::rows {

/// Returns whether all of `count` entries are finite.
template <Scalar T>
bool all_finite(const T* entries, Index count) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  // Only infinities and NaN have all exponent bits set. Adding 1 to the exponent then carries into
  // the sign bit.
  constexpr Bits exponent = std::bit_cast<Bits>(std::numeric_limits<T>::infinity());
  constexpr Bits one = exponent & (~exponent + 1);
  constexpr Bits sign = exponent + one;
  Bits carried{0};
  for (Index k = 0; k < count; ++k) carried |= (std::bit_cast<Bits>(entries[k]) & exponent) + one;
  return (carried & sign) == 0;
}

/// Returns how many of `count` numbers are followed by a number that is not greater. J must be able
/// to hold `count`.
template <class J>
Index descents(const J* numbers, Index count) {
  J descents{0};
  for (Index k = 0; k + 1 < count; ++k)
    descents = static_cast<J>(descents + (numbers[k] >= numbers[k + 1]));
  return static_cast<Index>(descents);
}

}  // namespace linea::detail::rows
