// SPDX-License-Identifier: MIT
#pragma once
/// \file Decimal numbers short enough to be read exactly in a few instructions.
#include <array>
#include <bit>     // bit_cast, countr_zero, endian
#include <cfloat>  // FLT_EVAL_METHOD
#include <concepts>
#include <cstdint>
#include <cstring>  // memcpy
#include <linea/core/types.hpp>

namespace linea::io {

inline constexpr std::array<std::uint64_t, 9> small_powers_of_ten{
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

/// Powers of ten that double holds exactly.
inline constexpr std::array<double, 20> exact_powers_of_ten{
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,
    1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19};

/// Appends the digits at `at` to `number`, modulo 2⁶⁴, and returns where they stop: something other
/// than a digit must stand behind them.
inline const char* append_digits(const char* at, std::uint64_t& number) {
  for (;; ++at) {
    const auto digit = static_cast<unsigned char>(*at - '0');
    if (digit > 9) return at;
    number = 10 * number + digit;
  }
}

/// The same, faster where there are more than a few digits: eight bytes at a time, none of them at
/// `limit` or beyond. D. Lemire, Quickly parsing eight digits, 2022.
inline const char* append_decimals(const char* at, const char* limit, std::uint64_t& number) {
  if constexpr (std::endian::native == std::endian::little) {
    while (limit - at >= 8) {
      std::uint64_t bytes;
      std::memcpy(&bytes, at, sizeof bytes);
      bytes ^= 0x3030303030303030;  // digits become 0 to 9
      const std::uint64_t others = ((bytes + 0x7676767676767676) | bytes) & 0x8080808080808080;
      const int count = others ? std::countr_zero(others) / 8 : 8;
      if (count < 8) bytes = bytes << (56 - 8 * count) << 8;  // as if zeros stood before them
      bytes = 10 * bytes + (bytes >> 8);
      bytes = ((bytes & 0x000000ff000000ff) * 0x000f424000000064 +
               ((bytes >> 16) & 0x000000ff000000ff) * 0x0000271000000001) >>
              32;
      number = number * small_powers_of_ten[static_cast<std::size_t>(count)] + bytes;
      at += count;
      if (count < 8) return at;
    }
  }
  return append_digits(at, number);
}

/// Reads a number such as -12.5, digits with perhaps a sign and a point, into `value`, correctly
/// rounded. Returns where it ends; something other than a digit must stand there. Returns nullptr
/// for what is no such number or has too many digits for this way of reading: `scan_number` is to
/// be asked then.
///
/// A mantissa up to 2⁵³ and the power of ten are exact in double, so their quotient is rounded once
/// (W. D. Clinger, How to read floating point numbers accurately, PLDI 1990). For float it is
/// rounded again, which can err only where it lies in the middle between two floats.
template <Scalar T>
[[gnu::always_inline]] inline const char* short_decimal(const char* at, const char* limit,
                                                        T& value) {
  if (FLT_EVAL_METHOD != 0) return nullptr;
  const bool negative = *at == '-';
  at += negative || *at == '+';
  std::uint64_t mantissa = 0;
  const char* const point = append_digits(at, mantissa);
  if (*point != '.') {
    if (point == at || point - at > 18) [[unlikely]]
      return nullptr;
    value = static_cast<T>(static_cast<std::int64_t>(mantissa)) * (negative ? T(-1) : T(1));
    return point;
  }
  const char* const end = append_decimals(point + 1, limit, mantissa);
  if (end == point + 1) [[unlikely]]
    return nullptr;
  // Up to 15 digits stay below 2⁵³, up to 18 do not wrap around.
  if (end - at > 16 && (end - at > 19 || mantissa > std::uint64_t{1} << 53)) [[unlikely]]
    return nullptr;
  const double quotient = static_cast<double>(static_cast<std::int64_t>(mantissa)) /
                          exact_powers_of_ten[static_cast<std::size_t>(end - point - 1)];
  if constexpr (std::same_as<T, float>)
    if ((std::bit_cast<std::uint64_t>(quotient) & 0x1fffffff) == 0x10000000) [[unlikely]]
      return nullptr;
  value = static_cast<T>(quotient) * (negative ? T(-1) : T(1));
  return end;
}

}  // namespace linea::io
