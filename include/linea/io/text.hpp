// SPDX-License-Identifier: MIT
#pragma once
/// \file Parsing of text: numbers, positions and errors.
#include <algorithm>  // clamp, count, max, min, replace
#include <array>
#include <bit>     // bit_cast, countr_zero, endian
#include <cfloat>  // FLT_EVAL_METHOD
#include <charconv>
#include <cmath>  // abs
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>   // snprintf
#include <cstring>  // memcpy
#include <limits>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/io/decimal.hpp>
#include <string>
#include <string_view>
#include <system_error>  // errc

namespace linea::io {

inline constexpr std::array<std::uint64_t, 9> small_powers_of_ten{
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

/// Powers of ten that double can represent exactly.
inline constexpr std::array<double, 20> exact_powers_of_ten{
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,
    1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19};

/// Appends the digits at `at` to `number`, modulo 2⁶⁴. Returns the end of the digits, which another
/// character must follow.
inline const char* append_digits(const char* at, std::uint64_t& number) {
  for (;; ++at) {
    const auto digit = static_cast<unsigned char>(*at - '0');
    if (digit > 9) return at;
    number = 10 * number + digit;
  }
}

/// Does the same as append_digits, but reads eight bytes at a time, all before `limit`. This is
/// faster for more than a few digits. D. Lemire, Quickly parsing eight digits, 2022.
inline const char* append_decimals(const char* at, const char* limit, std::uint64_t& number) {
  if constexpr (std::endian::native == std::endian::little) {
    while (limit - at >= 8) {
      std::uint64_t bytes;
      std::memcpy(&bytes, at, sizeof bytes);
      bytes ^= 0x3030303030303030;  // digits become 0 to 9
      const std::uint64_t others = ((bytes + 0x7676767676767676) | bytes) & 0x8080808080808080;
      const int count = others ? std::countr_zero(others) / 8 : 8;
      if (count < 8) bytes = bytes << (56 - 8 * count) << 8;  // puts zeros before the digits
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

/// Reads a number such as -12.5 (digits with an optional sign and point) into `value`, correctly
/// rounded. Returns the end of the number, where there must be a character other than a digit.
/// Returns nullptr for other numbers and for too many digits; use `scan_number` for those.
///
/// A mantissa up to 2⁵³ and the power of ten are exact in double, so their quotient is rounded once
/// (W. D. Clinger, How to read floating point numbers accurately, PLDI 1990). For float the
/// quotient is rounded twice, which can err only if the double lies exactly in the middle between
/// two floats. The function then returns nullptr.
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
  // Up to 15 digits are below 2⁵³; up to 18 digits do not overflow.
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

/// Returns the largest allowed number of rows or columns of a text with `entries` entries: 16 for
/// each entry, and at least 2²². This limit keeps memory in proportion to the size of a large file.
constexpr Index trusted_size(Index entries) {
  constexpr Index most = std::numeric_limits<Index>::max();
  return entries > most / 16 ? most : std::max(Index{1} << 22, 16 * entries);
}

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Returns how often each character of `wanted` occurs in the text.
template <std::size_t N>
std::array<Index, N> count_characters(std::string_view text, const std::array<char, N>& wanted) {
  std::array<Index, N> counts{};
  while (!text.empty()) {
    // A count of at most 255 characters fits into a byte, and a vector register holds many bytes.
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

/// Returns whether the text is valid UTF-8 (RFC 3629).
inline bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[i + k]); };
    const unsigned first = byte(0);
    const std::size_t length = first < 0x80                    ? 1
                               : first >= 0xC2 && first < 0xE0 ? 2
                               : first >= 0xE0 && first < 0xF0 ? 3
                               : first >= 0xF0 && first < 0xF5 ? 4
                                                               : 0;
    if (length == 0 || i + length > text.size()) return false;
    for (std::size_t k = 1; k < length; ++k)
      if (byte(k) < 0x80 || byte(k) > 0xBF) return false;
    const bool is_overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
    const bool is_beyond = (first == 0xED && byte(1) > 0x9F) || (first == 0xF4 && byte(1) > 0x8F);
    if (is_overlong || is_beyond) return false;
    i += length;
  }
  return true;
}

/// Returns the text with control characters escaped.
inline std::string escaped(std::string_view text) {
  std::string shown;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      char code[5];
      std::snprintf(code, sizeof code, "\\x%02x", byte);
      shown += code;
    } else {
      shown += c;
    }
  }
  return shown;
}

/// Returns the first 40 bytes of the text, escaped, then "..." if there are more bytes.
inline std::string excerpt(std::string_view text) {
  return escaped(text.substr(0, 40)) + (text.size() > 40 ? "..." : "");
}

/// A text without its UTF-8 byte order mark, if any, and the name of the text in messages.
class SourceText {
 public:
  /// Takes a whole text. If its lines end in carriage returns only, makes a copy with newlines and
  /// uses the copy.
  SourceText(std::string_view text, std::string_view name) : SourceText(text, name, 0) {
    if (text_.find('\n') != text_.npos || text_.find('\r') == text_.npos) return;
    copy_.assign(text_);
    std::replace(copy_.begin(), copy_.end(), '\r', '\n');
    text_ = copy_;
  }
  /// Takes a part of a text, which follows `lines_before` lines of the same source. Does not
  /// convert carriage returns.
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

