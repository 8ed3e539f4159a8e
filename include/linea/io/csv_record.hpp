// SPDX-License-Identifier: MIT
#pragma once
/// \file One record of comma-separated values, taken apart into cells (RFC 4180), and their
/// numbers.
#include <algorithm>  // any_of, find, find_if, none_of
#include <linea/core/types.hpp>
#include <linea/io/text.hpp>
#include <string>
#include <vector>

namespace linea::io {

/// What stands between the quotes, or between the separators without the blanks around it.
struct CsvCell {
  const char* first;
  const char* last;
  bool quoted;

  /// Doubled quotes made single.
  std::string text() const {
    std::string text;
    for (const char* at = first; at != last; ++at) {
      text += *at;
      if (quoted && *at == '"') ++at;
    }
    return text;
  }
};

/// Can the character separate cells? Not if numbers, names, quotes or line ends have it.
constexpr bool can_separate(char c) {
  return c != '"' && c != '.' && c != '+' && c != '-' && c != '\n' && c != '\r' && c != '\0' &&
         !(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z');
}

/// Reads the record that begins at `at`, which is not the end of the text, into at least one cell.
/// Returns where the next record begins. Where a blank separates, so does a run of blanks and tabs.
/// Refuses a quote that is never closed, or that is followed by more than blanks.
inline const char* read_csv_record(const SourceText& source, const char* at, char separator,
                                   std::vector<CsvCell>& cells) {
  const char* const end = source.end();
  const bool by_blanks = separator == ' ';
  const auto is_space = [=](char c) {
    return (by_blanks || c != separator) && (is_blank(c) || c == '\r');
  };
  const auto ends_cell = [=](char c) {
    return c == separator || c == '\n' || (by_blanks && c == '\t');
  };
  const auto is_text = [=](char c) { return !is_space(c); };
  cells.clear();
  for (;;) {
    at = std::find_if(at, end, is_text);
    const bool quoted = at != end && *at == '"';
    const char* const first = at + quoted;
    const char* last;
    if (quoted) {
      last = std::find(first, end, '"');
      while (last != end && last + 1 != end && last[1] == '"') last = std::find(last + 2, end, '"');
      if (last == end) source.refuse_at(at, end, "the quote is never closed");
      at = std::find_if(last + 1, end, is_text);
      if (at != end && !ends_cell(*at) && !(by_blanks && at != last + 1))
        source.refuse_at(at, std::find_if(at, end, ends_cell), "there is text behind a quote");
    } else {
      at = std::find_if(first, end, ends_cell);
      last = at;
      while (last != first && is_space(last[-1])) --last;
    }
    cells.push_back({first, last, quoted});
    if (by_blanks) at = std::find_if(at, end, is_text);
    if (at == end) return end;
    if (*at == '\n') return at + 1;
    at += !by_blanks;
  }
}

/// Of whatever size: "nan" is a bad number rather than the name of a column.
template <Scalar T>
bool is_csv_number(const CsvCell& cell) {
  T value{};
  return cell.first != cell.last && scan_number(cell.first, cell.last, value).end == cell.last;
}

/// Refuses what is not a number, or none that T can hold.
template <Scalar T>
T csv_number(const SourceText& source, const CsvCell& cell) {
  T value{};
  if (cell.first == cell.last) source.refuse_at(cell.first, cell.last, "the cell is empty");
  const auto [end, fault] = scan_number(cell.first, cell.last, value);
  if (end != cell.last) source.refuse_at(cell.first, cell.last, "the cell is not a number");
  if (fault) source.refuse_at(cell.first, cell.last, "the cell ", fault);
  if (end == source.end() && end[-1] == '.')
    source.refuse_at(cell.first, cell.last, "the cell is cut off by the end of the text");
  return value;
}

/// Are the cells of the first record 0, 1, 2, … as pandas names columns that have no names, perhaps
/// behind the empty name of its row numbers? Where nothing is empty, the next record must tell that
/// they are no sample: it does not go on counting, and has three cells or something other than
/// digits.
inline bool is_numbered_header(const std::vector<CsvCell>& first,
                               const std::vector<CsvCell>& next) {
  const std::size_t skip = first[0].first == first[0].last;
  if (first.size() < 2) return false;
  for (std::size_t j = skip; j < first.size(); ++j)
    if (first[j].text() != std::to_string(j - skip)) return false;
  if (skip) return true;
  if (next.size() != first.size()) return false;
  const auto has_other = [](const CsvCell& cell) {
    return std::any_of(cell.first, cell.last, [](char c) { return c < '0' || c > '9'; });
  };
  const bool are_digits = std::none_of(next.begin(), next.end(), has_other);
  double start = 0;
  bool counts = true;
  for (std::size_t j = 0; j < next.size(); ++j) {
    double value{};
    const auto scanned = scan_number(next[j].first, next[j].last, value);
    counts = counts && scanned.end == next[j].last && !scanned.fault;
    if (j == 0) start = value;
    counts = counts && value == start + static_cast<double>(j);
  }
  return !counts && (first.size() > 2 || !are_digits);
}

}  // namespace linea::io
