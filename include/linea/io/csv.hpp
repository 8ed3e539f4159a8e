// SPDX-License-Identifier: MIT
#pragma once
/// \file Reader of comma-separated numbers: a matrix of features, and a target. table.hpp reads
/// tables with text.
#include <algorithm>  // any_of, find
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/io/csv_records.hpp>
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

/// Reads one text, record by record. `read` can be called once.
template <Scalar T>
class CsvReader {
 public:
  CsvReader(const SourceText& source, const CsvOptions& options)
      : source_(source), options_(options), records_(source, options.separator, source.begin()) {}

  CsvData<T> read() {
    records_.first();
    width_ = records_.cells().size();
    find_target();
    const auto& missing = options_.missing_values;
    has_missing_numbers_ = std::any_of(missing.begin(), missing.end(), is_csv_number<T>);
    reserve();
    if (is_header())
      take_names();
    else
      add_sample();
    const char* const last_line = source_.begin() + (source_.text().rfind('\n') + 1);
    for (;;) {
      const char* at = records_.at();
      while (at < last_line && add_plain_sample(at)) continue;
      records_.go_to(at);
      if (!records_.next()) break;
      add_sample();
    }
    if (samples_ == 0) source_.refuse_without_sample();
    finish();
    return std::move(data_);
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  void find_target() {
    if (!options_.target_column) return;
    const auto width = static_cast<Index>(width_);
    const Index target = *options_.target_column;
    require(-width <= target && target < width, source_.name(), ": target_column is ", target,
            ", but there are ", width, " columns");
    if (width < 2) records_.refuse("a line needs a target and at least one feature");
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

  bool is_header() const {
    if (options_.header != CsvHeader::detect) return options_.header == CsvHeader::present;
    const auto& missing = options_.missing_values;
    const auto is_name = [&](std::string_view cell) {
      return !is_csv_number<T>(cell) &&
             std::find(missing.begin(), missing.end(), cell) == missing.end();
    };
    return records_.has_numbers_as_names() ||
           records_.has_names(is_name, options_.text_targets ? target_ : none);
  }

  void take_names() {
    for (std::size_t j = 0; j < width_; ++j) {
      const std::string name = records_.cells()[j].text();
      if (j == target_)
        data_.target_name = name;
      else
        data_.feature_names.push_back(name);
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
    records_.require_width(width_);
    const auto& cells = records_.cells();
    const auto& missing = options_.missing_values;
    for (std::size_t j = 0; j < width_; ++j) {
      const std::string_view cell = cells[j].bytes;
      if (j == target_)
        data_.y[samples_] =
            options_.text_targets ? class_of(cells[j]) : csv_number<double>(source_, cell);
      else if (std::find(missing.begin(), missing.end(), cell) != missing.end())
        data_.x.data()[features_++] = std::numeric_limits<T>::quiet_NaN();
      else
        data_.x.data()[features_++] = csv_number<T>(source_, cell);
    }
    if (target_ != none && !options_.text_targets)
      require_exact_label(source_, cells[target_].bytes, data_.y[samples_],
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

  const SourceText& source_;
  const CsvOptions& options_;
  CsvData<T> data_{};
  CsvRecords records_;
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
