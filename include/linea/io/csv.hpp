// SPDX-License-Identifier: MIT
#pragma once
/// \file Reader of comma-separated values (RFC 4180): numbers in columns, one of them the target.
#include <filesystem>
#include <linea/core/require.hpp>
#include <linea/io/csv_reader.hpp>
#include <linea/io/text.hpp>
#include <linea/io/text_file.hpp>
#include <string_view>

namespace linea {

/// Reads CSV text into a dense x (n × d) and y (n); `source_name` stands for it in messages.
///
/// Allowed: a header, cells in double quotes (a quote inside is doubled; separators and newlines
/// lose their meaning there), blanks around cells, blank lines, CRLF, texts whose lines all end in
/// CR, no newline at the very end.
/// Numbers are read as in `parse_libsvm`, with a point whatever the locale.
///
/// Refused, by std::invalid_argument "source:line:column: what, got 'text'": lines that are shorter
/// or longer than the first, empty cells, cells that are not numbers, NaN and infinity (but for
/// `missing_values` among the features), numbers too large for T, a quote that is never closed or
/// has text behind it, and text without any sample.
template <Scalar T>
CsvData<T> parse_csv(std::string_view text, std::string_view source_name,
                     const CsvOptions& options = {}) {
  const char c = options.separator;
  require(io::can_separate(c), "parse_csv: '", io::excerpt(&c, &c + 1), "' cannot separate cells");
  const io::SourceText source(text, source_name);
  return io::CsvReader<T>(source, options).read();
}

/// The same from a file, all of which is held in memory while it is read. A file that cannot be
/// opened is refused by std::invalid_argument "read_csv: cannot open 'path': reason", and what
/// is no text as soon as that is seen: compressed data, an archive, UTF-16, a byte 0, or a line of
/// a pipe that does not end.
template <Scalar T>
[[nodiscard]] CsvData<T> read_csv(const std::filesystem::path& path,
                                  const CsvOptions& options = {}) {
  const auto bytes = io::read_text("read_csv", path);
  return parse_csv<T>(bytes.text(), path.string(), options);
}

}  // namespace linea
