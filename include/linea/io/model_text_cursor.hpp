// SPDX-License-Identifier: MIT
#pragma once
/// \file The words, numbers and quoted texts of a model's lines, read one after the other.
#include <charconv>
#include <cmath>  // isfinite
#include <cstddef>
#include <limits>
#include <linea/core/types.hpp>
#include <linea/io/text.hpp>
#include <string>
#include <string_view>
#include <system_error>  // errc

namespace linea::io {

/// A place in a text. Every function reads what must stand there, in one way only: single spaces,
/// no blanks at the ends of lines. What does not is refused by line and column.
template <class Source = SourceText>
class ModelTextCursor {
 public:
  ModelTextCursor(std::string_view text, std::string_view name)
      : source_(text, name), at_(source_.begin()) {}

  std::size_t left() const { return static_cast<std::size_t>(source_.end() - at_); }
  const char* at() const { return at_; }

  /// Does this stand here? If so, it is read.
  bool accept(std::string_view word) {
    if (std::string_view(at_, left()).substr(0, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  void expect(std::string_view word) {
    if (!accept(word)) refuse_rest("expected ", shown(word));
  }

  /// What stands before the next blank, or before the end of the line.
  std::string_view word() {
    const char* const first = at_;
    while (at_ != source_.end() && *at_ != ' ' && *at_ != '\n') ++at_;
    return {first, static_cast<std::size_t>(at_ - first)};
  }

  /// "key" and a whole number ≥ 0, in a line of their own.
  Index count(std::string_view key) {
    expect(key);
    expect(" ");
    const Index value = whole();
    expect("\n");
    return value;
  }

  /// A whole number ≥ 0.
  Index whole() {
    Index value = 0;
    const char* const first = at_;
    const auto [end, error] = std::from_chars(first, source_.end(), value);
    if (error == std::errc::result_out_of_range) refuse_word(first, "the number is too large");
    if (error != std::errc{} || *first == '-') refuse_word(first, "expected a whole number");
    at_ = end;
    return value;
  }

  /// A finite number, correctly rounded to T.
  template <class T>
  T finite() {
    T value{};
    const auto [end, fault] = scan_number(at_, source_.end(), value);
    if (fault) refuse_word(at_, "the number ", fault);
    at_ = end;
    return value;
  }

  /// A number, "inf", "-inf" or "nan".
  double real() {
    constexpr double inf = std::numeric_limits<double>::infinity();
    if (accept("nan")) return std::numeric_limits<double>::quiet_NaN();
    if (accept("inf")) return inf;
    if (accept("-inf")) return -inf;
    return finite<double>();
  }

  /// A text in quotes.
  std::string quoted() {
    const char* const first = at_;
    expect("\"");
    std::string text;
    for (;;) {
      const char* const run = at_;
      while (at_ != source_.end() && *at_ != '"' && *at_ != '\\' && *at_ != '\n') ++at_;
      text.append(run, at_);
      if (accept("\"")) return text;
      if (at_ == source_.end() || *at_ == '\n')
        refuse_word(first, "the text in quotes does not end in this line");
      text += escaped();
    }
  }

  /// Refuses what stands from here to the end of the line.
  template <class... What>
  [[noreturn]] void refuse_rest(const What&... what) const {
    const char* last = at_;
    while (last != source_.end() && *last != '\n') ++last;
    source_.refuse_at(at_, last, what...);
  }

  /// Refuses the word that begins at `first`.
  template <class... What>
  [[noreturn]] void refuse_word(const char* first, const What&... what) const {
    const char* last = first;
    while (last != source_.end() && *last != ' ' && *last != '\n') ++last;
    source_.refuse_at(first, last, what...);
  }

 private:
  /// One of \" \\ \xHH.
  char escaped() {
    const char* const first = at_;
    if (accept("\\\"")) return '"';
    if (accept("\\\\")) return '\\';
    unsigned char byte = 0;
    if (accept("\\x") && left() >= 2) {
      const auto [end, error] = std::from_chars(at_, at_ + 2, byte, 16);
      if (error == std::errc{} && end == at_ + 2) {
        at_ = end;
        return static_cast<char>(byte);
      }
    }
    refuse_word(first, "expected \\\", \\\\ or \\x and two hexadecimal digits");
  }

  static std::string shown(std::string_view word) {
    if (word == "\n") return "the end of the line";
    if (word.ends_with('\n')) word.remove_suffix(1);
    return "'" + std::string(word) + "'";
  }

  Source source_;
  const char* at_;
};

}  // namespace linea::io
