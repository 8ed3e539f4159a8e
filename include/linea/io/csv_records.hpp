// SPDX-License-Identifier: MIT
#pragma once
/// \file Records and cells of comma-separated values (RFC 4180), which all readers of CSV share.
#include <algorithm>  // find, find_if, none_of
#include <array>
#include <cstddef>
#include <linea/core/types.hpp>
#include <linea/io/text.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace linea {

enum class CsvHeader {
  /// The first line is a header if it has text but no number and no missing value; a text target
  /// does not count. A line 0,1,2,…, the default names of pandas, is a header behind an empty cell.
  /// It is also one if the second line has as many cells, which are not consecutive numbers and,
  /// with two columns, not all digits.
  detect,
  present,  ///< the first line is a header
  absent,   ///< there is no header
};

/// The words that pandas treats as missing values by default.
inline constexpr std::array<std::string_view, 19> usual_missing_values{
    "",     "#N/A", "#N/A N/A", "#NA",  "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
    "<NA>", "N/A",  "NA",       "NULL", "NaN",     "None",     "n/a",  "nan",  "null"};

}  // namespace linea

namespace linea::io {

struct CsvCell {
  std::string_view bytes;  ///< without the quotes or the blanks around them
  bool quoted;

  /// Returns the text. In a quoted cell doubled quotes become single ones.
  std::string text() const {
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      text += bytes[at];
      if (quoted && bytes[at] == '"') ++at;
    }
    return text;
  }
};

/// Returns whether the record is a blank line.
inline bool is_blank_record(const std::vector<CsvCell>& cells) {
  return cells.size() == 1 && !cells[0].quoted && cells[0].bytes.empty();
}

/// Returns whether the character can separate cells: it must not occur in numbers, names, quotes or
/// line ends.
constexpr bool can_separate(char c) {
  return c != '"' && c != '.' && c != '+' && c != '-' && c != '\n' && c != '\r' && c != '\0' &&
         !(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z');
}

/// Reads the record at `at`, which must not be the end of the text, into one or more cells. Returns
/// the beginning of the next record. If the separator is a space, runs of spaces and tabs separate
/// cells. Throws for a quoted cell without a closing quote, or with text behind the quote.
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
      if (last == end) source.refuse_at({at, end}, "the quote is never closed");
      at = std::find_if(last + 1, end, is_text);
      if (at != end && !ends_cell(*at) && !(by_blanks && at != last + 1))
        source.refuse_at({at, std::find_if(at, end, ends_cell)}, "there is text behind a quote");
    } else {
      at = std::find_if(first, end, ends_cell);
      last = at;
      while (last != first && is_space(last[-1])) --last;
    }
    cells.push_back({{first, last}, quoted});
    if (by_blanks) at = std::find_if(at, end, is_text);
    if (at == end) return end;
    if (*at == '\n') return at + 1;
    at += !by_blanks;
  }
}

/// Returns whether the cell is a number of any size, "inf" or "nan": these are no column names.
template <Scalar T>
bool is_csv_number(std::string_view cell) {
  T value{};
  return !cell.empty() && scan_number(cell, value).end == cell.data() + cell.size();
}

/// Throws for a number whose decimal point ends the text: the text may be cut off.
inline void require_whole_cell(const SourceText& source, std::string_view cell) {
  if (cell.data() + cell.size() == source.end() && cell.back() == '.')
    source.refuse_at(cell, "the cell is cut off by the end of the text");
}

/// Returns the number in the cell. Throws if the cell is empty, not a finite number or too large
/// for T, or if the text ends right behind a decimal point.
template <Scalar T>
T csv_number(const SourceText& source, std::string_view cell) {
  T value{};
  if (cell.empty()) source.refuse_at(cell, "the cell is empty");
  const auto [end, fault] = scan_number(cell, value);
  if (end != cell.data() + cell.size()) source.refuse_at(cell, "the cell is not a number");
  if (fault) source.refuse_at(cell, "the cell ", fault);
  require_whole_cell(source, cell);
  return value;
}

