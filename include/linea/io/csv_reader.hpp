// SPDX-License-Identifier: MIT
#pragma once
/// \file From the records of comma-separated values to samples and targets.
#include <algorithm>  // find
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <linea/core/require.hpp>
#include <linea/io/csv_data.hpp>
#include <linea/io/csv_record.hpp>
#include <linea/io/decimal.hpp>
#include <linea/io/file.hpp>
#include <linea/io/large_pages.hpp>
#include <linea/io/text.hpp>
#include <map>
#include <string>
#include <string_view>
#include <utility>  // move
#include <vector>

namespace linea::io {

/// Reads one text, record by record: `read` is called once.
template <Scalar T>
class CsvReader {
 public:
  CsvReader(const SourceText& source, const CsvOptions& options)
      : source_(source), options_(options) {}

  CsvData<T> read() {
    const char* at = source_.begin();
    if (!next_record(at)) source_.refuse_at(source_.end(), source_.end(), "there is no sample");
    if (options_.final_newline_required && source_.end()[-1] != '\n')
      source_.refuse_at(source_.end(), source_.end(), "the last line must end in a newline");
    width_ = cells_.size();
    find_target();
    find_numbers_that_are_missing();
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
    if (samples_ == 0) source_.refuse_at(source_.end(), source_.end(), "there is no sample");
    finish();
    return std::move(data_);
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// Reads the next record into cells_, past empty lines. False at the end of the text.
  bool next_record(const char*& at) {
    while (at != source_.end()) {
      record_ = at;
      at = read_csv_record(source_, at, options_.separator, cells_);
      if (cells_.size() > 1 || cells_[0].quoted || cells_[0].first != cells_[0].last) return true;
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

  /// Allocates as many cells as there are separators and lines: never less than needed, and in
  /// proportion to the text.
  void reserve() {
    const char separator = options_.separator;
    const auto [ones, others, newlines] =
        count_characters(source_.text(), std::array{separator, '\t', '\n'});
    const Index separators = separator == ' ' ? ones + others : ones;
    const auto bytes = static_cast<std::uint64_t>(separators + newlines + 1) * sizeof(T);
    allocated(source_.name(), bytes, "x",
              [&, cells = separators + newlines + 1] { data_.x.resize(cells, 1); });
    prefer_large_pages(data_.x.data(), static_cast<std::size_t>(data_.x.size()) * sizeof(T));
    if (target_ != none) data_.y.resize(newlines + 1);
  }

  /// `at`: where the next record begins.
  bool is_header(const char* at) const {
    if (options_.header != CsvHeader::detect) return options_.header == CsvHeader::present;
    std::vector<CsvCell> next;
    if (at != source_.end()) read_csv_record(source_, at, options_.separator, next);
    if (is_numbered_header(cells_, next)) return true;
    bool has_text = false;
    for (std::size_t j = 0; j < width_; ++j) {
      const CsvCell& cell = cells_[j];
      if (j == target_ && options_.text_targets) continue;
      if (is_csv_number<T>(cell)) return false;
      has_text = has_text || cell.first != cell.last;
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

  /// If the record at `at` is of numbers, without quotes, and ends in a newline, adds it as a
  /// sample and moves `at` behind it. Otherwise returns false and leaves `at` where it is.
  bool add_plain_sample(const char*& at) {
    if (options_.text_targets || has_missing_numbers_) return false;
    const auto is_space = [&](char c) {
      return (is_blank(c) || c == '\r') && c != options_.separator;
    };
    const auto read = [&](const char* cell, auto& value) -> const char* {
      const char* const stop = short_decimal(cell, source_.end(), value);
      if (stop && *stop != 'e' && *stop != 'E') return stop;
      const auto [end, fault] = scan_number(cell, source_.end(), value);
      return fault ? nullptr : end;
    };
    T* feature = data_.x.data() + features_;
    const char* cell = at;
    for (std::size_t j = 0; j < width_; ++j, ++cell) {
      while (is_space(*cell)) ++cell;
      const char* stop = j == target_ ? read(cell, data_.y[samples_]) : read(cell, *feature++);
      if (!stop) return false;
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
    for (std::size_t j = 0; j < width_; ++j) {
      if (j != target_)
        data_.x.data()[features_++] = is_missing(cells_[j]) ? std::numeric_limits<T>::quiet_NaN()
                                                            : csv_number<T>(source_, cells_[j]);
      else
        data_.y[samples_] =
            options_.text_targets ? class_of(cells_[j]) : csv_number<double>(source_, cells_[j]);
    }
    ++samples_;
  }

  bool is_missing(const CsvCell& cell) const {
    const std::string_view text(cell.first, static_cast<std::size_t>(cell.last - cell.first));
    const auto& words = options_.missing_values;
    return std::find(words.begin(), words.end(), text) != words.end();
  }

  /// A word like -999 is to be looked for in every cell.
  void find_numbers_that_are_missing() {
    for (const auto& word : options_.missing_values)
      if (is_csv_number<T>({word.data(), word.data() + word.size(), false}))
        has_missing_numbers_ = true;
  }

  /// The number of a class, in the order in which they appear; `finish` numbers them anew.
  double class_of(const CsvCell& cell) {
    if (cell.first == cell.last) source_.refuse_at(cell.first, cell.last, "the cell is empty");
    return static_cast<double>(classes_.emplace(cell.text(), classes_.size()).first->second);
  }

  void finish() {
    const auto features = static_cast<Index>(width_) - (target_ != none);
    // Neither call moves an entry: the buffer is one column, and then the same entries as rows.
    data_.x.conservativeResize(samples_ * features, 1);
    data_.x.resize(samples_, features);
    if (target_ != none) data_.y.conservativeResize(samples_);
    std::vector<double> sorted(
        classes_.size());  // sorted[k]: the number of the k-th class to appear
    for (const auto& [name, number] : classes_) {
      sorted[number] = static_cast<double>(data_.class_names.size());
      data_.class_names.push_back(name);
    }
    if (!sorted.empty())
      for (double& target : data_.y) target = sorted[static_cast<std::size_t>(target)];
  }

  template <class... What>
  [[noreturn]] void refuse_record(const What&... what) const {
    source_.refuse_at(record_, cells_.back().last, what...);
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
  bool has_missing_numbers_{false};
};

}  // namespace linea::io
