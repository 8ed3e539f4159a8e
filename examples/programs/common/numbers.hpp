// SPDX-License-Identifier: MIT
#pragma once
/// \file Numbers in text, and lists.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace program {

/// Returns the number if it is the whole text, else nothing.
template <class T>
std::optional<T> whole_text(std::string_view text) {
  T number{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && stop == end ? std::optional(number) : std::nullopt;
}

/// Returns the number with at most `count` significant digits.
inline std::string digits(double value, int count = 4) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", count, value);
  return text;
}

/// Returns the parts of a text between commas.
inline std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size(); at += parts.back().size() + 1)
    parts.push_back(text.substr(at, text.find(',', at) - at));
  return parts;
}

/// Returns the distinct values, ascending.
template <class T>
std::vector<T> distinct(std::vector<T> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

}  // namespace program
