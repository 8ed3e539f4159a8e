// SPDX-License-Identifier: MIT
#pragma once
/// \file Reader of comma-separated values (RFC 4180): columns of numbers, one of them the target.
#include <algorithm>  // any_of, find, find_if, none_of
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/io/file.hpp>
#include <linea/io/text.hpp>
#include <linea/io/text_file.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>  // move
#include <vector>

namespace linea {

enum class CsvHeader {
  /// The first line is a header if it has text but no number; a text target does not count. A line
  /// 0,1,2,…, the default names of pandas, is a header behind an empty cell. It is also one if the
  /// second line has as many cells, which are not consecutive numbers and, with two columns, not
  /// all digits.
  detect,
  present,  ///< the first line is a header
  absent,   ///< there is no header
};

/// The words that pandas treats as missing values by default.
inline constexpr std::array<std::string_view, 19> usual_missing_values{
    "",     "#N/A", "#N/A N/A", "#NA",  "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
    "<NA>", "N/A",  "NA",       "NULL", "NaN",     "None",     "n/a",  "nan",  "null"};

struct CsvOptions {
  char separator{','};  ///< ' ' means runs of spaces and tabs
  CsvHeader header{CsvHeader::detect};
  /// The column of the target, counted from 0, or from the right end if negative (-1: the last).
  /// Without a value all columns are features and y is empty.
  std::optional<Index> target_column{-1};
  /// If true, targets are class names, and y has their indices from 0 in the order of the names.
  bool text_targets{false};
  /// Feature cells with one of these words become NaN in x. Without words, missing cells are
  /// errors. `{usual_missing_values.begin(), usual_missing_values.end()}` are the words of pandas.
  std::vector<std::string> missing_values{};
};

/// x (n × d) and y (n), or y (0) without a target column. Targets are doubles for any x.
template <Scalar T>
struct [[nodiscard]] CsvData {
  Matrix<T> x{};
  Vector<double> y{};
  std::vector<std::string> feature_names{};  ///< (d), or empty without a header
  std::string target_name{};
  std::vector<std::string> class_names{};  ///< for text targets: sorted by their bytes
};

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

/// Returns the number in the cell. Throws if the cell is empty, not a finite number or too large
/// for T, or if the text ends right behind a decimal point.
template <Scalar T>
T csv_number(const SourceText& source, std::string_view cell) {
  T value{};
  if (cell.empty()) source.refuse_at(cell, "the cell is empty");
  const auto [end, fault] = scan_number(cell, value);
  if (end != cell.data() + cell.size()) source.refuse_at(cell, "the cell is not a number");
  if (fault) source.refuse_at(cell, "the cell ", fault);
  if (end == source.end() && end[-1] == '.')
    source.refuse_at(cell, "the cell is cut off by the end of the text");
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

/// Reads one text, record by record. `read` can be called once.
template <Scalar T>
class CsvReader {
 public:
  CsvReader(const SourceText& source, const CsvOptions& options)
      : source_(source), options_(options) {}

  CsvData<T> read() {
    const char* at = source_.begin();
    if (!next_record(at)) source_.refuse_without_sample();
    width_ = cells_.size();
    find_target();
    const auto& missing = options_.missing_values;
    has_missing_numbers_ = std::any_of(missing.begin(), missing.end(), is_csv_number<T>);
    reserve();
    if (is_header(at))
      take_names();
    else
      add_sample();
    const char* const last_line = source_.begin() + (source_.text().rfind('\n') + 1);
    for (;;) {
      while (at < last_line && add_plain_sample(at)) continue;
      if (!next_record(at)) break;
      add_sample();
    }
    if (samples_ == 0) source_.refuse_without_sample();
    finish();
    return std::move(data_);
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// Reads the next record that is not empty into cells_. Returns false at the end of the text.
  bool next_record(const char*& at) {
    while (at != source_.end()) {
      record_ = at;
      at = read_csv_record(source_, at, options_.separator, cells_);
      if (!is_blank_record(cells_)) return true;
    }
    return false;
  }

  void find_target() {
    if (!options_.target_column) return;
    const auto width = static_cast<Index>(width_);
    const Index target = *options_.target_column;
    require(-width <= target && target < width, source_.name(), ": target_column is ", target,
            ", but there are ", width, " columns");
    if (width < 2) refuse_record("a line needs a target and at least one feature");
    target_ = static_cast<std::size_t>(target < 0 ? target + width : target);
  }

  /// Allocates enough: an entry of x for each separator and line, and an entry of y for each line.
  void reserve() {
    const char separator = options_.separator;
    const auto [ones, others, newlines] =
        count_characters(source_.text(), std::array{separator, '\t', '\n'});
    const Index separators = separator == ' ' ? ones + others : ones;
    const auto bytes = static_cast<std::uint64_t>(separators + newlines + 1) * sizeof(T);
    allocated(source_.name(), bytes, "x",
              [&, cells = separators + newlines + 1] { data_.x.resize(cells, 1); });
    detail::prefer_large_pages(data_.x.data(), static_cast<std::size_t>(data_.x.size()));
    if (target_ != none) data_.y.resize(newlines + 1);
  }

  /// Returns whether the record in cells_ is a header; `at` is the beginning of the next record.
  bool is_header(const char* at) const {
    if (options_.header != CsvHeader::detect) return options_.header == CsvHeader::present;
    std::vector<CsvCell> next;
    if (at != source_.end()) read_csv_record(source_, at, options_.separator, next);
    if (is_numbered_header(cells_, next)) return true;
    bool has_text = false;
    for (std::size_t j = 0; j < width_; ++j) {
      const std::string_view cell = cells_[j].bytes;
      if (j == target_ && options_.text_targets) continue;
      if (is_csv_number<T>(cell)) return false;
      has_text = has_text || !cell.empty();
    }
    return has_text;
  }

  void take_names() {
    for (std::size_t j = 0; j < width_; ++j) {
      if (j == target_)
        data_.target_name = cells_[j].text();
      else
        data_.feature_names.push_back(cells_[j].text());
    }
  }

  /// Adds the record at `at` as a sample and moves `at` behind it, if the record has only numbers
  /// and no quotes and ends in a newline. Otherwise, and always if targets are text or a missing
  /// value is a number, returns false and does not move `at`.
  bool add_plain_sample(const char*& at) {
    if (options_.text_targets || has_missing_numbers_) return false;
    const auto is_space = [&](char c) {
      return (is_blank(c) || c == '\r') && c != options_.separator;
    };
    const auto read = [&](const char* cell, auto& value) -> const char* {
      const char* const stop = short_decimal(cell, source_.end(), value);
      if (stop && *stop != 'e' && *stop != 'E') return stop;
      const auto [end, fault] = scan_number({cell, source_.end()}, value);
      return fault ? nullptr : end;
    };
    T* feature = data_.x.data() + features_;
    const char* cell = at;
    for (std::size_t j = 0; j < width_; ++j, ++cell) {
      while (is_space(*cell)) ++cell;
      const char* stop = j == target_ ? read(cell, data_.y[samples_]) : read(cell, *feature++);
      if (!stop || (j == target_ && is_rounded_label({cell, stop}, data_.y[samples_])))
        return false;
      while (is_space(*stop)) ++stop;
      if (*stop != (j + 1 < width_ ? options_.separator : '\n')) return false;
      cell = stop;
    }
    features_ = feature - data_.x.data();
    ++samples_;
    at = cell;
    return true;
  }

  void add_sample() {
    if (cells_.size() != width_)
      refuse_record("the line has ", cells_.size(), " cells, but the first one has ", width_);
    const auto& missing = options_.missing_values;
    for (std::size_t j = 0; j < width_; ++j) {
      const std::string_view cell = cells_[j].bytes;
      if (j == target_)
        data_.y[samples_] =
            options_.text_targets ? class_of(cells_[j]) : csv_number<double>(source_, cell);
      else if (std::find(missing.begin(), missing.end(), cell) != missing.end())
        data_.x.data()[features_++] = std::numeric_limits<T>::quiet_NaN();
      else
        data_.x.data()[features_++] = csv_number<T>(source_, cell);
    }
    if (target_ != none && !options_.text_targets)
      require_exact_label(source_, cells_[target_].bytes, data_.y[samples_],
                          "set CsvOptions::text_targets");
    ++samples_;
  }

  /// Returns the index of a class by order of appearance; `finish` converts it to the sorted order.
  double class_of(const CsvCell& cell) {
    if (cell.bytes.empty()) source_.refuse_at(cell.bytes, "the cell is empty");
    return static_cast<double>(classes_.emplace(cell.text(), classes_.size()).first->second);
  }

  void finish() {
    const auto features = static_cast<Index>(width_) - (target_ != none);
    // Both calls keep the entries in place: the buffer is first one column, then a matrix of rows.
    data_.x.conservativeResize(samples_ * features, 1);
    data_.x.resize(samples_, features);
    if (target_ != none) data_.y.conservativeResize(samples_);
    std::vector<double> sorted(classes_.size());  // sorted[k]: index of the k-th class to appear
    for (const auto& [name, number] : classes_) {
      sorted[number] = static_cast<double>(data_.class_names.size());
      data_.class_names.push_back(name);
    }
    if (!sorted.empty())
      for (double& target : data_.y) target = sorted[static_cast<std::size_t>(target)];
  }

  template <class... What>
  [[noreturn]] void refuse_record(const What&... what) const {
    const std::string_view last = cells_.back().bytes;
    source_.refuse_at({record_, last.data() + last.size()}, what...);
  }

  const SourceText& source_;
  const CsvOptions& options_;
  CsvData<T> data_{};
  std::vector<CsvCell> cells_{};
  const char* record_{nullptr};
  std::size_t width_{0};
  std::size_t target_{none};
  std::map<std::string, std::size_t> classes_{};
  Index features_{0};
  Index samples_{0};
  bool has_missing_numbers_{false};  ///< is one of the missing values a number, such as -999?
};

}  // namespace linea::io

namespace linea {

/// Reads CSV text into a dense x (n × d) and y (n). Messages begin with `source_name`.
///
/// The text may have a header, cells in double quotes (with quotes inside doubled; separators and
/// newlines there are text), blanks around cells, blank lines, line ends CRLF or CR, and no final
/// newline. Numbers have the form of `parse_libsvm`, with a decimal point in any locale.
///
/// Throws std::invalid_argument "source:line:column: what, got 'text'" for lines with another
/// number of cells than the first, empty cells, cells that are not numbers, NaN and infinity
/// (except `missing_values` among the features), numbers too large for T, a quote that is not
/// closed or has text behind it, and text without samples. Throws also for a separator that cannot
/// separate cells and a target_column that does not exist.
template <Scalar T>
CsvData<T> parse_csv(std::string_view text, std::string_view source_name,
                     const CsvOptions& options = {}) {
  const char c = options.separator;
  require(io::can_separate(c), "parse_csv: '", io::escaped({&c, 1}), "' cannot separate cells");
  const io::SourceText source(text, source_name);
  return io::CsvReader<T>(source, options).read();
}

/// Reads a CSV file as `parse_csv` does; the whole file is in memory meanwhile. Throws
/// std::invalid_argument "read_csv: cannot open 'path': reason" if the file cannot be opened.
/// Throws early if the file is not text: compressed data, an archive, UTF-16, a byte 0, or a pipe
/// with a line longer than 2²⁸ bytes.
template <Scalar T>
[[nodiscard]] CsvData<T> read_csv(const std::filesystem::path& path,
                                  const CsvOptions& options = {}) {
  const auto bytes = io::read_text("read_csv", path);
  return parse_csv<T>(bytes.text(), path.string(), options);
}

}  // namespace linea
