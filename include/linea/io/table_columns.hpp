// SPDX-License-Identifier: MIT
#pragma once
/// \file Tables of numbers and text, and which of their columns are features. table.hpp reads them.
#include <algorithm>  // all_of, count_if, min
#include <array>
#include <cmath>  // floor, isfinite
#include <cstddef>
#include <limits>
#include <linea/core/numbers.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/io/csv_records.hpp>
#include <linea/io/table_format.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace linea {

/// One column of a table: numbers, or text if a cell is not a number or on request.
struct TableColumn {
  std::string name{};                ///< empty if the file has no header
  std::vector<double> numbers{};     ///< (n) NaN for a missing cell; empty if the column is text
  std::vector<std::string> texts{};  ///< (n) "" for a missing cell; empty if the column has numbers
  bool has_empty_name{false};        ///< is its cell in the header empty? `name` is "column 1", …
  bool is_left_out{false};           ///< is the column neither a feature nor the target?
  bool is_meant{false};              ///< do the options declare the column as text?

  bool is_text() const { return !texts.empty(); }
  Index rows() const { return static_cast<Index>(is_text() ? texts.size() : numbers.size()); }
  bool is_missing(std::size_t row) const {
    return is_text() ? texts[row].empty() : !(numbers[row] == numbers[row]);
  }
  std::string text(std::size_t row) const {
    return is_text() ? texts[row] : detail::number_text(numbers[row]);
  }
  /// Returns the column as options refer to it: by its name, or else by its number j + 1.
  std::string name_or_number(std::size_t j) const {
    return name.empty() || has_empty_name ? std::to_string(j + 1) : name;
  }
};

/// What a column of a table is for.
enum class ColumnRole { feature, target, weights, left_out };

constexpr std::string_view name_of(ColumnRole role) {
  constexpr std::array<std::string_view, 4> names{"feature", "target", "weights", "left_out"};
  return names[static_cast<std::size_t>(role)];
}

/// How an Encoder converts one column of a table.
struct EncodedColumn {
  std::string name{};
  ColumnRole role{ColumnRole::feature};
  bool is_text{false};
  std::vector<std::string> categories{};  ///< of a text column, ascending
  double fill{0};                         ///< replaces missing numbers

  bool is_feature() const { return role == ColumnRole::feature; }
};

/// The options of read_table. A column has a name, or a number that counts from 1, or from -1 at
/// the right end.
struct TableOptions {
  TableFormat format{};
  CsvHeader header{CsvHeader::detect};
  std::vector<std::string> text_columns{};  ///< columns of numbers to read as text
  std::vector<std::string> drop{};          ///< columns that are no features
  std::string target{};                     ///< the column of targets; empty: the last one
  std::string weights{};                    ///< the column of sample weights; empty: none
  /// The columns of an earlier table: its columns of text are read as text, and the table has a
  /// header if the earlier one had one. Columns are not checked, and a target is not looked for.
  std::vector<EncodedColumn> like{};
};

/// Columns of one length n, one of them the target.
struct Table {
  std::string source{};                  ///< the file, for messages
  std::vector<TableColumn> columns{};    ///< all of one length
  std::vector<Index> lines{};            ///< (n) the line of each row in the text; may be empty
  std::vector<std::string> remarks{};    ///< warnings of columns that may be misread
  TableFormat format{};                  ///< the format of the text
  std::size_t target{0};                 ///< the index of the target's column
  std::optional<std::size_t> weights{};  ///< the index of the column of sample weights

  Index rows() const { return columns.empty() ? 0 : columns.front().rows(); }

  /// Throws std::invalid_argument if columns differ in length, or for indices of no column.
  void validate() const {
    bool are_alike = lines.empty() || static_cast<Index>(lines.size()) == rows();
    for (const auto& column : columns) are_alike = are_alike && column.rows() == rows();
    require(are_alike, source, ": the columns differ in length");
    require(!columns.empty() && target < columns.size() && weights.value_or(0) < columns.size(),
            source, ": the target or the weights are no column");
  }

