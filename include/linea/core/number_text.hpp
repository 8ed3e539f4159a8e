// SPDX-License-Identifier: MIT
#pragma once
/// \file Numbers as text, for messages and files.
#include <charconv>
#include <concepts>
#include <linea/core/compiler.hpp>
#include <string>

namespace linea::core {

/// Appends the shortest text that reads back as the same value.
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

}  // namespace linea::core
