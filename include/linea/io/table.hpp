// SPDX-License-Identifier: MIT
#pragma once
/// \file Reader of tables of numbers and text, such as CSV files. encoder.hpp converts a table to
/// samples.
#include <algorithm>  // all_of, any_of, count, max
#include <cstddef>
#include <filesystem>
#include <linea/core/types.hpp>
#include <linea/io/csv_records.hpp>
#include <linea/io/table_columns.hpp>
#include <linea/io/table_format.hpp>
#include <linea/io/text.hpp>
#include <linea/io/text_file.hpp>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>  // move
#include <vector>

namespace linea::io {

/// Reads the columns of a table. `read` can be called once.
class TableReader {
 public:
  TableReader(const SourceText& source, const TableOptions& options)
      : source_(source),
        options_(options),
        records_(source, separator_of(source.text(), options.format),
                 without_comments(source.text(), options.format).data()) {
    table_.source = source.name();
    table_.format = options.format;
  }

  Table read() {
    records_.first();
    count_lines();
    width_ = records_.cells().size();
    if (width_ == 1 && options_.like.empty()) require_other_separator();
    table_.columns.resize(width_);
    const bool header = options_.header == CsvHeader::present ||
                        (options_.header == CsvHeader::detect && has_header());
    if (header) take_names();
    first_sample_ = header ? records_.at() : records_.record();
    keep_as_text();
    if (!header) add();
    while (records_.next()) {
      count_lines();
      add();
    }
    if (table_.lines.empty()) source_.refuse_without_sample();
    if (!header && options_.header == CsvHeader::detect && options_.like.empty()) look_for_names();
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
    if (other && options_.format.separator == 0)
      source_.refuse_at(text, "the line is one cell: TableFormat::separator ", other,
                        " takes it apart");
  }

  /// Returns whether the first line is a header: whether it has names, 0, 1, 2, …, or the names of
  /// an earlier table.
  bool has_header() {
    const bool has_names = records_.has_names([&](std::string_view cell) {
      return !number_in_cell(source_, cell, options_.format).has_value();
    });
    const auto& like = options_.like;
    if (like.empty()) return has_names || counts();
    std::unordered_set<std::string> here;
    for (const CsvCell& cell : records_.cells()) here.insert(cell.text());
    const auto has_name = [](const EncodedColumn& column) { return !column.name.empty(); };
    const auto is_here = [&](const EncodedColumn& column) {
      return !column.is_feature() || here.count(column.name) > 0;
    };
    return std::any_of(like.begin(), like.end(), has_name) &&
           (has_names || std::all_of(like.begin(), like.end(), is_here));
  }

  bool counts() {
    if (!records_.has_numbers_as_names()) return false;
    if (!records_.cells()[0].bytes.empty())
      table_.remarks.push_back(std::string(source_.name()) + ":" + std::to_string(line_) +
                               ": 0, 1, 2, ... are taken for the names of the columns; "
                               "CsvHeader::absent takes them for a sample");
    return true;
  }

  /// Warns if the first line was read as a sample but may be a header: some columns may have
  /// numbers as names, such as years.
  void look_for_names() {
    int most = 0;
    for (const TableColumn& column : table_.columns) {
      const int names = is_name_of(column.texts, options_.format);
      if (names < 0) return;
      most = std::max(most, names);
    }
    if (most > 0)
      table_.remarks.push_back(table_.place(0) +
                               ": no other line has the text of this line: CsvHeader::present "
                               "takes it for the names of the columns; CsvHeader::absent says that "
                               "it is a sample");
  }

  void take_names() {
    std::unordered_set<std::string> names;
    for (std::size_t j = 0; j < width_; ++j) {
      auto& column = table_.columns[j];
      column.name = name_of(records_.cells()[j]);
      column.has_empty_name = column.name.empty() || (j == 0 && column.name == "Unnamed: 0");
      if (column.name.empty()) column.name = "column " + std::to_string(j + 1);
      if (!names.insert(column.name).second)
        source_.refuse_at(records_.cells()[j].bytes, "the header names a column twice");
    }
  }

  void keep_as_text() {
    const auto places = places_in(table_.columns, options_.like);
    for (std::size_t k = 0; k < places.size(); ++k)
      if (options_.like[k].is_text && places[k] >= 0)
        table_.columns[static_cast<std::size_t>(places[k])].is_meant = true;
    for (const auto& name : options_.text_columns)
      table_.columns[table_.column_of(name)].is_meant = true;
    for (const auto& column : table_.columns) is_text_.push_back(column.is_meant);
  }

  void add() {
    records_.require_width(width_);
    table_.lines.push_back(line_);
    for (std::size_t j = 0; j < width_; ++j) {
      const CsvCell& cell = records_.cells()[j];
      TableColumn& column = table_.columns[j];
      if (!is_text_[j]) {
        if (const auto number = number_in_cell(source_, cell.bytes, options_.format)) {
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
    CsvRecords earlier(records_);
    earlier.go_to(first_sample_);
    while (earlier.next() && earlier.record() != records_.record())
      table_.columns[j].texts.push_back(text_of(earlier.cells()[j]));
  }

  std::string text_of(const CsvCell& cell) const {
    return options_.format.is_missing(cell.bytes) ? std::string() : name_of(cell);
  }

  std::string name_of(const CsvCell& cell) const {
    std::string text = cell.text();
    if (!is_utf8(text))
      source_.refuse_at(cell.bytes,
                        "text is read as UTF-8: convert the file, as by iconv -f latin1 -t utf8");
    return text;
  }

  const SourceText& source_;
  const TableOptions& options_;
  CsvRecords records_;
  Table table_{};
  std::vector<bool> is_text_{};
  std::size_t width_{0};
  const char* first_sample_{nullptr};
  const char* counted_{source_.begin()};
  Index line_{1};
};

}  // namespace linea::io

namespace linea {

/// Reads a table from CSV text; messages begin with `source_name`. A column is text if a cell is
/// neither a number nor missing, or if the options name it. Cells are missing if they are empty, NA
/// and the like (`usual_missing_values`, na, NAN, ?), or a word of the format. Lines in front that
/// begin with # are comments. The other rules are those of `parse_csv`, without a check of labels.
///
/// Throws std::invalid_argument "source:line:column: what, got 'text'" for lines with another
/// number of cells than the first, numbers too large for double, text that is not UTF-8, a name
/// that the header has twice, a quote that is not closed or has text behind it, and text without
/// samples; and for an option that names no column, or an invalid format.
[[nodiscard]] inline Table parse_table(std::string_view text, std::string_view source_name,
                                       const TableOptions& options = {}) {
  options.format.validate();
  const io::SourceText source(text, source_name);
  Table table = io::TableReader(source, options).read();
  io::settle_columns(table, options);
  return table;
}

/// Reads a CSV file as `parse_table` does. Throws as `read_csv` does if the file cannot be opened
/// or is not text.
[[nodiscard]] inline Table read_table(const std::filesystem::path& path,
                                      const TableOptions& options = {}) {
  const auto bytes = io::read_text("read_table", path);
  return parse_table(bytes.text(), path.string(), options);
}

}  // namespace linea
