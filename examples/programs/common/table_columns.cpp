// SPDX-License-Identifier: MIT
// Determines which columns of a table are features, and warns of columns that may be misread.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <iostream>
#include <limits>
#include <linea/core/require.hpp>
#include <linea/io/text.hpp>
#include <unordered_set>

#include "programs/common/program.hpp"
#include "programs/common/table.hpp"

namespace program {
namespace {

using linea::Index;

/// Returns the column as options refer to it: by its name, or else by its number.
std::string wanted_of(const Table& table, std::size_t j) {
  const Column& column = table.columns[j];
  const bool has_name = !column.name.empty() && !column.has_empty_name;
  return has_name ? column.name : std::to_string(j + 1);
}

/// Returns the part of a text from its first to its last digit, with a sign or mark directly before
/// it, if at most a currency sign precedes this part and at most a short unit follows it. Else
/// returns "". The caller checks that the part is a number.
std::string without_unit(const std::string& text) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const auto first = text.find_first_of("0123456789");
  const auto last = text.find_last_of("0123456789");
  if (first == text.npos) return "";
  const auto begin = first > 0 && (text[first - 1] == '-' || text[first - 1] == '+' ||
                                   text[first - 1] == '.' || text[first - 1] == ',')
                         ? first - 1
                         : first;
  const std::string behind = text.substr(last + 1);
  if (begin > 4 || std::any_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(begin),
                               [&](char c) { return is_letter(c) || c == '#'; }))
    return "";
  if (behind.size() > 5 || behind.find_first_of("-:/_") != behind.npos) return "";
  return text.substr(begin, last + 1 - begin);
}

/// A number format, and the options that read it.
struct Style {
  Reading reading;
  const char* options;
};

/// The formats to try, the most likely first.
const std::array<Style, 7> styles{{
    {{}, ""},
    {{0, '.', ',', {}}, "--thousands comma"},
    {{0, ',', 0, {}}, "--decimal comma"},
    {{0, ',', '.', {}}, "--decimal comma --thousands point"},
    {{0, ',', ' ', {}}, "--decimal comma --thousands blank"},
    {{0, '.', ' ', {}}, "--thousands blank"},
    {{0, '.', '\'', {}}, "--thousands \"'\""},
}};

/// Statistics of the values of a text column.
struct Values {
  std::size_t filled{0};
  std::size_t numbers{0};       ///< cells that are numbers in the format of the table
  std::size_t others{0};        ///< cells that are numbers in another format, or with a unit
  std::size_t different{0};     ///< the number of distinct values
  std::size_t first_number{0};  ///< the row of the first number; n if there is none
  std::size_t first_word{0};    ///< the first row that is not a number in any format; n if none
  std::size_t first_other{0};
  const Style* style{nullptr};  ///< a format that fits all `others`, if there is one
  bool has_unit{false};
};

Values values_of(const std::vector<std::string>& texts, const Reading& reading) {
  Values values;
  values.first_number = values.first_word = values.first_other = texts.size();
  std::unordered_set<std::string_view> seen;
  std::array<bool, styles.size()> fits;
  fits.fill(true);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string& text = texts[i];
    if (text.empty()) continue;
    ++values.filled;
    seen.insert(text);
    if (number_of(text, reading)) {
      ++values.numbers;
      values.first_number = std::min(values.first_number, i);
      continue;
    }
    const std::string number = without_unit(text);
    const auto reads = [&](const Style& style) {
      return number_of(number, style.reading).has_value();
    };
    if (number.empty() || std::none_of(styles.begin(), styles.end(), reads)) {
      values.first_word = std::min(values.first_word, i);
      continue;
    }
    ++values.others;
    values.first_other = std::min(values.first_other, i);
    values.has_unit = values.has_unit || number != text;
    for (std::size_t k = 0; k < styles.size(); ++k) fits[k] = fits[k] && reads(styles[k]);
  }
  values.different = seen.size();
  for (std::size_t k = styles.size(); k-- > 0;)
    if (fits[k]) values.style = &styles[k];
  return values;
}

