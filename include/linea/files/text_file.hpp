// SPDX-License-Identifier: MIT
#pragma once
/// \file Whole files of text read into memory: what is no text is refused before it fills it.
#include <cstddef>
#include <filesystem>
#include <linea/files/file.hpp>
#include <linea/files/text.hpp>
#include <string>
#include <string_view>

namespace linea::files {

/// How long a line of a pipe may be: something without an end, like `tr '\\0' x </dev/zero`, would
/// fill the memory.
inline constexpr std::size_t longest_line_of_pipe = std::size_t{1} << 28;

/// Like `read_file`, and refuses, as soon as it is read, a byte 0, which no text has, and a line
/// longer than `longest_line` in what has no size, both by "path:line:column: what".
inline FileBytes read_text(std::string_view function, const std::filesystem::path& path,
                           std::size_t longest_line = longest_line_of_pipe) {
  std::size_t line = 0;  // where the last one begins
  return read_file(function, path, [&](std::string_view text, std::size_t from, bool is_endless) {
    const auto refuse_at = [&](std::size_t at, std::size_t end, const auto&... what) {
      SourceText(text, path.string()).refuse_at(text.data() + at, text.data() + end, what...);
    };
    const auto zero = text.find('\0', from);
    if (zero != text.npos) refuse_at(zero, zero + 1, "a byte 0 does not belong into a text");
    const auto newline = text.substr(from).rfind('\n');
    if (newline != text.npos) line = from + newline + 1;
    if (is_endless && text.size() - line > longest_line)
      refuse_at(line, text.size(), "a line of a pipe is longer than ", longest_line, " bytes");
  });
}

}  // namespace linea::files