  /// Returns "file:line" of a row, or "source: row 1" without lines, for messages.
  std::string place(std::size_t row) const {
    return source +
           (lines.empty() ? ": row " + std::to_string(row + 1) : ":" + std::to_string(lines[row]));
  }

  /// Returns the index of the column of this name or number. Throws std::invalid_argument if there
  /// is none.
  std::size_t column_of(const std::string& wanted) const {
    for (std::size_t j = 0; j < columns.size(); ++j)
      if (!wanted.empty() && columns[j].name == wanted) return j;
    const Index number = io::whole_number(wanted).value_or(0);
    const auto width = static_cast<Index>(columns.size());
    if (number != 0 && -width <= number && number <= width)
      return static_cast<std::size_t>(number > 0 ? number - 1 : number + width);
    std::string names;
    for (std::size_t j = 0; j < std::min<std::size_t>(columns.size(), 12); ++j)
      names += (j ? ", " : "") + columns[j].name;
    const bool has_names = !columns.empty() && !columns[0].name.empty();
    refuse(source, ": there is no column '", wanted, "' among ", width,
           has_names ? " columns: " + names : " columns without names");
  }

  /// Returns a copy of the rows (m), in this order.
  Table take(std::span<const Index> rows) const {
    const auto rows_of = [&]<class T>(const std::vector<T>& all) {
      std::vector<T> some;
      for (const Index row : rows)
        if (!all.empty()) some.push_back(all[static_cast<std::size_t>(row)]);
      return some;
    };
    Table taken{source, {}, rows_of(lines), {}, format, target, weights};
    for (const auto& column : columns)
      taken.columns.push_back({column.name, rows_of(column.numbers), rows_of(column.texts),
                               column.has_empty_name, column.is_left_out, column.is_meant});
    return taken;
  }

  /// Returns the sample weights (n) in a column, or none without a column. Throws
  /// std::invalid_argument for a weight that is missing, negative or not finite.
  Vector<double> weights_in(std::optional<std::size_t> column) const {
    if (!column) return {};
    Vector<double> all(rows());
    for (std::size_t i = 0; i < static_cast<std::size_t>(all.size()); ++i) {
      require(!columns[*column].is_missing(i), place(i), ": the weight is missing");
      const double weight = number_in(*column, i);
      require(std::isfinite(weight) && weight >= 0, place(i), ": the weight is no number >= 0");
      all[static_cast<Index>(i)] = weight;
    }
    return all;
  }

  /// Returns the number in a cell, or NaN if there is none. The column may be text because of other
  /// cells.
  double number_in(std::size_t column, std::size_t row) const {
    const TableColumn& from = columns[column];
    if (!from.is_text()) return from.numbers[row];
    return io::number_of(from.texts[row], format)
        .value_or(std::numeric_limits<double>::quiet_NaN());
  }
};

}  // namespace linea

namespace linea::io {

/// Returns the index of each column of an earlier table in another table, or -1. Columns are found
/// by name if both tables have names. They are found by position if the other table has all
/// columns, all but the target, or the features alone.
inline std::vector<Index> places_in(const std::vector<TableColumn>& columns,
                                    const std::vector<EncodedColumn>& earlier) {
  std::unordered_map<std::string_view, Index> by_name;
  for (std::size_t j = 0; j < columns.size(); ++j)
    if (!columns[j].name.empty()) by_name.emplace(columns[j].name, static_cast<Index>(j));
  const auto is_all = [&](const EncodedColumn&) { return true; };
  const auto is_no_target = [](const EncodedColumn& c) { return c.role != ColumnRole::target; };
  const auto is_feature = [](const EncodedColumn& c) { return c.is_feature(); };
  std::vector<Index> places(earlier.size(), -1);
  const auto number = [&](const auto& is_there) {
    const auto found = std::count_if(earlier.begin(), earlier.end(), is_there);
    if (static_cast<std::size_t>(found) != columns.size()) return false;
    Index next = 0;
    for (std::size_t k = 0; k < earlier.size(); ++k)
      if (is_there(earlier[k])) places[k] = next++;
    return true;
  };
  number(is_all) || number(is_no_target) || number(is_feature);
  for (std::size_t k = 0; k < earlier.size() && !by_name.empty(); ++k)
    if (!earlier[k].name.empty()) {
      const auto found = by_name.find(earlier[k].name);
      places[k] = found == by_name.end() ? -1 : found->second;
    }
  return places;
}

/// Returns whether the column counts the rows: 0, 1, 2, … or 1, 2, 3, …
inline bool counts_rows(const TableColumn& column) {
  const auto& numbers = column.numbers;
  if (numbers.size() < 2 || (numbers[0] != 0 && numbers[0] != 1)) return false;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] != numbers[0] + static_cast<double>(i)) return false;
  return true;
}