  /// Throws std::invalid_argument "name:line:column: what, got 'part'" about a part of the text.
  /// Lines and columns count from 1, columns in bytes.
  template <class... What>
  [[noreturn]] void refuse_at(std::string_view part, const What&... what) const {
    refuse_before(part, what..., ", got ", shown(part));
  }
  /// Throws std::invalid_argument "name:line:column: what" about what stands before the part.
  template <class... What>
  [[noreturn]] void refuse_before(std::string_view part, const What&... what) const {
    // A part that begins with the byte order mark begins before the text.
    const std::string_view before(begin(), std::max(begin(), part.data()));
    const auto line = lines_before_ + 1 + std::count(before.begin(), before.end(), '\n');
    const auto column = before.size() - (before.rfind('\n') + 1) + 1;
    refuse(name_, ':', line, ':', column, ": ", what...);
  }
  [[noreturn]] void refuse_without_sample() const {
    refuse_at(text_.substr(text_.size()), "there is no sample");
  }

 private:
  std::string shown(std::string_view part) const {
    const char* const at = part.data();
    if (!part.empty()) return "'" + excerpt(part) + "'";
    if (at == end()) return "the end of the text";
    return *at == '\n' || *at == '\r' ? "the end of the line" : "nothing";
  }

  std::string_view text_;
  std::string_view name_;
  Index lines_before_;
  std::string copy_{};
};

/// The end of a number, and a description of its fault, or nullptr if there is no fault.
struct ScannedNumber {
  const char* end;
  const char* fault;
};

/// Returns whether a number that is out of range is too small, not too large. It is too small if
/// the exponent moves the decimal point before the first non-zero digit.
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
  constexpr long long far = 1LL << 61;  // exceeds any text's length; sums do not overflow
  return (leading < point ? point - leading - 1 : point - leading) +
             std::clamp(exponent, -far, far) <
         0;
}

/// Reads the decimal number at the beginning of a text into `value`, correctly rounded. Numbers too
/// small for T become ±0; numbers too large, infinity and NaN are faults. A leading + is allowed.
template <Scalar T>
ScannedNumber scan_number(std::string_view text, T& value) {
  const char* const first = text.data();
  const char* const last = first + text.size();
  const char* number = first;
  if (number != last && *number == '+') ++number;
  const bool negative = number != last && *number == '-';
  if (negative && number != first) return {first, "is not a number"};
  const auto [end, error] = decimal_from<T>({number, last}, value);
  if (error == std::errc::invalid_argument) return {first, "is not a number"};
  const char lead = number[negative];
  if (lead != '.' && (lead < '0' || lead > '9')) return {end, "is not finite"};
  if (error == std::errc::result_out_of_range) [[unlikely]] {
    if (!underflows({number, end}))
      return {end, sizeof(T) == sizeof(float) ? "is too large for a float"
                                              : "is too large for a double"};
    value = negative ? -T(0) : T(0);
  }
  return {end, nullptr};
}

/// Returns whether the word is a whole number, digits with an optional sign, that is not `label`,
/// the double nearest to it. This can only be from 2⁵³ on. Such words are labels or identifiers of
/// 64-bit integers; as doubles, several of them are equal.
inline bool is_rounded_label(std::string_view word, double label) {
  const double size = std::abs(label);
  if (!(size >= 0x1p53)) [[likely]]
    return false;
  if (word.starts_with('-') || word.starts_with('+')) word.remove_prefix(1);
  word.remove_prefix(std::min(word.find_first_not_of('0'), word.size()));
  char exact[330];
  std::snprintf(exact, sizeof exact, "%.0f", size);
  return word.find_first_not_of("0123456789") == word.npos && word != exact;
}

/// Throws if `word`, read as `label`, is a rounded label. `remedy` keeps such labels apart.
inline void require_exact_label(const SourceText& source, std::string_view word, double label,
                                std::string_view remedy) {
  if (!is_rounded_label(word, label)) [[likely]]
    return;
  char rounded[330];
  std::snprintf(rounded, sizeof rounded, "%.0f", label);
  source.refuse_at(word, "as a double the label would be ", rounded, ", like others: ", remedy,
                   ", or write a decimal point into a number that may be rounded");
}

/// Reads a text word by word. Blanks and line ends separate words. Error messages have the position
/// of the word.
class Words {
 public:
  Words(std::string_view text, std::string_view name) : source_(text, name), at_(source_.begin()) {}

  /// Returns the number of bytes that are not read yet.
  Index left() const { return source_.end() - at_; }

  /// Returns the next word, or an empty one at the end of the text.
  std::string_view next() {
    while (at_ != source_.end() && (is_space(*at_) || *at_ == '\n')) ++at_;
    return next_in_line();
  }

  /// Returns the next word of the line, or an empty one at the end of the line.
  std::string_view next_in_line() {
    while (at_ != source_.end() && is_space(*at_)) ++at_;
    const char* const first = at_;
    while (at_ != source_.end() && !is_space(*at_) && *at_ != '\n') ++at_;
    return {first, at_};
  }

  /// Converts a word to a finite number.
  template <Scalar T>
  T number(std::string_view word, std::string_view what) const {
    T value{};
    const auto [end, fault] = scan_number(word, value);
    if (fault) refuse(word, what, ' ', fault);
    if (end != word.data() + word.size()) refuse(word, what, " is not a number");
    return value;
  }

  /// Converts a word to an integer from `least` to `most`. `bound` explains `most` in messages.
  Index whole(std::string_view word, std::string_view what, Index least, Index most,
              std::string_view bound = "") const {
    Index value = 0;
    const char* const last = word.data() + word.size();
    const auto [end, error] = std::from_chars(word.data(), last, value);
    if (error != std::errc{} || end != last || value < least || value > most)
      refuse(word, what, " must be a whole number from ", least, " to ", most, bound);
    return value;
  }

  template <class... What>
  [[noreturn]] void refuse(std::string_view word, const What&... what) const {
    source_.refuse_at(word, what...);
  }

  std::string_view name() const { return source_.name(); }

 private:
  static constexpr bool is_space(char c) { return is_blank(c) || c == '\r'; }

  SourceText source_;
  const char* at_;
};

}  // namespace linea::io
