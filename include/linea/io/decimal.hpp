// SPDX-License-Identifier: MIT
#pragma once
/// \file Conversion of decimal numbers with any standard library: libc++ has no std::from_chars of
/// floating-point numbers before version 20.
#include <charconv>
#include <cmath>  // isinf
#include <linea/core/platform.hpp>
#include <linea/core/types.hpp>
#include <string>
#include <string_view>
#include <system_error>  // errc

namespace linea::io {

/// Returns the end of the decimal number at the beginning of a text: what std::from_chars reads as
/// std::chars_format::general, without a payload of NaN. Returns the beginning if there is none.
inline const char* end_of_decimal(std::string_view text) {
  const char* at = text.data();
  const char* const last = at + text.size();
  const auto skip_digits = [&] {
    const char* const from = at;
    while (at != last && *at >= '0' && *at <= '9') ++at;
    return at != from;
  };
  if (at != last && *at == '-') ++at;
  for (const std::string_view name : {"infinity", "inf", "nan"}) {
    std::size_t same = 0;
    while (same < name.size() && at + same != last && (at[same] | 0x20) == name[same]) ++same;
    if (same == name.size()) return at + same;
  }
  bool has_digits = skip_digits();
  if (at != last && *at == '.') {
    ++at;
    has_digits |= skip_digits();
  }
  if (!has_digits) return text.data();
  if (const char* const number = at; at != last && (*at == 'e' || *at == 'E')) {
    ++at;
    if (at != last && (*at == '-' || *at == '+')) ++at;
    if (!skip_digits()) at = number;
  }
  return at;
}

/// Reads the decimal number at the beginning of a text as std::from_chars does, but by the C
/// library in the locale "C".
template <Scalar T>
std::from_chars_result decimal_by_c_library(std::string_view text, T& value) {
  const char* const end = end_of_decimal(text);
  if (end == text.data()) return {end, std::errc::invalid_argument};
  const std::string number(text.data(), end);
  const T read = detail::decimal_of(number.c_str(), T{});
  const std::string_view digits = std::string_view(number).substr(0, number.find_first_of("eE"));
  const bool is_named = digits.find_first_of("0123456789") == digits.npos;
  if (!is_named &&
      (std::isinf(read) || (read == T(0) && digits.find_first_of("123456789") != digits.npos)))
    return {end, std::errc::result_out_of_range};
  value = read;
  return {end, std::errc{}};
}

/// Reads the decimal number at the beginning of a text, correctly rounded: std::from_chars, or
/// decimal_by_c_library where the standard library has no such overload.
template <Scalar T>
std::from_chars_result decimal_from(std::string_view text, T& value) {
  const char* const first = text.data();
  if constexpr (requires { std::from_chars(first, first, value); })
    return std::from_chars(first, first + text.size(), value);
  else
    return decimal_by_c_library(text, value);
}

}  // namespace linea::io