/// Warns of a column of text that seems to consist of numbers, perhaps in another format, or that
/// has many different values.
void remark_on_text(Table& table, std::size_t j, const InputOptions& options) {
  const auto& texts = table.columns[j].texts;
  const std::string name = wanted_of(table, j);
  const Values values = values_of(texts, table.reading);
  const std::string is_meant = "--text " + name + " says that it is meant";
  const auto taken_for_text = [&](std::size_t row) {
    return table.place(row) + ": column " + name + " is taken for text because of '" +
           linea::io::excerpt(texts[row]) + "'";
  };
  const auto remark = [&](const std::string& what) { table.remarks.push_back(what); };
  if (values.others > 0 && 2 * (values.others + values.numbers) > values.filled) {
    const bool helps = !values.has_unit && values.style && *values.style->options;
    if (helps)
      remark(taken_for_text(values.first_other) + ": " + values.style->options +
             " reads such numbers; " + is_meant);
    else
      remark(taken_for_text(values.first_other) +
             ": linea reads numbers without signs and units; --drop " + name +
             " leaves the column out, " + is_meant);
  } else if (values.first_word < texts.size() && values.numbers > 0 &&
             (values.first_number < values.first_word || 2 * values.numbers > values.filled)) {
    remark(taken_for_text(values.first_word) + "; " + is_meant);
  } else if (const bool is_target = j == table.target && !options.has_model;
             !options.hashes_words && 2 * values.different > values.filled &&
             values.different > (is_target ? 20U : 2U)) {
    const std::string such = linea::io::excerpt(*std::find_if(
        texts.begin(), texts.end(), [](const std::string& text) { return !text.empty(); }));
    remark(table.source + ": column " + name + " is text with " + std::to_string(values.different) +
           " different values in " + std::to_string(values.filled) + " rows, like '" + such +
           "': each becomes " + (is_target ? "a class" : "a feature") + " of its own; " +
           (is_target ? "" : "--drop " + name + " leaves the column out, ") + is_meant);
  }
}

bool is_empty(const Column& column, std::size_t rows) {
  for (std::size_t i = 0; i < rows; ++i)
    if (!column.is_missing(i)) return false;
  return true;
}

/// Does the column count the rows: 0, 1, 2, … or 1, 2, 3, …?
bool counts_rows(const Column& column, std::size_t rows) {
  if (column.is_text() || rows < 2) return false;
  const double first = column.numbers[0];
  if (first != 0 && first != 1) return false;
  for (std::size_t i = 0; i < rows; ++i)
    if (column.numbers[i] != first + static_cast<double>(i)) return false;
  return true;
}

/// Does every row have a unique name or whole number in the column, as pandas and R write it in
/// front of each row?
bool names_rows(const Column& column, std::size_t rows) {
  if (rows < 2) return false;
  if (column.is_text())
    return std::unordered_set<std::string_view>(column.texts.begin(), column.texts.end()).size() ==
           rows;
  for (const double number : column.numbers)
    if (!(number == std::floor(number))) return false;
  return std::unordered_set<double>(column.numbers.begin(), column.numbers.end()).size() == rows;
}

void leave_out_empty_columns(Table& table, const std::vector<bool>& is_wanted) {
  std::string names;
  std::string numbers;
  std::size_t count = 0;
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    Column& column = table.columns[j];
    if (column.is_left_out || is_wanted[j] ||
        !is_empty(column, static_cast<std::size_t>(table.rows())))
      continue;
    column.is_left_out = true;
    if (++count > 5) continue;
    names += (count > 1 ? ", " : "") + wanted_of(table, j);
  }
  if (count > 5) names += ", ... (" + std::to_string(count) + " of them)";
  if (count > 0)
    table.remarks.push_back(table.source + ": no cell has a value in column " + names +
                            ": left out, as by --drop");
}

