// SPDX-License-Identifier: MIT
#pragma once
/// \file Numbers in a text, whatever the locale, and messages that name line and column.
#include <algorithm>  // clamp, count, max, min, replace
#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>  // snprintf
#include <limits>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <string>
#include <string_view>
#include <system_error>  // errc

namespace linea::io {

/// How many rows or columns a text of so many entries is trusted with: memory is to be in
/// proportion to the file.
constexpr Index trusted_size(Index entries) {
  constexpr Index most = std::numeric_limits<Index>::max();
  return entries > most / 16 ? most : std::max(Index{1} << 22, 16 * entries);
}

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// How often each of `wanted` occurs.
template <std::size_t N>
std::array<Index, N> count_characters(std::string_view text, const std::array<char, N>& wanted) {
  std::array<Index, N> counts{};
  while (!text.empty()) {
    // So few that a count fits a byte: vector registers hold many of those.
    const std::string_view part = text.substr(0, 255);
    for (std::size_t k = 0; k < N; ++k) {
      std::uint8_t count = 0;
      for (const char c : part) count = static_cast<std::uint8_t>(count + (c == wanted[k]));
      counts[k] += count;
    }
    text.remove_prefix(part.size());
  }
  return counts;
}

/// At most 40 bytes of [first, last), control characters spelled out.
inline std::string excerpt(const char* first, const char* last) {
  std::string shown;
  const char* stop = first + std::min<std::ptrdiff_t>(last - first, 40);
  for (; first != stop; ++first) {
    const auto byte = static_cast<unsigned char>(*first);
    char escaped[5];
    std::snprintf(escaped, sizeof escaped, byte < 0x20 || byte == 0x7f ? "\\x%02x" : "%c", byte);
    shown += escaped;
  }
  if (stop != last) shown += "...";
  return shown;
}

/// A text and the name it goes by in messages. A UTF-8 byte order mark in front is skipped.
class SourceText {
 public:
  /// A whole text. If it has no newline, carriage returns end its lines: a copy has newlines there.
  SourceText(std::string_view text, std::string_view name) : SourceText(text, name, 0) {
    if (text_.find('\n') != text_.npos || text_.find('\r') == text_.npos) return;
    copy_.assign(text_);
    std::replace(copy_.begin(), copy_.end(), '\r', '\n');
    text_ = copy_;
  }
  /// Part of a text, as it is, behind `lines_before` lines of the same source.
  SourceText(std::string_view text, std::string_view name, Index lines_before)
      : text_(text), name_(name), lines_before_(lines_before) {
    if (lines_before == 0 && text_.substr(0, 3) == "\xef\xbb\xbf") text_.remove_prefix(3);
  }
  SourceText(const SourceText&) = delete;  // text_ may point into copy_
  SourceText& operator=(const SourceText&) = delete;

  std::string_view text() const { return text_; }
  std::string_view name() const { return name_; }
  const char* begin() const { return text_.data(); }
  const char* end() const { return text_.data() + text_.size(); }

  /// Throws std::invalid_argument "name:line:column: what, got 'text'" where the text in question
  /// is [first, last). Lines and columns count from 1, columns in bytes.
  template <class... What>
  [[noreturn]] void refuse_at(const char* first, const char* last, const What&... what) const {
    const std::string_view before(begin(), static_cast<std::size_t>(first - begin()));
    const auto line = lines_before_ + 1 + std::count(before.begin(), before.end(), '\n');
    const auto column = before.size() - (before.rfind('\n') + 1) + 1;
    refuse(name_, ':', line, ':', column, ": ", what..., ", got ", shown(first, last));
  }

 private:
  std::string shown(const char* first, const char* last) const {
    std::string text;
    if (first != last)
      text.append("'").append(excerpt(first, last)).append("'");
    else if (first == end())
      text = "the end of the text";
    else
      text = *first == '\n' || *first == '\r' ? "the end of the line" : "nothing";
    return text;
  }

  std::string_view text_;
  std::string_view name_;
  Index lines_before_;
  std::string copy_{};
};

/// Where the number ended, and what is wrong with it: nullptr when nothing is.
struct ScannedNumber {
  const char* end;
  const char* fault;
};

/// Is a number out of T's range because it is too small? It is if its first digit other than 0
/// stands behind the point once the exponent has moved the point.
inline bool underflows(std::string_view number) {
  const auto e = std::min(number.find_first_of("eE"), number.size());
  const std::string_view digits = number.substr(0, e);
  const auto point = static_cast<long long>(std::min(digits.find('.'), digits.size()));
  if (digits.find_first_of("123456789") == digits.npos) return true;
  const auto leading = static_cast<long long>(digits.find_first_of("123456789"));
  std::string_view power = number.substr(std::min(e + 1, number.size()));
  if (power.substr(0, 1) == "+") power.remove_prefix(1);
  long long exponent = 0;
  const auto scanned = std::from_chars(power.data(), power.data() + power.size(), exponent);
  if (scanned.ec == std::errc::result_out_of_range) return power.front() == '-';
  constexpr long long far = 1LL << 61;  // beyond all text, and no sum overflows
  return (leading < point ? point - leading - 1 : point - leading) +
             std::clamp(exponent, -far, far) <
         0;
}

/// Reads the decimal number in front of [first, last) into value, correctly rounded. One too small
/// for T becomes ±0; one too large, an infinity or a NaN is a fault. A leading + is allowed.
/// Does not rely on isfinite, which -ffast-math takes away.
template <Scalar T>
ScannedNumber scan_number(const char* first, const char* last, T& value) {
  const char* number = first;
  if (number != last && *number == '+') ++number;
  const bool negative = number != last && *number == '-';
  if (negative && number != first) return {first, "is not a number"};
  const auto [end, error] = std::from_chars(number, last, value);
  if (error == std::errc::invalid_argument) return {first, "is not a number"};
  const char lead = number[negative];
  if (lead != '.' && (lead < '0' || lead > '9')) return {end, "is not finite"};
  if (error == std::errc::result_out_of_range) [[unlikely]] {
    if (!underflows({number, static_cast<std::size_t>(end - number)}))
      return {end, sizeof(T) == sizeof(float) ? "is too large for a float"
                                              : "is too large for a double"};
    value = negative ? -T(0) : T(0);
  }
  return {end, nullptr};
}

}  // namespace linea::io
