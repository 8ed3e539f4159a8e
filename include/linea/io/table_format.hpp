// SPDX-License-Identifier: MIT
#pragma once
/// \file The format of a table in a CSV text: separators, numbers and missing cells.
#include <algorithm>  // all_of, any_of, find, min
#include <array>
#include <charconv>
#include <cstddef>
#include <limits>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/io/csv_records.hpp>
#include <linea/io/text.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>  // errc
#include <unordered_map>
#include <vector>

namespace linea {

/// How the text of a table is split into cells and numbers. An Encoder stores it, so that other
/// files are read in the same way.
struct TableFormat {
  /// Separates cells; 0: detected in the first line. A blank also stands for runs of blanks and
  /// tabs.
  char separator{0};
  char decimal{0};    ///< the decimal mark; 0: a point
  char thousands{0};  ///< separates groups of digits; 0: none
  /// Texts that mean a missing value, besides the usual ones.
  std::vector<std::string> missing_values{};

  bool operator==(const TableFormat&) const = default;

  bool has_plain_numbers() const { return thousands == 0 && (decimal == 0 || decimal == '.'); }

  /// Returns whether a cell of this text is missing.
  bool is_missing(std::string_view text) const {
    const auto is_among = [&](const auto& words) {
      return std::find(words.begin(), words.end(), text) != words.end();
    };
    if (is_among(missing_values)) return true;
    // No usual word for a missing value ends in a digit, so numbers need no search.
    if (!text.empty() && text.back() >= '0' && text.back() <= '9') return false;
    constexpr std::array<std::string_view, 3> others{"na", "NAN", "?"};
    return is_among(usual_missing_values) || is_among(others);
  }

  /// Throws std::invalid_argument if the characters cannot separate cells or digits, or contradict
  /// each other.
  void validate() const {
    const char mark = decimal ? decimal : '.';
    require(thousands != mark, "TableFormat::thousands and decimal are both '",
            std::string(1, mark), "'");
    for (const char c : {mark, thousands})
      require(c != '-' && c != '+' && c != '"' && !(c >= '0' && c <= '9') &&
                  !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z'),
              "'", std::string(1, c), "' belongs to numbers: it cannot separate their digits");
    require(separator == 0 || io::can_separate(separator), "'", io::escaped({&separator, 1}),
            "' cannot separate cells");
  }
};

}  // namespace linea