/// Leaves out a first column of row numbers or names if the header gives it no name. Only warns of
/// another first column that counts the rows: it may be a feature.
void look_for_row_numbers(Table& table, const std::vector<bool>& is_wanted) {
  Column& column = table.columns[0];
  const auto rows = static_cast<std::size_t>(table.rows());
  if (column.is_left_out || is_wanted[0]) return;
  if (column.has_empty_name && names_rows(column, rows)) {
    column.is_left_out = true;
    table.remarks.push_back(
        table.source +
        ": column 1 has no name, and numbers or names the rows: left out, as by "
        "--drop 1; to keep it, name it in the header");
  } else if (table.columns.size() > 2 && rows >= 10 && counts_rows(column, rows)) {
    const std::string name = wanted_of(table, 0);
    table.remarks.push_back(table.source + ": column " + name + " counts the rows: --drop " + name +
                            " leaves it out if it is no feature");
  }
}

}  // namespace

void settle_columns(Table& table, const InputOptions& options) {
  linea::require(!table.has_entries || (options.drop.empty() && options.weights.empty()),
                 table.source, ": ", options.drop.empty() ? "--weights" : "--drop",
                 " is for tables: a list of entries has no columns");
  linea::require(!table.has_entries || options.target.empty(), table.source,
                 ": --target is for tables: a list of entries has its label in front");
  if (table.has_entries || table.columns.empty()) return;
  std::vector<bool> is_wanted(table.columns.size(), false);
  for (const auto& name : options.drop) table.columns[table.column_of(name)].is_left_out = true;
  if (!options.weights.empty()) {
    table.weights = table.column_of(options.weights);
    table.columns[*table.weights].is_left_out = true;
  }
  if (options.has_model) return;
  if (!options.target.empty()) {
    table.target = table.column_of(options.target);
    linea::require(!table.columns[table.target].is_left_out, table.source, ": column ",
                   options.target, " is the target: --drop and --weights take others");
    is_wanted[table.target] = true;
  }
  for (const auto& name : options.text_columns) is_wanted[table.column_of(name)] = true;
  leave_out_empty_columns(table, is_wanted);
  look_for_row_numbers(table, is_wanted);
  if (options.target.empty()) {
    table.target = table.columns.size() - 1;
    while (table.target > 0 && table.columns[table.target].is_left_out) --table.target;
    linea::require(!table.columns[table.target].is_left_out, table.source,
                   ": all columns are left out");
  }
  for (std::size_t j = 0; j < table.columns.size(); ++j)
    if (const Column& column = table.columns[j];
        column.is_text() && !column.is_left_out && !column.is_meant)
      remark_on_text(table, j, options);
}

void print_remarks(const char* program, const std::vector<std::string>& remarks) {
  for (const auto& remark : remarks)
    std::cerr << program << ": warning: " << shown(remark, 2000) << '\n';
}

linea::Vector<double> sample_weights_in(const Table& table, std::optional<std::size_t> place) {
  if (!place) return {};
  const Column& column = table.columns[*place];
  const auto rows = static_cast<std::size_t>(table.rows());
  linea::Vector<double> weights(table.rows());
  for (std::size_t i = 0; i < rows; ++i) {
    linea::require(!column.is_missing(i), table.place(i), ": the weight is missing");
    const auto number = column.is_text() ? number_of(column.texts[i], table.reading)
                                         : std::optional<double>(column.numbers[i]);
    linea::require(number && std::isfinite(*number) && *number >= 0, table.place(i),
                   ": the weight is no number >= 0");
    weights[static_cast<Index>(i)] = *number;
  }
  const double largest = rows > 0 ? weights.maxCoeff() : 0;
  // Only ratios of weights matter. The programs sum weights and their squares, and these sums must
  // neither overflow nor underflow.
  if (const int exponent = std::ilogb(largest); largest > 0 && std::abs(exponent) > 300)
    for (double& weight : weights)
      if (weight > 0)
        weight = std::max(std::ldexp(weight, -exponent), std::numeric_limits<double>::min());
  return weights;
}

std::optional<Table> rows_with_weight(const Table& table, std::optional<std::size_t> place) {
  const auto weights = sample_weights_in(table, place);
  std::vector<Index> rows;
  for (Index i = 0; i < weights.size(); ++i)
    if (weights[i] > 0) rows.push_back(i);
  linea::require(!rows.empty() || weights.size() == 0, table.source, ": all weights are 0");
  if (static_cast<Index>(rows.size()) == weights.size()) return std::nullopt;
  return table.take(rows);
}

}  // namespace program
