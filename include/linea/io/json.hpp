// SPDX-License-Identifier: MIT
#pragma once
/// \file Writes and reads JSON (RFC 8259) whose members and their order are known, such as a model
/// file. A function of JsonWriter writes a part, and the function of JsonReader of the same name
/// reads it, so that one description, `pass`, serves both directions. Nothing recurses more deeply
/// than the description, and memory grows with what is read.
#include <algorithm>  // min
#include <array>
#include <charconv>
#include <cmath>  // isfinite, isnan
#include <cstddef>
#include <cstdio>  // snprintf
#include <limits>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/io/text.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>  // errc
#include <type_traits>
#include <utility>  // move
#include <vector>

namespace linea::io {

/// Writes JSON part by part. Each member of the outermost object has a line of its own.
class JsonWriter {
 public:
  bool is_float{false};  ///< does `number` pass floats?

  std::string take() { return std::move(text_); }
  std::string_view text() const { return text_; }

  /// Begins an object, or a list, which `more` ends.
  void open(char bracket) {
    text_ += bracket;
    depth_ += bracket == '{';
  }
  void close() {
    text_ += '}';
    --depth_;
  }

  /// Writes the name of the next member of an object.
  void key(std::string_view name) {
    if (!text_.ends_with('{')) text_ += depth_ == 1 ? ",\n" : ", ";
    text(name);
    text_ += ": ";
  }

  /// Continues a list with item k, or ends it if there are no more. Returns `has_more`.
  bool more(std::size_t k, bool has_more, bool on_line) {
    if (!has_more) {
      text_ += ']';
      return false;
    }
    if (k > 0) text_ += on_line ? "," : ", ";
    if (on_line) text_ += '\n';
    return true;
  }

  /// Writes null if `holds`. Returns `holds`.
  bool null_if(bool holds) {
    if (holds) text_ += "null";
    return holds;
  }

  void flag(bool value) { text_ += value ? "true" : "false"; }
  template <class T>
  void whole(T value) {
    detail::append_number(text_, value);
  }

  /// Writes a finite number, as the shortest text that reads back as the same double, or as the
  /// same float if `is_float`.
  void number(double value) {
    is_float ? detail::append_number(text_, static_cast<float>(value))
             : detail::append_number(text_, value);
  }

  /// Writes a number, "inf", "-inf", or null for NaN.
  void real(double value) {
    if (null_if(std::isnan(value))) return;
    std::isfinite(value) ? detail::append_number(text_, value) : text(value > 0 ? "inf" : "-inf");
  }

  /// Writes a text. Throws std::invalid_argument if it is not valid UTF-8.
  void text(std::string_view text, std::size_t = 0) {
    require(is_utf8(text), "write_model: the text '", excerpt(text), "' is not UTF-8");
    text_ += '"';
    for (const char c : text) {
      if (c == '"' || c == '\\') text_ += '\\';
      if (static_cast<unsigned char>(c) < 0x20) {
        char code[7];
        std::snprintf(code, sizeof code, "\\u%04x", unsigned{static_cast<unsigned char>(c)});
        text_ += code;
      } else {
        text_ += c;
      }
    }
    text_ += '"';
  }

  template <class... What>
  void demand(bool, const What&...) const {}
  template <class... What>
  void demand_of_last(bool, const What&...) const {}

  /// Writes name(value).
  template <class T, class Name>
  void one_of(T value, T, const Name& name) {
    text(name(value));
  }

 private:
  std::string text_{};
  int depth_{0};
};

/// Reads JSON part by part. Functions throw std::invalid_argument if the text differs from what
/// they ask for. The message has the source, line and column.
class JsonReader {
 public:
  bool is_float{false};

  JsonReader(std::string_view text, std::string_view name)
      : source_(text, name, 0), rest_(source_.text()) {}

  /// Returns the text that is not read yet.
  std::string_view rest() const { return rest_; }

