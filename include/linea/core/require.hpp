// SPDX-License-Identifier: MIT
#pragma once
/// \file Functions that throw for invalid input, and the texts of their messages. One function
/// builds all messages from their parts, which keeps compile times short.
#include <charconv>
#include <concepts>
#include <initializer_list>
#include <linea/core/compiler.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

namespace linea {

namespace detail {

/// A part of a message: a text, a letter or a number. The part does not own its text.
class MessagePart {
 public:
  constexpr MessagePart(const char* text) : kind_(Kind::text), text_(text), size_(0) {
    while (text[size_] != '\0') ++size_;
  }
  constexpr MessagePart(std::string_view text)
      : kind_(Kind::text), text_(text.data()), size_(text.size()) {}
  constexpr MessagePart(const std::string& text)
      : kind_(Kind::text), text_(text.data()), size_(text.size()) {}
  constexpr MessagePart(char letter) : kind_(Kind::letter), whole_(letter) {}
  constexpr MessagePart(int value) : kind_(Kind::whole), whole_(value) {}
  constexpr MessagePart(long value) : kind_(Kind::whole), whole_(value) {}
  constexpr MessagePart(long long value) : kind_(Kind::whole), whole_(value) {}
  constexpr MessagePart(unsigned value) : kind_(Kind::natural), natural_(value) {}
  constexpr MessagePart(unsigned long value) : kind_(Kind::natural), natural_(value) {}
  constexpr MessagePart(unsigned long long value) : kind_(Kind::natural), natural_(value) {}
  constexpr MessagePart(double value) : kind_(Kind::number), number_(value) {}

  void append_to(std::string& text) const;

 private:
  enum class Kind : unsigned char { text, letter, whole, natural, number };
  Kind kind_;
  const char* text_{nullptr};
  union {
    std::size_t size_;
    long long whole_;
    unsigned long long natural_;
    double number_;
  };
};

/// Appends the part. A double has at most six significant digits. The text does not depend on the
/// locale.
[[gnu::cold, gnu::noinline]] inline void MessagePart::append_to(std::string& text) const {
  char digits[32];
  char* const last = digits + sizeof digits;
  if (kind_ == Kind::text)
    text.append(text_, size_);
  else if (kind_ == Kind::letter)
    text.push_back(static_cast<char>(whole_));
  else if (kind_ == Kind::whole)
    text.append(digits, std::to_chars(digits, last, whole_).ptr);
  else if (kind_ == Kind::natural)
    text.append(digits, std::to_chars(digits, last, natural_).ptr);
  else
    text.append(digits, std::to_chars(digits, last, number_, std::chars_format::general, 6).ptr);
}

[[gnu::cold, gnu::noinline]] inline std::string text_of(std::initializer_list<MessagePart> parts) {
  std::string text;
  for (const MessagePart& part : parts) part.append_to(text);
  return text;
}

/// Appends the shortest text that reads back as the same value; a bool is 0 or 1.
template <class T>
  requires std::integral<T> || std::floating_point<T>
void append_number(std::string& text, T value) {
  char digits[32];
  char* end = digits;
  if constexpr (std::same_as<T, bool>)
    end = std::to_chars(digits, digits + sizeof digits, static_cast<int>(value)).ptr;
  else
    end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  text.append(digits, end);
}

template <class T>
std::string number_text(T value) {
  std::string text;
  append_number(text, value);
  return text;
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_parts(
    std::initializer_list<MessagePart> parts) {
  throw std::invalid_argument(text_of(parts));
}

}  // namespace detail

/// Throws Refusal with the concatenated parts as its message.
template <class Refusal = std::invalid_argument, class... Parts>
[[noreturn]] void refuse(const Parts&... parts) {
  if constexpr (std::same_as<Refusal, std::invalid_argument>)
    detail::refuse_parts({detail::MessagePart(parts)...});
  else
    throw Refusal(detail::text_of({detail::MessagePart(parts)...}));
}

/// Throws std::invalid_argument unless `condition` holds. The message is built only if the
/// condition is false.
template <class... Parts>
constexpr void require(bool condition, const Parts&... parts) {
  if (!condition) [[unlikely]]
    detail::refuse_parts({detail::MessagePart(parts)...});
}

}  // namespace linea
