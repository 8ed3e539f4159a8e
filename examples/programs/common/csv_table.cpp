// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <linea/core/require.hpp>
#include <linea/io/csv.hpp>
#include <unordered_map>
#include <unordered_set>

#include "programs/common/numbers.hpp"
#include "programs/common/table.hpp"

namespace program {
namespace {

using linea::Index;
using linea::io::CsvCell;
using linea::io::SourceText;

bool is_missing(std::string_view text, const Reading& reading) {
  const auto is_among = [&](const auto& words) {
    return std::find(words.begin(), words.end(), text) != words.end();
  };
  if (is_among(reading.missing_values)) return true;
  // No usual word for a missing value ends in a digit, so numbers need no search.
  if (!text.empty() && text.back() >= '0' && text.back() <= '9') return false;
  constexpr std::array<std::string_view, 3> others{"na", "NAN", "?"};
  return is_among(linea::usual_missing_values) || is_among(others);
}

/// Does the first line state the separator, as Excel may write it: "sep=;"?
bool names_separator(std::string_view text) {
  return text.size() > 5 && text.substr(0, 4) == "sep=" && (text[5] == '\n' || text[5] == '\r');
}

/// Returns how often a character is in the first line of a text, and moves `text` behind this line.
/// Text in quotes does not count, and a line may end only outside quotes.
std::ptrdiff_t count_in_line(std::string_view& text, char wanted) {
  std::ptrdiff_t count = 0;
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
std::string_view without_comments(std::string_view text, const Reading& reading) {
  const auto without_line = [](std::string_view all) {
    return all.substr(std::min(all.find('\n'), all.size() - 1) + 1);
  };
  if (names_separator(text)) text = without_line(text);
  while (text.starts_with('#')) {
    const std::string_view next = without_line(text);
    for (const char c : {',', ';', '\t', reading.separator}) {
      std::string_view here = text;
      std::string_view there = next;
      const auto count = count_in_line(here, c);
      if (count > 0 && count == count_in_line(there, c)) return text;
    }
    text = next;
  }
  return text;
}

/// Returns the separator. It is that of the options, or that in a first line "sep=;", or else the
/// most frequent of comma, semicolon and tab in the first line that is no comment. Of several, it
/// is the one that is equally often in all lines. Commas that are decimal marks or thousands
/// separators do not count. Without any of these characters it is a comma.
char separator_of(std::string_view text, const Reading& reading) {
  if (reading.separator) return reading.separator;
  if (names_separator(text)) return text[4];
  text = without_comments(text, reading);
  const auto count = [&](char c) {
    std::string_view rest = text;
    const bool is_decimal = c == ',' && (reading.decimal == c || reading.thousands == c);
    return is_decimal ? 0 : count_in_line(rest, c);
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
  return best;
}

/// Does the first cell of a column name the column, although it was read as a value? Returns 1 if
/// it probably does: its text is in no other cell, and the others are numbers, or texts that are
/// repeated. Returns -1 if its text is repeated, else 0.
int is_name_of(const std::vector<std::string>& cells, const Reading& reading) {
  if (cells.size() < 2 || cells[0].empty() || number_of(cells[0], reading)) return 0;
  std::unordered_map<std::string_view, int> counts;
  for (const auto& cell : cells)
    if (!number_of(cell, reading) && ++counts[cell] > 1 && cell == cells[0]) return -1;
  return std::all_of(counts.begin(), counts.end(), [&](const auto& text) {
    return text.first.empty() || text.first == cells[0] || text.second > 1;
  });
}

/// Returns the text of a number with a decimal point and without thousands separators. Returns
/// nothing if a separator is misplaced: one to three digits must precede the first separator, three
/// digits must follow the last one, and two or three digits each of the others.
std::optional<std::string> in_plain_digits(std::string_view text, const Reading& reading) {
  const char decimal = reading.decimal ? reading.decimal : '.';
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
    const bool separates = reading.thousands == ' ' && wide ? true : text[i] == reading.thousands;
    if (is_whole && reading.thousands && separates) {
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

bool has_point_alone(const Reading& reading) {
  return reading.thousands == 0 && (reading.decimal == 0 || reading.decimal == '.');
}

/// Returns the number in a cell, NaN for a missing cell, or nothing for text.
std::optional<double> number_in(const SourceText& source, std::string_view cell,
                                const Reading& reading) {
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  if (is_missing(cell, reading)) return nothing;
  double number = 0;
  if (has_point_alone(reading)) {
    if (!linea::io::is_csv_number<double>(cell)) return std::nullopt;
    number = linea::io::csv_number<double>(source, cell);
  } else {
    const auto plain = in_plain_digits(cell, reading);
    if (!plain) return std::nullopt;
    const auto [end, fault] = linea::io::scan_number(*plain, number);
    if (end != plain->data() + plain->size() || plain->empty()) return std::nullopt;
    if (fault) source.refuse_at(cell, "the cell ", fault);
  }
  for (const auto& word : reading.missing_values)
    if (number_of(word) == number) return nothing;
  return number;
}

/// Is the text valid UTF-8 (RFC 3629)?
bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[i + k]); };
    const unsigned first = byte(0);
    const std::size_t length = first < 0x80                    ? 1
                               : first >= 0xC2 && first < 0xE0 ? 2
                               : first >= 0xE0 && first < 0xF0 ? 3
                               : first >= 0xF0 && first < 0xF5 ? 4
                                                               : 0;
    if (length == 0 || i + length > text.size()) return false;
    for (std::size_t k = 1; k < length; ++k)
      if (byte(k) < 0x80 || byte(k) > 0xBF) return false;
    const bool is_overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
    const bool is_beyond = (first == 0xED && byte(1) > 0x9F) || (first == 0xF4 && byte(1) > 0x8F);
    if (is_overlong || is_beyond) return false;
    i += length;
  }
  return true;
}

class CsvTableReader {
 public:
  CsvTableReader(std::string_view text, const std::string& name, const InputOptions& options)
      : source_(text, name),
        options_(options),
        records_(source_, separator_of(source_.text(), options.reading),
                 without_comments(source_.text(), options.reading).data()) {
    table_.source = name;
    table_.reading = options.reading;
  }