namespace linea::io {

/// Returns whether the first line states the separator, as Excel may write it: "sep=;".
inline bool names_separator(std::string_view text) {
  return text.size() > 5 && text.substr(0, 4) == "sep=" && (text[5] == '\n' || text[5] == '\r');
}

/// Returns how often a character is in the first line of a text, and moves `text` behind this line.
/// Text in quotes does not count, and a line may end only outside quotes.
inline Index count_in_line(std::string_view& text, char wanted) {
  Index count = 0;
  for (bool is_quoted = false; !text.empty();) {
    const char c = text.front();
    text.remove_prefix(1);
    if (c == '"') is_quoted = !is_quoted;
    if (is_quoted) continue;
    if (c == '\n') break;
    count += c == wanted;
  }
  return count;
}

/// Returns the text behind a line "sep=;" and behind comments, which are lines that begin with #. A
/// line that has as many separators as the next one is no comment but a header.
inline std::string_view without_comments(std::string_view text, const TableFormat& format) {
  const auto without_line = [](std::string_view all) {
    return all.substr(std::min(all.find('\n'), all.size() - 1) + 1);
  };
  if (names_separator(text)) text = without_line(text);
  while (text.starts_with('#')) {
    const std::string_view next = without_line(text);
    for (const char c : {',', ';', '\t', format.separator}) {
      std::string_view here = text;
      std::string_view there = next;
      const auto count = count_in_line(here, c);
      if (count > 0 && count == count_in_line(there, c)) return text;
    }
    text = next;
  }
  return text;
}

/// Returns the separator. It is that of the format, or that in a first line "sep=;", or else the
/// most frequent of comma, semicolon and tab in the first line that is no comment. Of several, it
/// is the one that is equally often in all lines. Commas that are decimal marks or thousands
/// separators do not count. Without any of these characters it is a comma. If commas are such
/// marks, and this line has none, it is a semicolon.
inline char separator_of(std::string_view text, const TableFormat& format) {
  if (format.separator) return format.separator;
  if (names_separator(text)) return text[4];
  text = without_comments(text, format);
  const bool has_marks = format.decimal == ',' || format.thousands == ',';
  const auto count = [&](char c) {
    std::string_view rest = text;
    return c == ',' && has_marks ? 0 : count_in_line(rest, c);
  };
  const auto is_even = [&](char c) {
    const auto expected = count(c);
    for (std::string_view rest = text; !rest.empty();) {
      const bool is_blank = rest.front() == '\n' || rest.front() == '\r';
      if (count_in_line(rest, c) != expected && !is_blank) return false;
    }
    return true;
  };
  char best = ',';
  for (const char c : {';', '\t'})
    if (count(c) > count(best) ||
        (count(c) > 0 && count(c) == count(best) && is_even(c) && !is_even(best)))
      best = c;
  std::string_view rest = text;
  return best == ',' && has_marks && count_in_line(rest, ',') == 0 ? ';' : best;
}

/// Returns the text of a number with a decimal point and without thousands separators. Returns
/// nothing if a separator is misplaced: one to three digits must precede the first separator, three
/// digits must follow the last one, and two or three digits each of the others.
inline std::optional<std::string> in_plain_digits(std::string_view text,
                                                  const TableFormat& format) {
  const char decimal = format.decimal ? format.decimal : '.';
  std::string plain;
  std::size_t digits = 0;  // the number of digits since the last separator
  bool has_groups = false;
  bool is_whole = true;
  const auto end_group = [&](bool is_last) {
    const bool fits = has_groups ? digits == 3 || (digits == 2 && !is_last)
                                 : is_last || (digits >= 1 && digits <= 3);
    digits = 0;
    return fits;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    // If the thousands separator is a blank, it may also be a no-break space, as is usual in
    // France.
    const std::size_t wide = text.substr(i, 2) == "\xc2\xa0"       ? 2
                             : text.substr(i, 3) == "\xe2\x80\xaf" ? 3
                                                                   : 0;
    const bool separates = format.thousands == ' ' && wide ? true : text[i] == format.thousands;
    if (is_whole && format.thousands && separates) {
      if (!end_group(false)) return std::nullopt;
      has_groups = true;
      if (wide) i += wide - 1;
    } else if (text[i] == decimal || text[i] == 'e' || text[i] == 'E') {
      if (is_whole && !end_group(true)) return std::nullopt;
      is_whole = false;
      plain += text[i] == decimal ? '.' : text[i];
    } else {
      if (text[i] == '.') return std::nullopt;
      digits += text[i] >= '0' && text[i] <= '9';
      plain += text[i];
    }
  }
  if (is_whole && !end_group(true)) return std::nullopt;
  return plain;
}

/// Returns the number if the whole text is one, else nothing. Numbers that are too large, infinity
/// and NaN count if `fault` is not null, which is then set to what is wrong with them.
inline std::optional<double> number_of(std::string_view text, const TableFormat& format = {},
                                       const char** fault = nullptr) {
  std::optional<std::string> plain;
  if (!format.has_plain_numbers()) {
    plain = in_plain_digits(text, format);
    if (!plain) return std::nullopt;
    text = *plain;
  }
  double number = 0;
  const auto [end, wrong] = scan_number(text, number);
  if (text.empty() || end != text.data() + text.size() || (wrong && !fault)) return std::nullopt;
  if (fault) *fault = wrong;
  return number;
}

/// Returns whether the number stands for a missing value: -999.0 does if "-999" does.
inline bool is_missing_number(double number, const TableFormat& format) {
  return std::any_of(format.missing_values.begin(), format.missing_values.end(),
                     [&](const auto& word) { return number_of(word) == number; });
}

/// Returns the number in a cell, NaN for a missing cell, or nothing for text. Throws for a number
/// that is not finite.
inline std::optional<double> number_in_cell(const SourceText& source, std::string_view cell,
                                            const TableFormat& format) {
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  if (format.is_missing(cell)) return nothing;
  const char* fault = nullptr;
  const auto number = number_of(cell, format, &fault);
  if (!number) return std::nullopt;
  if (fault) source.refuse_at(cell, "the cell ", fault);
  require_whole_cell(source, cell);
  return is_missing_number(*number, format) ? nothing : *number;
}

/// Returns the whole number if it is the whole text, else nothing.
inline std::optional<Index> whole_number(std::string_view text) {
  Index number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && stop == end ? std::optional(number) : std::nullopt;
}

/// Does the first cell of a column name the column, although it was read as a value? Returns 1 if
/// it probably does: its text is in no other cell, and the others are numbers, or texts that are
/// repeated. Returns -1 if its text is repeated, else 0.
inline int is_name_of(const std::vector<std::string>& cells, const TableFormat& format) {
  if (cells.size() < 2 || cells[0].empty() || number_of(cells[0], format)) return 0;
  std::unordered_map<std::string_view, int> counts;
  for (const auto& cell : cells)
    if (!number_of(cell, format) && ++counts[cell] > 1 && cell == cells[0]) return -1;
  return std::all_of(counts.begin(), counts.end(), [&](const auto& text) {
    return text.first.empty() || text.first == cells[0] || text.second > 1;
  });
}

}  // namespace linea::io
