// SPDX-License-Identifier: MIT
#pragma once
/// \file Reads whole text files into memory, and rejects files that are not text early.
#include <array>
#include <cstddef>
#include <filesystem>
#include <linea/core/require.hpp>
#include <linea/io/file.hpp>
#include <linea/io/text.hpp>
#include <string>
#include <string_view>
#include <utility>  // move

namespace linea::io {

/// The largest length of a line of a pipe. Without a limit, endless input such as `tr '\\0' x
/// </dev/zero` would fill the memory.
inline constexpr std::size_t longest_line_of_pipe = std::size_t{1} << 28;

/// Detects a file that is not UTF-8 text from its first bytes. Returns its format and how to
/// convert it to text, or an empty description if the file may be text.
inline std::string_view other_than_text(std::string_view bytes) {
  using namespace std::string_view_literals;
  constexpr std::array<std::array<std::string_view, 2>, 12> kinds{{
      {"\xff\xfe\0\0"sv, "UTF-32: convert it, as by iconv -f UTF-32 -t UTF-8"sv},
      {"\0\0\xfe\xff"sv, "UTF-32: convert it, as by iconv -f UTF-32 -t UTF-8"sv},
      {"\xff\xfe"sv, "UTF-16: convert it, as by iconv -f UTF-16 -t UTF-8"sv},
      {"\xfe\xff"sv, "UTF-16: convert it, as by iconv -f UTF-16 -t UTF-8"sv},
      {"PK\3\4"sv, "a zip archive, like .npz and .xlsx: unpack it, or save it as .csv or .npy"sv},
      {"\x1f\x8b"sv, "compressed by gzip: decompress it with gunzip"sv},
      {"\xfd"
       "7zXZ"sv,
       "compressed by xz: decompress it with unxz"sv},
      {"\x28\xb5\x2f\xfd"sv, "compressed by zstd: decompress it with unzstd"sv},
      {"7z\xbc\xaf\x27\x1c"sv, "a 7z archive: unpack it with 7z x"sv},
      {"\xd0\xcf\x11\xe0"sv, "a workbook of Excel: save it as .csv"sv},
      {"\x89HDF"sv, "an HDF5 file: save its arrays as .npy or .csv"sv},
      {"PAR1\x15"sv, "a Parquet file: save it as .csv"sv},
  }};
  for (const auto& [begins, kind] : kinds)
    if (bytes.substr(0, begins.size()) == begins) return kind;
  if (bytes.size() < 5) return {};
  if (bytes.substr(0, 3) == "BZh" && (bytes[4] == '1' || bytes[4] == '\x17'))
    return "compressed by bzip2: decompress it with bunzip2";
  const auto is_zero = [&](std::size_t i) { return bytes[i] == '\0'; };
  if (!is_zero(0) && is_zero(1) && is_zero(3))
    return is_zero(2) ? "UTF-32: convert it, as by iconv -f UTF-32LE -t UTF-8"
                      : "UTF-16: convert it, as by iconv -f UTF-16LE -t UTF-8";
  if (is_zero(0) && !is_zero(1) && is_zero(2) && !is_zero(3))
    return "UTF-16: convert it, as by iconv -f UTF-16BE -t UTF-8";
  return {};
}

/// Throws if `beginning` looks like compressed data, another binary file, or text in UTF-16 or
/// UTF-32.
inline void require_text(std::string_view beginning, std::string_view name) {
  const auto kind = other_than_text(beginning);
  require(kind.empty(), name, ": the file is ", kind);
}

/// Throws for bytes that are not text, as soon as they are read. The message is "name: what" for
/// files that `require_text` rejects, and "name:line:column: what" for a byte 0 and, if the size is
/// unknown, for a line longer than `longest_line`.
class TextCheck {
 public:
  explicit TextCheck(std::string name, std::size_t longest_line = longest_line_of_pipe)
      : name_(std::move(name)), longest_line_(longest_line) {}

  /// Checks the text from `from` on; the text before has been checked already.
  void operator()(std::string_view text, std::size_t from, bool is_endless) {
    const SourceText source(text, name_, 0);
    if (from < 8) require_text(text, name_);
    const auto zero = text.find('\0', from);
    if (zero != text.npos) source.refuse_at(text.substr(zero, 1), "a text cannot have a byte 0");
    const auto newline = text.substr(from).find_last_of("\r\n");
    if (newline != text.npos) line_ = from + newline + 1;
    if (is_endless && text.size() - line_ > longest_line_)
      source.refuse_at(text.substr(line_), "a line of a pipe is longer than ", longest_line_,
                       " bytes");
  }

 private:
  std::string name_;
  std::size_t longest_line_;
  std::size_t line_{0};  ///< offset of the last line
};

/// Reads a file as `read_file` does, with a TextCheck.
inline FileBytes read_text(std::string_view function, const std::filesystem::path& path,
                           std::size_t longest_line = longest_line_of_pipe) {
  return read_file(function, path, TextCheck(path.string(), longest_line));
}

}  // namespace linea::io
