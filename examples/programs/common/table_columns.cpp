// SPDX-License-Identifier: MIT
// Warns of columns that may be misread.
#include <algorithm>
#include <cctype>
#include <iostream>
#include <linea/core/require.hpp>
#include <linea/io/text.hpp>
#include <unordered_set>

#include "programs/common/program.hpp"
#include "programs/common/table.hpp"

namespace program {
namespace {

/// Does the text look like a number with other marks, with signs or with a unit, such as 1.234,5 or
/// $3 or 12 kg, and not like a date or a code?
bool is_like_a_number(const std::string& text) {
  const auto first = text.find_first_of("0123456789");
  const auto last = text.find_last_of("0123456789");
  if (first == text.npos || first > 5 || last + 6 < text.size()) return false;
  const auto is_letter = [](char c) {
    return c == '#' || std::isalpha(static_cast<unsigned char>(c)) != 0;
  };
  const auto begin = text.begin() + static_cast<std::ptrdiff_t>(first);
  return std::none_of(text.begin(), begin, is_letter) &&
         text.substr(first, last - first).find_first_not_of("0123456789., '") == text.npos &&
         text.find_first_of(":/_", last) == text.npos;
}

/// Warns of a column of text that seems to consist of numbers, perhaps in another format, or that
/// has many different values.
void remark_on_text(Table& table, std::size_t j, const InputOptions& options) {
  const auto& texts = table.columns[j].texts;
  const std::size_t none = texts.size();
  std::unordered_set<std::string_view> seen;
  std::size_t filled = 0, numbers = 0, others = 0;
  std::size_t first = none, first_number = none, first_word = none, first_other = none;
  const auto note = [](std::size_t i, std::size_t& count, std::size_t& place) {
    if (count++ == 0) place = i;
  };
  for (std::size_t i = 0, words = 0; i < none; ++i) {
    if (texts[i].empty()) continue;
    note(i, filled, first);
    seen.insert(texts[i]);
    if (linea::io::number_of(texts[i], table.format))
      note(i, numbers, first_number);
    else if (is_like_a_number(texts[i]))
      note(i, others, first_other);
    else
      note(i, words, first_word);
  }
  const std::string name = table.columns[j].name_or_number(j);
  const std::string is_meant = "--text " + name + " says that it is meant";
  const std::string left_out = "--drop " + name + " leaves the column out, ";
  const auto taken_for_text = [&](std::size_t row) {
    return table.place(row) + ": column " + name + " is taken for text because of '" +
           linea::io::excerpt(texts[row]) + "'";
  };
  const bool is_target = j == table.target;
  if (others > 0 && 2 * (others + numbers) > filled)
    table.remarks.push_back(taken_for_text(first_other) +
                            ": set --decimal and --thousands, or remove signs and units; " +
                            left_out + is_meant);
  else if (first_word < none && numbers > 0 && (first_number < first_word || 2 * numbers > filled))
    table.remarks.push_back(taken_for_text(first_word) + "; " + is_meant);
  else if (!options.hashes_words && 2 * seen.size() > filled &&
           seen.size() > (is_target ? 20U : 2U))
    table.remarks.push_back(
        table.source + ": column " + name + " is text with " + std::to_string(seen.size()) +
        " different values in " + std::to_string(filled) + " rows, like '" +
        linea::io::excerpt(texts[first]) + "': each becomes " +
        (is_target ? "a class of its own; " : "a feature of its own; " + left_out) + is_meant);
}

}  // namespace

void check_columns(Table& table, const InputOptions& options) {
  const char* const option = !options.drop.empty()           ? "--drop"
                             : !options.weights.empty()      ? "--weights"
                             : !options.target.empty()       ? "--target"
                             : !options.text_columns.empty() ? "--text"
                                                             : nullptr;
  linea::require(!table.has_entries || !option, table.source, ": ", option ? option : "",
                 " is for tables: a list of entries has no columns");
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
  std::vector<linea::Index> rows;
  for (linea::Index i = 0; i < weights.size(); ++i)
    if (weights[i] > 0) rows.push_back(i);
  linea::require(!rows.empty() || weights.size() == 0, table.source, ": all weights are 0");
  if (static_cast<linea::Index>(rows.size()) == weights.size()) return std::nullopt;
  return table.take(rows);
}

}  // namespace program