  Table read() {
    records_.first();
    count_lines();
    width_ = records_.cells().size();
    if (width_ == 1 && !options_.has_model) require_other_separator();
    table_.columns.resize(width_);
    const bool header = options_.header == "yes" || (options_.header == "auto" && has_header());
    if (header) take_names();
    first_sample_ = header ? records_.at() : records_.record();
    keep_as_text(header);
    if (!header) add();
    while (records_.next()) {
      count_lines();
      add();
    }
    if (table_.lines.empty()) source_.refuse_without_sample();
    if (!header && options_.header == "auto" && !options_.known_names) look_for_names();
    return std::move(table_);
  }

 private:
  void count_lines() {
    line_ += std::count(counted_, records_.record(), '\n');
    counted_ = records_.record();
  }

  /// Throws if the line, which is a single cell, contains '|' or blanks: these may be the
  /// separator. Does not throw if the options state a separator.
  void require_other_separator() const {
    const auto text = records_.cells()[0].bytes;
    const char* const other = text.find('|') != text.npos              ? "'|'"
                              : text.find_first_of(" \t") != text.npos ? "blank"
                                                                       : nullptr;
    if (other && options_.reading.separator == 0)
      source_.refuse_at(text, "the line is one cell: --separator ", other, " takes it apart");
  }

  /// Is the first line 0, 1, 2, …, the names that pandas gives to columns without names?
  bool counts() {
    if (!records_.has_numbers_as_names()) return false;
    if (!records_.cells()[0].bytes.empty())
      table_.remarks.push_back(table_.source + ":" + std::to_string(line_) +
                               ": 0, 1, 2, ... are taken for the names of the columns; --header no "
                               "takes them for a sample");
    return true;
  }

  /// Is the first line a header? A name is text that is neither a number nor a missing value.
  bool has_header() {
    const bool has_names = records_.has_names([&](std::string_view cell) {
      return !number_in(source_, cell, options_.reading).has_value();
    });
    if (!options_.known_names) return has_names || counts();
    const auto is_here = [&](const std::string& name) {
      const auto& cells = records_.cells();
      return std::any_of(cells.begin(), cells.end(),
                         [&](const CsvCell& cell) { return cell.text() == name; });
    };
    const auto& names = *options_.known_names;
    return !names.empty() && (has_names || std::all_of(names.begin(), names.end(), is_here));
  }

  /// Warns if the first line was read as a sample but may be a header: some columns may have
  /// numbers as names, such as years.
  void look_for_names() {
    int most = 0;
    for (const Column& column : table_.columns) {
      const int names = is_name_of(column.texts, options_.reading);
      if (names < 0) return;
      most = std::max(most, names);
    }
    if (most > 0)
      table_.remarks.push_back(table_.place(0) +
                               ": no other line has the text of this line: --header yes takes it "
                               "for the names of the columns; --header no says that it is a "
                               "sample");
  }

  void take_names() {
    std::unordered_set<std::string> names;
    for (std::size_t j = 0; j < width_; ++j) {
      auto& name = table_.columns[j].name;
      name = name_of(records_.cells()[j]);
      table_.columns[j].has_empty_name = name.empty() || (j == 0 && name == "Unnamed: 0");
      if (name.empty()) name = "column " + std::to_string(j + 1);
      if (!names.insert(name).second)
        source_.refuse_at(records_.cells()[j].bytes, "the header names a column twice");
    }
  }