  /// Skips blanks. Returns whether the text continues with the token, and reads it if so.
  bool accept(std::string_view token) {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  void open(char bracket) {
    expect({&bracket, 1});
    is_first_ = bracket == '{';
  }
  void close() { expect("}"); }

  void key(std::string_view name) {
    if (!is_first_) expect(",");
    is_first_ = false;
    expect("\"" + std::string(name) + "\"");
    expect(":");
  }

  bool more(std::size_t k, bool, bool) {
    if (accept("]")) return false;
    if (k > 0) expect(",");
    return true;
  }

  bool null_if(bool) { return accept("null"); }

  void flag(bool& value) {
    value = accept("true");
    if (!value && !accept("false")) refuse("expected true or false");
  }

  /// Reads an integer >= 0 that is in the range of T.
  template <class T>
  void whole(T& value) {
    const std::string_view word = number_word();
    const char* const last = word.data() + word.size();
    const auto [end, error] = std::from_chars(word.data(), last, value);
    if (error != std::errc{} || end != last || value < 0)
      refuse("expected a whole number >= 0 that is not too large");
    rest_.remove_prefix(word.size());
  }

  void number(double& value) {
    value = is_float ? static_cast<double>(scanned<float>()) : scanned<double>();
  }

  void real(double& value) {
    using Limits = std::numeric_limits<double>;
    if (accept("null"))
      value = Limits::quiet_NaN();
    else if (accept("\"inf\""))
      value = Limits::infinity();
    else if (accept("\"-inf\""))
      value = -Limits::infinity();
    else
      value = scanned<double>();
  }

  /// Reads a text of at most `most` bytes.
  void text(std::string& text, std::size_t most = std::string::npos) {
    if (!accept("\"")) refuse("expected a text in quotes");
    const std::string_view all = rest_;
    for (text.clear(); !rest_.starts_with('"');) {
      if (rest_.empty() || static_cast<unsigned char>(rest_.front()) < 0x20)
        refuse_at(all, "the text in quotes does not end in this line");
      if (rest_.front() == '\\') {
        append_escaped(text);
      } else {
        text += rest_.front();
        rest_.remove_prefix(1);
      }
    }
    if (!is_utf8(text)) refuse_at(all, "the text is not UTF-8");
    if (text.size() > most) refuse_at(all, "the text is too long");
    rest_.remove_prefix(1);
  }

  /// Sets the value to the one of T(0), T(1), …, `last` that has the name.
  template <class T, class Name>
  void one_of(T& value, T last, const Name& name) {
    (void)accept("");
    const std::string_view before = rest_;
    std::string word;
    std::string names;
    text(word);
    for (int k = 0; k <= static_cast<int>(last); ++k) {
      value = static_cast<T>(k);
      if (word == name(value)) return;
      names.append(names.empty() ? "" : ", ").append(name(value));
    }
    refuse_at(before, "expected one of ", names);
  }

  /// Throws unless the condition holds.
  template <class... What>
  void demand(bool condition, const What&... what) const {
    if (!condition) refuse(what...);
  }

  /// Throws unless the condition holds, which is about what was read last.
  template <class... What>
  void demand_of_last(bool condition, const What&... what) const {
    if (!condition) source_.refuse_before(rest_, what...);
  }

  /// Throws, with the rest of the line in the message.
  template <class... What>
  [[noreturn]] void refuse(const What&... what) const {
    refuse_at(rest_, what...);
  }

 private:
  void expect(std::string_view token) {
    if (!accept(token)) refuse("expected ", token);
  }

  /// Returns the number at the next place, or nothing if JSON has no such number: RFC 8259 has no
  /// leading zeros, no leading +, and digits on both sides of a point.
  std::string_view number_word() {
    (void)accept("");
    const std::string_view word = rest_.substr(0, rest_.find_first_not_of("+-.0123456789eE"));
    const std::string_view digits = word.substr(word.starts_with('-'));
    const auto is_digit = [&](std::size_t at) {
      return at < digits.size() && '0' <= digits[at] && digits[at] <= '9';
    };
    const std::size_t point = digits.find('.');
    const bool is_number = is_digit(0) && !(digits[0] == '0' && is_digit(1)) &&
                           (point == digits.npos || is_digit(point + 1));
    return is_number ? word : std::string_view();
  }

  template <Scalar T>
  T scanned() {
    const std::string_view word = number_word();
    T value{};
    const auto [end, fault] = scan_number(word, value);
    if (word.empty() || (!fault && end != word.data() + word.size())) refuse("expected a number");
    if (fault) refuse("the number ", fault);
    rest_.remove_prefix(word.size());
    return value;
  }

  /// Reads what follows a backslash, such as n or u00e4, and appends its character.
  void append_escaped(std::string& text) {
    constexpr std::string_view letters = "\"\\/bfnrt";
    const std::string_view before = rest_;
    const auto letter = letters.find(rest_.substr(1, 1));
    if (rest_.size() > 1 && letter != letters.npos) {
      text += "\"\\/\b\f\n\r\t"[letter];
      rest_.remove_prefix(2);
      return;
    }
    unsigned code = code_unit();
    if (0xD800 <= code && code < 0xE000) {
      const unsigned low = code < 0xDC00 ? code_unit() : 0;
      if (low < 0xDC00 || low >= 0xE000) refuse_at(before, "half of a surrogate pair");
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    append_utf8(text, code);
  }

  /// Reads u and four hexadecimal digits.
  unsigned code_unit() {
    unsigned code = 0;
    const char* const first = rest_.data() + 2;
    if (!rest_.starts_with("\\u") || rest_.size() < 6 ||
        std::from_chars(first, first + 4, code, 16).ptr != first + 4)
      refuse("expected an escape of JSON, such as \\n or \\u00e4");
    rest_.remove_prefix(6);
    return code;
  }

  static void append_utf8(std::string& text, unsigned code) {
    if (code < 0x80) {
      text += static_cast<char>(code);
      return;
    }
    const int rest = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;  // bytes after the first
    constexpr std::array<unsigned, 4> marks{0, 0xC0, 0xE0, 0xF0};
    text += static_cast<char>(marks[static_cast<std::size_t>(rest)] | code >> (6 * rest));
    for (int k = rest - 1; k >= 0; --k) text += static_cast<char>(0x80 | (code >> (6 * k) & 0x3F));
  }

  template <class... What>
  [[noreturn]] void refuse_at(std::string_view part, const What&... what) const {
    source_.refuse_at(part.substr(0, part.find('\n')), what...);
  }

  SourceText source_;
  std::string_view rest_;
  bool is_first_{false};  ///< is the next member the first of its object?
};

// `pass` writes a value by a JsonWriter, or reads it by a JsonReader.

template <class At, class T>
  requires(std::is_arithmetic_v<T> || std::is_same_v<T, std::string>)
void pass(At& at, T& value) {
  if constexpr (std::is_same_v<T, std::string>)
    at.text(value);
  else if constexpr (std::is_same_v<T, bool>)
    at.flag(value);
  else if constexpr (std::is_integral_v<T>)
    at.whole(value);
  else
    at.real(value);
}

/// Numbers and texts of a list stay on one line; other items have a line each.
template <class At, class T>
void pass(At& at, std::vector<T>& items) {
  constexpr bool on_lines = !std::is_arithmetic_v<T> && !std::is_same_v<T, std::string>;
  at.open('[');
  for (std::size_t k = 0; at.more(k, k < items.size(), on_lines); ++k) {
    if (k == items.size()) items.emplace_back();
    pass(at, items[k]);
  }
}

template <class At, class T>
void pass(At& at, std::optional<T>& value) {
  if (at.null_if(!value))
    value.reset();
  else
    pass(at, value ? *value : value.emplace());
}

template <class At>
void pass_members(At&) {}
/// Passes members of an object, which are names and values in turn.
template <class At, class T, class... Rest>
void pass_members(At& at, std::string_view name, T&& value, Rest&&... rest) {
  at.key(name);
  pass(at, value);
  pass_members(at, rest...);
}

template <class At, class... Members>
void pass_object(At& at, Members&&... members) {
  at.open('{');
  pass_members(at, members...);
  at.close();
}

}  // namespace linea::io
