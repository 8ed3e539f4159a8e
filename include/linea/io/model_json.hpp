// SPDX-License-Identifier: MIT
#pragma once
/// \file The format of model files, which docs/internals/model_format.md describes.
#include <array>
#include <cmath>  // isnan
#include <cstddef>
#include <limits>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/io/encoder.hpp>
#include <linea/io/json.hpp>
#include <linea/io/json_document.hpp>
#include <linea/io/stored_model.hpp>
#include <linea/io/table_columns.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linea::io {

inline constexpr DocumentKind model_file{"model", 3};

// How the parts of a model are passed; json.hpp has `pass` for plain values and lists.

constexpr ModelKind last_of(ModelKind) { return ModelKind::multi_target; }
constexpr Status last_of(Status) { return Status::diverged; }
constexpr Iterate last_of(Iterate) { return Iterate::average; }
constexpr Missing last_of(Missing) { return Missing::zero; }
constexpr ColumnRole last_of(ColumnRole) { return ColumnRole::left_out; }

template <class At, class E>
  requires std::is_enum_v<E>
void pass(At& at, E& value) {
  at.one_of(value, last_of(value), [](E one) { return name_of(one); });
}

/// A character is a text, and 0 is "".
template <class At>
void pass(At& at, char& c) {
  std::string text(c != 0, c);
  at.text(text, 1);
  c = text.empty() ? '\0' : text[0];
}

template <class At>
void pass(At& at, std::pair<std::string, std::string>& note) {
  pass_object(at, "name", note.first, "text", note.second);
}

template <class At>
void pass(At& at, EncodedColumn& column) {
  pass_object(at, "name", column.name, "role", column.role, "text", column.is_text, "categories",
              column.categories, "fill", column.fill);
}

template <class At>
void pass(At& at, Encoder& encoder) {
  TableFormat& format = encoder.format;
  pass_object(at, "missing", encoder.missing, "hash_bits", encoder.hash_bits, "separator",
              format.separator, "decimal", format.decimal, "thousands", format.thousands,
              "missing_values", format.missing_values, "columns", encoder.columns);
}

/// Passes `count` numbers from `first` on, or as many as there are. Returns the number of them.
template <class At>
std::size_t pass_row(At& at, std::vector<double>& numbers, std::size_t first, std::size_t count) {
  std::size_t k = 0;
  at.open('[');
  for (; at.more(k, k < count, false); ++k) {
    if (first + k == numbers.size()) numbers.push_back(0);
    at.number(numbers[first + k]);
  }
  return k;
}

template <class At>
void pass(At& at, StoredPart& part) {
  at.open('{');
  pass_members(at, "loss", part.loss, "penalty", part.penalty, "activation", part.activation,
               "optimizer", part.optimizer, "reason", part.reason, "status", part.status, "iterate",
               part.iterate, "epochs", part.epochs, "updates", part.updates, "iterations",
               part.iterations, "objective", part.objective, "gap", part.gap, "labels",
               part.labels);
  at.key("offset");
  const std::size_t functions = pass_row(at, part.offset, 0, part.offset.size());
  at.key("weights");
  at.open('[');
  for (std::size_t row = 0; at.more(row, row < part.weights.size(), true); row += functions) {
    const std::size_t count = pass_row(at, part.weights, row, functions);
    at.demand(count == functions && count > 0, "expected a weight for each offset in this row");
  }
  at.close();
}

/// Passes the members between version and checksum.
template <class At>
void pass(At& at, StoredModel& model) {
  pass_members(at, "kind", model.kind, "part_kind", model.part_kind);
  at.key("scalar");
  at.one_of(model.is_float, true, scalar_name);
  at.is_float = model.is_float;
  pass_members(at, "columns", model.columns, "labels", model.labels, "features", model.features,
               "zero_based", model.zero_based, "degree", model.degree, "encoder", model.encoder,
               "notes", model.notes, "parts", model.parts);
}

/// Returns the text of a model file. Changes nothing in the model.
inline std::string model_text(StoredModel& model) {
  return document_text(model_file, [&](JsonWriter& at) { pass(at, model); });
}

/// Reads a model from the text of a file. Throws std::invalid_argument with the reason and, if the
/// text is damaged, with the line and column.
inline StoredModel parse_model(std::string_view text, const std::string& name) {
  constexpr std::string_view older =
      ": a model file of linea 0.3 or older, which scripts/convert_model converts";
  require(!text.starts_with("linea-model ") && !text.starts_with("lineaM\r\n"), name, older);
  StoredModel model;
  read_document(model_file, text, name,
                text.starts_with("solver_type ") ? "; read_liblinear reads it" : "", older,
                [&](JsonReader& at) { pass(at, model); });
  require_sound(name, model);
  model.source = name;
  return model;
}

}  // namespace linea::io
