// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <linea/core/require.hpp>
#include <linea/files/csv_record.hpp>
#include <unordered_set>

#include "programs/common/table.hpp"

namespace program {
namespace {

using linea::Index;
using linea::files::CsvCell;
using linea::files::SourceText;

bool is_missing(std::string_view text) {
  constexpr std::array<std::string_view, 12> words{"",    "NA",  "N/A",  "n/a",  "na",   "nan",
                                                   "NaN", "NAN", "null", "NULL", "None", "?"};
  return std::find(words.begin(), words.end(), text) != words.end();
}

std::string_view view(const CsvCell& cell) {
  return {cell.first, static_cast<std::size_t>(cell.last - cell.first)};
}

/// Commas, or what the first line has more of outside of quotes.
char separator_of(std::string_view text) {
  std::string line;
  bool is_quoted = false;
  for (const char c : text) {
    if (c == '"') is_quoted = !is_quoted;
    if (is_quoted) continue;
    if (c == '\n') break;
    line += c;
  }
  char best = ',';
  for (const char c : {';', '\t'})
    if (std::count(line.begin(), line.end(), c) > std::count(line.begin(), line.end(), best))
      best = c;
  return best;
}

/// The first line is a header if it has names only: text that is neither a number nor a missing
/// value. The first of several may be empty, as that of row numbers is.
bool looks_like_header(const std::vector<CsvCell>& cells) {
  const auto is_name = [](const CsvCell& cell) {
    return !is_missing(view(cell)) && !linea::files::is_csv_number<double>(cell);
  };
  const bool skips = cells.size() > 1 && view(cells[0]).empty();
  return std::all_of(cells.begin() + skips, cells.end(), is_name);
}

/// A number, or NaN for a missing cell; nothing for text.
std::optional<double> number_in(const SourceText& source, const CsvCell& cell) {
  if (is_missing(view(cell))) return std::numeric_limits<double>::quiet_NaN();
  if (!linea::files::is_csv_number<double>(cell)) return std::nullopt;
  return linea::files::csv_number<double>(source, cell);
}

/// Is it UTF-8 (RFC 3629)?
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
      : source_(text, name), options_(options), separator_(separator_of(source_.text())) {
    table_.source = name;
  }

  Table read() {
    const char* at = source_.begin();
    if (!next(at)) source_.refuse_at(source_.end(), source_.end(), "there is no sample");
    width_ = cells_.size();
    table_.columns.resize(width_);
    const bool header = options_.header == "yes" || (options_.header == "auto" && has_header());
    if (header) take_names();
    first_sample_ = header ? at : record_;
    keep_as_text(header);
    if (!header) add();
    while (next(at)) add();
    if (table_.lines.empty()) source_.refuse_at(source_.end(), source_.end(), "there is no sample");
    for (std::size_t j = 0; j < width_; ++j) remark_numbers(j);
    return std::move(table_);
  }

 private:
  bool next(const char*& at) {
    while (at != source_.end()) {
      line_ += std::count(counted_, at, '\n');
      counted_ = record_ = at;
      at = linea::files::read_csv_record(source_, at, separator_, cells_);
      if (!is_blank_line(cells_)) return true;
    }
    return false;
  }

  bool has_header() const {
    if (!options_.known_names) return looks_like_header(cells_);
    const auto is_here = [&](const std::string& name) {
      return std::any_of(cells_.begin(), cells_.end(),
                         [&](const CsvCell& cell) { return cell.text() == name; });
    };
    const auto& names = *options_.known_names;
    return !names.empty() &&
           (looks_like_header(cells_) || std::all_of(names.begin(), names.end(), is_here));
  }

  void take_names() {
    std::unordered_set<std::string> names;
    for (std::size_t j = 0; j < width_; ++j) {
      auto& name = table_.columns[j].name;
      name = name_of(cells_[j]);
      if (name.empty()) name = "column " + std::to_string(j + 1);
      if (!names.insert(name).second)
        source_.refuse_at(cells_[j].first, cells_[j].last, "the header names a column twice");
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
    is_meant_ = is_text_;
    is_remarked_.assign(width_, false);
  }

  void add() {
    if (cells_.size() != width_)
      source_.refuse_at(record_, cells_.back().last, "the line has ", cells_.size(),
                        " cells, but the first one has ", width_);
    table_.lines.push_back(line_);
    for (std::size_t j = 0; j < width_; ++j) {
      Column& column = table_.columns[j];
      if (!is_text_[j]) {
        if (const auto number = number_in(source_, cells_[j])) {
          column.numbers.push_back(*number);
          continue;
        }
        is_text_[j] = true;
        const auto& numbers = column.numbers;
        is_remarked_[j] = std::any_of(numbers.begin(), numbers.end(),
                                      [](double number) { return !std::isnan(number); });
        if (is_remarked_[j] && !is_with_decimal_comma(cells_[j].text()))
          remark_text(j, table_.source + ":" + std::to_string(line_),
                      linea::files::excerpt(cells_[j].first, cells_[j].last));
        column.numbers = {};
        read_again(j);
      }
      column.texts.push_back(text_of(cells_[j]));
    }
  }

  std::string wanted_of(std::size_t j) const {
    const auto& name = table_.columns[j].name;
    return name.empty() ? std::to_string(j + 1) : name;
  }

  /// A column of text whose first cells are text, and most of the others numbers, may be a slip,
  /// and one of numbers with decimal commas is one for sure.
  void remark_numbers(std::size_t j) {
    const auto& texts = table_.columns[j].texts;
    if (is_meant_[j] || texts.empty()) return;
    std::size_t filled = 0, numbers = 0, commas = 0, word = texts.size(), comma = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (texts[i].empty()) continue;
      ++filled;
      const bool is_number = number_of(texts[i]).has_value();
      const bool has_comma = !is_number && is_with_decimal_comma(texts[i]);
      numbers += is_number;
      if (has_comma && ++commas == 1) comma = i;
      if (!is_number && !has_comma && word == texts.size()) word = i;
    }
    if (commas > 0 && 2 * (commas + numbers) > filled)
      table_.remarks.push_back(table_.place(comma) + ": column " + wanted_of(j) +
                               " is taken for text because of '" + texts[comma] +
                               "': linea's numbers have a decimal point");
    else if (!is_remarked_[j] && 2 * numbers > filled && word < texts.size())
      remark_text(j, table_.place(word), texts[word].substr(0, 60));
  }

