// SPDX-License-Identifier: MIT
#pragma once
/// \file Reads whole numbers from a command line.
#include <CLI/CLI.hpp>
#include <charconv>
#include <string>
#include <type_traits>

namespace program {

/// Parses the text of an option as a decimal whole number. Rejects other text, and numbers out of
/// the range of T. Use it as `transform` of an option: CLI11 alone reads 010 as 8, and replaces
/// numbers that are too large by the largest one.
template <class T>
CLI::Validator whole_number() {
  return {[](std::string& text) -> std::string {
            T number{};
            const char* const end = text.data() + text.size();
            const auto [stop, error] = std::from_chars(text.data(), end, number);
            if (error == std::errc::result_out_of_range) return '\'' + text + "' is too large";
            if (error != std::errc{} || stop != end)
              return '\'' + text +
                     (std::is_signed_v<T> ? "' is no whole number" : "' is no whole number >= 0");
            text = std::to_string(number);
            return {};
          },
          ""};
}

}  // namespace program