/// Returns whether the first record is a header 0, 1, 2, …, as pandas names columns by default,
/// perhaps after an empty name for the row numbers. Without the empty name, the next record must
/// have as many cells and not be a row of consecutive numbers. The next record must also have at
/// least three cells or a character other than a digit.
inline bool is_numbered_header(const std::vector<CsvCell>& first,
                               const std::vector<CsvCell>& next) {
  const std::size_t skip = first[0].bytes.empty();
  if (first.size() < 2) return false;
  for (std::size_t j = skip; j < first.size(); ++j)
    if (first[j].text() != std::to_string(j - skip)) return false;
  if (skip) return true;
  if (next.size() != first.size()) return false;
  const auto has_other = [](const CsvCell& cell) {
    return cell.bytes.find_first_not_of("0123456789") != cell.bytes.npos;
  };
  const bool are_digits = std::none_of(next.begin(), next.end(), has_other);
  double start = 0;
  bool counts = true;
  for (std::size_t j = 0; j < next.size(); ++j) {
    double value{};
    const std::string_view cell = next[j].bytes;
    const auto [end, fault] = scan_number(cell, value);
    counts = counts && end == cell.data() + cell.size() && !fault;
    if (j == 0) start = value;
    counts = counts && value == start + static_cast<double>(j);
  }
  return !counts && (first.size() > 2 || !are_digits);
}

/// Reads a text record by record, and decides whether the first record is a header.
class CsvRecords {
 public:
  /// Reads from `begin` on, which is in the text of the source.
  CsvRecords(const SourceText& source, char separator, const char* begin)
      : source_(source), separator_(separator), at_(begin) {}

  const std::vector<CsvCell>& cells() const { return cells_; }
  const char* record() const { return record_; }  ///< the beginning of the last record
  const char* at() const { return at_; }          ///< the end of the last record
  /// Continues at the beginning of another record.
  void go_to(const char* at) { at_ = at; }

  /// Reads the next record that is no blank line. Returns false at the end of the text.
  bool next() {
    while (at_ != source_.end()) {
      record_ = at_;
      at_ = read_csv_record(source_, at_, separator_, cells_);
      if (!is_blank_record(cells_)) return true;
    }
    return false;
  }

  /// Reads the first record. Throws if there is none.
  void first() {
    if (!next()) source_.refuse_without_sample();
  }

  /// Returns whether the record has names, and else empty cells alone, such as the name of row
  /// numbers or a last cell behind a separator. `is_name` decides for a cell that is not empty; the
  /// cell in column `ignored` does not count.
  template <class IsName>
  bool has_names(const IsName& is_name, std::size_t ignored = static_cast<std::size_t>(-1)) const {
    bool has_name = false;
    for (std::size_t j = 0; j < cells_.size(); ++j) {
      if (j == ignored || cells_[j].bytes.empty()) continue;
      if (!is_name(cells_[j].bytes)) return false;
      has_name = true;
    }
    return has_name;
  }

  /// Returns whether the record, the first one, is a header 0, 1, 2, … (see is_numbered_header).
  bool has_numbers_as_names() const {
    CsvRecords behind(source_, separator_, at_);
    behind.next();
    return is_numbered_header(cells_, behind.cells());
  }

  /// Throws unless the record has `width` cells, as the first one.
  void require_width(std::size_t width) const {
    if (cells_.size() != width)
      refuse("the line has ", cells_.size(), " cells, but the first one has ", width);
  }

  template <class... What>
  [[noreturn]] void refuse(const What&... what) const {
    const std::string_view last = cells_.back().bytes;
    source_.refuse_at({record_, last.data() + last.size()}, what...);
  }

 private:
  const SourceText& source_;
  char separator_;
  const char* at_;
  const char* record_{nullptr};
  std::vector<CsvCell> cells_{};
};

}  // namespace linea::io
