// SPDX-License-Identifier: MIT
// Warns of columns that may be misread.
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
  linea::TableFormat format;
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

Values values_of(const std::vector<std::string>& texts, const linea::TableFormat& format) {
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
    if (linea::io::number_of(text, format)) {
      ++values.numbers;
      values.first_number = std::min(values.first_number, i);
      continue;
    }
    const std::string number = without_unit(text);
    const auto reads = [&](const Style& style) {
      return linea::io::number_of(number, style.format).has_value();
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
  const std::string name = table.columns[j].name_or_number(j);
  const Values values = values_of(texts, table.format);
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
  } else if (const bool is_target = j == table.target; !options.hashes_words &&
                                                       2 * values.different > values.filled &&
                                                       values.different > (is_target ? 20U : 2U)) {
    const std::string such = linea::io::excerpt(*std::find_if(
        texts.begin(), texts.end(), [](const std::string& text) { return !text.empty(); }));
    remark(table.source + ": column " + name + " is text with " + std::to_string(values.different) +
           " different values in " + std::to_string(values.filled) + " rows, like '" + such +
           "': each becomes " + (is_target ? "a class" : "a feature") + " of its own; " +
           (is_target ? "" : "--drop " + name + " leaves the column out, ") + is_meant);
  }
}

}  // namespace

void check_columns(Table& table, const InputOptions& options) {
  linea::require(!table.has_entries || (options.drop.empty() && options.weights.empty()),
                 table.source, ": ", options.drop.empty() ? "--weights" : "--drop",
                 " is for tables: a list of entries has no columns");
  linea::require(!table.has_entries || options.target.empty(), table.source,
                 ": --target is for tables: a list of entries has its label in front");
  for (std::size_t j = 0; options.like.empty() && j < table.columns.size(); ++j)
    if (const Column& column = table.columns[j];
        column.is_text() && !column.is_left_out && !column.is_meant)
      remark_on_text(table, j, options);
}

void print_remarks(const char* program, const std::vector<std::string>& remarks) {
  for (const auto& remark : remarks)
    std::cerr << program << ": warning: " << shown(in_words_of_a_shell(remark), 2000) << '\n';
}

std::optional<Table> rows_with_weight(const Table& table, std::optional<std::size_t> place) {
  const auto weights = table.weights_in(place);
  std::vector<Index> rows;
  for (Index i = 0; i < weights.size(); ++i)
    if (weights[i] > 0) rows.push_back(i);
  linea::require(!rows.empty() || weights.size() == 0, table.source, ": all weights are 0");
  if (static_cast<Index>(rows.size()) == weights.size()) return std::nullopt;
  return table.take(rows);
}

}  // namespace program