/// Returns whether every row has a unique name or whole number in the column, as pandas and R write
/// it in front of each row.
inline bool names_rows(const TableColumn& column, std::size_t rows) {
  std::unordered_set<std::string> names;
  for (std::size_t i = 0; i < rows; ++i) {
    const bool is_name = column.is_text() || column.numbers[i] == std::floor(column.numbers[i]);
    if (!is_name || !names.insert(column.text(i)).second) return false;
  }
  return rows >= 2;
}

/// Leaves out columns that are no features: those without a value, and a first column of row
/// numbers or names if the header gives it no name. Only warns of another first column that counts
/// the rows. `is_wanted(j)` returns whether the options ask for the column.
template <class IsWanted>
void leave_out_columns(Table& table, const IsWanted& is_wanted) {
  const auto rows = static_cast<std::size_t>(table.rows());
  const auto remark = [&](const std::string& what) {
    table.remarks.push_back(table.source + ": " + what);
  };
  std::string names;
  std::size_t count = 0;
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    TableColumn& column = table.columns[j];
    std::size_t empty = 0;
    while (empty < rows && column.is_missing(empty)) ++empty;
    if (column.is_left_out || is_wanted(j) || empty < rows) continue;
    column.is_left_out = true;
    if (++count <= 5) names += (count > 1 ? ", " : "") + column.name_or_number(j);
  }
  if (count > 5) names += ", ... (" + std::to_string(count) + " of them)";
  if (count > 0) remark("no cell has a value in column " + names + ": left out");
  TableColumn& first = table.columns[0];
  if (first.is_left_out || is_wanted(0)) return;
  if (first.has_empty_name && names_rows(first, rows)) {
    first.is_left_out = true;
    remark(
        "column 1 has no name, and numbers or names the rows: left out; to keep it, name it in the "
        "header");
  } else if (table.columns.size() > 2 && rows >= 10 && counts_rows(first)) {
    remark("column " + first.name_or_number(0) + " counts the rows: drop it if it is no feature");
  }
}

/// Finds the columns that the options name, and leaves out those that are no features.
inline void settle_columns(Table& table, const TableOptions& options) {
  auto& columns = table.columns;
  if (columns.empty()) return;
  for (const auto& name : options.drop) columns[table.column_of(name)].is_left_out = true;
  if (!options.weights.empty()) table.weights = table.column_of(options.weights);
  if (table.weights) columns[*table.weights].is_left_out = true;
  if (!options.like.empty()) return;
  for (const auto& name : options.text_columns) columns[table.column_of(name)].is_meant = true;
  const bool has_target = !options.target.empty();
  if (has_target) table.target = table.column_of(options.target);
  require(!has_target || !columns[table.target].is_left_out, table.source, ": column ",
          options.target, " is the target: drop and weights take others");
  leave_out_columns(table, [&](std::size_t j) {
    return columns[j].is_meant || (has_target && j == table.target);
  });
  if (!has_target) table.target = columns.size() - 1;
  while (table.target > 0 && columns[table.target].is_left_out) --table.target;
  require(!columns[table.target].is_left_out, table.source, ": all columns are left out");
}

}  // namespace linea::io
