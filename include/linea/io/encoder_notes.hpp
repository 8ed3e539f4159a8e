// SPDX-License-Identifier: MIT
#pragma once
/// \file Stores an Encoder in the notes of a model file.
#include <array>
#include <cstddef>
#include <linea/core/numbers.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/io/encoder.hpp>
#include <linea/io/stored_model.hpp>
#include <linea/io/table_format.hpp>
#include <linea/io/text.hpp>
#include <string>
#include <string_view>
#include <utility>  // pair
#include <vector>

namespace linea {

namespace io {

/// The names of the notes of a column, in the order of ColumnRole.
inline constexpr std::array<std::string_view, 4> column_notes{"feature", "target", "weights",
                                                              "left out"};
inline constexpr std::string_view note_prefix = "encoder ";

}  // namespace io

/// Returns the encoder as notes for write_model:
/// write_model("rents.model", model, {.notes = notes_of(encoder)}). `encoder_of` is the inverse.
inline std::vector<std::pair<std::string, std::string>> notes_of(const Encoder& encoder) {
  std::vector<std::pair<std::string, std::string>> notes;
  const auto add = [&](std::string_view name, std::string_view text) {
    notes.emplace_back(std::string(io::note_prefix).append(name), text);
  };
  const TableFormat& format = encoder.format;
  add("missing", name_of(encoder.missing));
  add("hash bits", std::to_string(encoder.hash_bits));
  for (const auto& [name, mark] : {std::pair{"separator", format.separator},
                                   {"decimal", format.decimal},
                                   {"thousands", format.thousands}})
    if (mark != 0) add(name, {&mark, 1});
  for (const auto& word : format.missing_values) add("missing value", word);
  for (const auto& column : encoder.columns) {
    add(io::column_notes[static_cast<std::size_t>(column.role)], column.name);
    if (column.is_text) add("text", "");
    for (const auto& category : column.categories) add("category", category);
    if (column.fill != 0) add("fill", detail::number_text(column.fill));
  }
  return notes;
}

/// Returns the encoder in the notes of a model file, from read_stored_model. Throws
/// std::invalid_argument if there is none, and for notes that are not valid.
[[nodiscard]] inline Encoder encoder_of(const StoredModel& model) {
  Encoder encoder;
  TableFormat& format = encoder.format;
  for (const auto& note : model.notes) {
    if (!note.first.starts_with(io::note_prefix)) continue;
    const auto name = std::string_view(note.first).substr(io::note_prefix.size());
    const std::string& text = note.second;
    const auto is_valid = [&] {
      for (std::size_t role = 0; role < io::column_notes.size(); ++role)
        if (name == io::column_notes[role]) {
          encoder.columns.push_back({.name = text, .role = static_cast<ColumnRole>(role)});
          return true;
        }
      if (name == "missing value") {
        format.missing_values.push_back(text);
        return true;
      }
      for (const auto& [mark, of] : {std::pair{"separator", &format.separator},
                                     {"decimal", &format.decimal},
                                     {"thousands", &format.thousands}})
        if (name == mark) {
          *of = text.empty() ? '\0' : text[0];
          return text.size() == 1;
        }
      const auto number = io::number_of(text);
      if (name == "hash bits") {
        const bool is_possible = number && 0 <= *number && *number <= 30;
        if (is_possible) encoder.hash_bits = static_cast<int>(*number);
        return is_possible;
      }
      if (name == "missing") {
        const auto missing = missing_of(text);
        encoder.missing = missing.value_or(Missing::refuse);
        return missing.has_value();
      }
      if (encoder.columns.empty()) return false;
      EncodedColumn& column = encoder.columns.back();
      if (name == "text") return column.is_text = true;
      if (name == "fill") {
        column.fill = number.value_or(0);
        return number.has_value();
      }
      auto& categories = column.categories;
      if (name != "category" || (!categories.empty() && !(categories.back() < text))) return false;
      categories.push_back(text);
      return true;
    };
    require(is_valid(), model.source, ": the note '", name, "' of the encoder is '",
            io::excerpt(text), "', which does not belong there");
  }
  require(!encoder.columns.empty(), model.source, ": a model without an encoder");
  format.validate();
  return encoder;
}

}  // namespace linea