  void keep_as_text(bool has_names) {
    is_text_.assign(width_, false);
    if (options_.known_text) {
      const auto known = options_.known_text(static_cast<Index>(width_), has_names);
      const std::unordered_set<std::string> wanted(known.begin(), known.end());
      for (std::size_t j = 0; j < width_; ++j)
        is_text_[j] = wanted.count(has_names ? table_.columns[j].name : std::to_string(j + 1)) > 0;
    }
    for (const auto& column : options_.text_columns) is_text_[table_.column_of(column)] = true;
    for (std::size_t j = 0; j < width_; ++j) table_.columns[j].is_meant = is_text_[j];
  }

  void add() {
    records_.require_width(width_);
    table_.lines.push_back(line_);
    for (std::size_t j = 0; j < width_; ++j) {
      const CsvCell& cell = records_.cells()[j];
      Column& column = table_.columns[j];
      if (!is_text_[j]) {
        if (const auto number = number_in(source_, cell.bytes, options_.reading)) {
          column.numbers.push_back(*number);
          continue;
        }
        is_text_[j] = true;
        column.numbers = {};
        read_again(j);
      }
      column.texts.push_back(text_of(cell));
    }
  }

  /// Reads the earlier cells of a column again, as text: the column has turned out to be text.
  void read_again(std::size_t j) {
    linea::io::CsvRecords earlier(records_);
    earlier.go_to(first_sample_);
    while (earlier.next() && earlier.record() != records_.record())
      table_.columns[j].texts.push_back(text_of(earlier.cells()[j]));
  }

  std::string text_of(const CsvCell& cell) const {
    return is_missing(cell.bytes, options_.reading) ? std::string() : name_of(cell);
  }

  std::string name_of(const CsvCell& cell) const {
    std::string text = cell.text();
    if (!is_utf8(text))
      source_.refuse_at(cell.bytes,
                        "text is read as UTF-8: convert the file, as by iconv -f latin1 -t utf8");
    return text;
  }

  SourceText source_;
  const InputOptions& options_;
  linea::io::CsvRecords records_;
  Table table_{};
  std::vector<bool> is_text_{};
  std::size_t width_{0};
  const char* first_sample_{nullptr};
  const char* counted_{source_.begin()};
  Index line_{1};
};

}  // namespace

Table parse_csv_table(std::string_view text, const std::string& source,
                      const InputOptions& options) {
  return CsvTableReader(text, source, options).read();
}

std::optional<double> number_of(const std::string& text, const Reading& reading) {
  if (!has_point_alone(reading)) {
    const auto plain = in_plain_digits(text, reading);
    return plain ? number_of(*plain) : std::nullopt;
  }
  const bool has_plus = text.size() > 1 && text[0] == '+';
  return whole_text<double>(std::string_view(text).substr(has_plus));
}

std::size_t Table::column_of(const std::string& wanted) const {
  for (std::size_t j = 0; j < columns.size(); ++j)
    if (!wanted.empty() && columns[j].name == wanted) return j;
  const Index number = whole_text<Index>(wanted).value_or(0);
  const auto width = static_cast<Index>(columns.size());
  if (number != 0 && -width <= number && number <= width)
    return static_cast<std::size_t>(number > 0 ? number - 1 : number + width);
  std::string names;
  for (std::size_t j = 0; j < std::min<std::size_t>(columns.size(), 12); ++j)
    names += (j ? ", " : "") + columns[j].name;
  linea::refuse(
      source, ": there is no column '", wanted, "' among ", width,
      columns.empty() || columns[0].name.empty() ? " columns without names" : " columns: " + names);
}

Table Table::take(const std::vector<Index>& wanted) const {
  Table taken;
  taken.source = source;
  taken.has_entries = has_entries;
  taken.reading = reading;
  taken.target = target;
  taken.weights = weights;
  const auto n = static_cast<Index>(wanted.size());
  if (has_entries) {
    const EntriesView& entries = x;
    taken.y.resize(n);
    taken.x = sparse_rows(n, x.cols(), [&](Index k, const auto& put) {
      const Index row = wanted[static_cast<std::size_t>(k)];
      taken.y[k] = y[row];
      for (EntriesView::InnerIterator entry(entries, row); entry; ++entry)
        put(entry.col(), entry.value());
    });
  }
  const auto rows_of = [&]<class T>(const std::vector<T>& all) {
    std::vector<T> some;
    for (const Index row : wanted)
      if (!all.empty()) some.push_back(all[static_cast<std::size_t>(row)]);
    return some;
  };
  for (const auto& column : columns) {
    Column& some = taken.columns.emplace_back();
    some.name = column.name;
    some.is_left_out = column.is_left_out;
    some.numbers = rows_of(column.numbers);
    some.texts = rows_of(column.texts);
  }
  taken.lines = rows_of(lines);
  return taken;
}

}  // namespace program