  static bool is_with_decimal_comma(std::string text) {
    const auto comma = text.find(',');
    if (comma == text.npos || text.find('.') != text.npos) return false;
    text[comma] = '.';
    return number_of(text).has_value();
  }

  /// A column of numbers with a cell of text may be a slip.
  void remark_text(std::size_t j, const std::string& place, const std::string& cell) {
    table_.remarks.push_back(place + ": column " + wanted_of(j) +
                             " is taken for text because of '" + cell + "'; --text " +
                             wanted_of(j) + " says that it is meant");
  }

  /// The numbers of a column that turned out to be text are text, too: those of the rows before.
  void read_again(std::size_t j) {
    std::vector<CsvCell> cells;
    for (const char* at = first_sample_; at != record_;) {
      at = linea::files::read_csv_record(source_, at, separator_, cells);
      if (cells.size() == width_ && !is_blank_line(cells))
        table_.columns[j].texts.push_back(text_of(cells[j]));
    }
  }

  static bool is_blank_line(const std::vector<CsvCell>& cells) {
    return cells.size() == 1 && !cells[0].quoted && cells[0].first == cells[0].last;
  }

  std::string text_of(const CsvCell& cell) const {
    return is_missing(view(cell)) ? std::string() : name_of(cell);
  }

  std::string name_of(const CsvCell& cell) const {
    std::string text = cell.text();
    if (!is_utf8(text))
      source_.refuse_at(cell.first, cell.last,
                        "text is read as UTF-8: convert the file, as by iconv -f latin1 -t utf8");
    return text;
  }

  SourceText source_;
  const InputOptions& options_;
  char separator_;
  Table table_{};
  std::vector<CsvCell> cells_{};
  std::vector<bool> is_text_{};
  std::vector<bool> is_meant_{};     ///< text, as the options say
  std::vector<bool> is_remarked_{};  ///< text because of a cell behind numbers
  std::size_t width_{0};
  const char* record_{nullptr};
  const char* first_sample_{nullptr};
  const char* counted_{source_.begin()};
  Index line_{1};
};

}  // namespace

Table parse_csv_table(std::string_view text, const std::string& source,
                      const InputOptions& options) {
  return CsvTableReader(text, source, options).read();
}

std::optional<double> number_of(const std::string& text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const char* const begin = text.data() + (text.size() > 1 && text[0] == '+');
  const auto [stop, error] = std::from_chars(begin, end, number);
  return error == std::errc{} && stop == end ? std::optional(number) : std::nullopt;
}

std::size_t Table::column_of(const std::string& wanted) const {
  for (std::size_t j = 0; j < columns.size(); ++j)
    if (!wanted.empty() && columns[j].name == wanted) return j;
  Index number = 0;
  const char* const end = wanted.data() + wanted.size();
  const auto [stop, error] = std::from_chars(wanted.data(), end, number);
  const auto width = static_cast<Index>(columns.size());
  if (error == std::errc{} && stop == end && number != 0 && -width <= number && number <= width)
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
  const auto n = static_cast<Index>(wanted.size());
  if (has_entries) {
    const EntriesView& entries = x;
    linea::SparseMatrix<double> some(n, x.cols());
    taken.y.resize(n);
    for (Index k = 0; k < n; ++k) {
      const Index row = wanted[static_cast<std::size_t>(k)];
      taken.y[k] = y[row];
      some.startVec(k);
      for (EntriesView::InnerIterator entry(entries, row); entry; ++entry)
        some.insertBack(k, entry.col()) = entry.value();
    }
    some.finalize();
    taken.x = std::move(some);
  }
  for (const auto& column : columns) {
    Column& some = taken.columns.emplace_back();
    some.name = column.name;
    for (const Index row : wanted) {
      const auto i = static_cast<std::size_t>(row);
      if (column.is_text())
        some.texts.push_back(column.texts[i]);
      else
        some.numbers.push_back(column.numbers[i]);
    }
  }
  if (!lines.empty())
    for (const Index row : wanted) taken.lines.push_back(lines[static_cast<std::size_t>(row)]);
  return taken;
}

}  // namespace program
