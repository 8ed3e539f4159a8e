// SPDX-License-Identifier: MIT
#pragma once
/// \file The format of model files, which docs/model_files.md describes.
#include <array>
#include <cmath>  // isnan
#include <cstddef>
#include <cstdio>  // snprintf
#include <limits>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/io/checksum.hpp>
#include <linea/io/encoder.hpp>
#include <linea/io/json.hpp>
#include <linea/io/stored_model.hpp>
#include <linea/io/table_columns.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linea::io {

/// The version of the format that this linea writes, and the only one that it reads.
inline constexpr Index model_version = 3;

/// The members of a model between version and checksum, for both directions: a JsonWriter writes
/// them from the model, and a JsonReader sets them.
template <class Json>
class ModelMembers {
 public:
  explicit ModelMembers(Json& at) : at_(at) {}

  void pass(StoredModel& model) {
    using enum ModelKind;
    constexpr std::array kinds{
        linear,      regressor, activated,   classifier, probabilistic_classifier,
        one_vs_rest, softmax,   multi_target};
    const auto name = [](ModelKind one) { return name_of(one); };
    at_.key("kind");
    at_.one_of(kinds, model.kind, name);
    at_.key("part_kind");
    at_.one_of(kinds, model.part_kind, name);
    at_.key("scalar");
    at_.one_of(std::array{true, false}, model.is_float, scalar_name);
    at_.key("columns");
    at_.whole(model.columns);
    numbers("labels", model.labels);
    texts("features", model.features);
    at_.key("zero_based");
    at_.flag(model.zero_based);
    at_.key("degree");
    whole(model.degree, 1, largest_degree);
    at_.key("encoder");
    if (at_.null_if(!model.encoder))
      model.encoder.reset();
    else
      encoder(model.encoder ? *model.encoder : model.encoder.emplace());
    list(
        "notes", model.notes,
        [&](auto& note) {
          at_.open('[');
          at_.text(note.first);
          at_.item(1);
          at_.text(note.second);
          at_.close(']');
        },
        true);
    list(
        "parts", model.parts, [&](StoredPart& part) { pass_part(part, model); }, true);
  }

 private:
  /// Writes or reads a member that is a list. `on_lines`: has each item a line of its own?
  template <class Items, class F>
  void list(std::string_view key, Items& items, const F& pass_item, bool on_lines = false) {
    at_.key(key);
    at_.open('[');
    for (std::size_t k = 0; at_.more(static_cast<Index>(k), k < items.size(), on_lines); ++k) {
      if (k == items.size()) items.emplace_back();
      pass_item(items[k]);
    }
  }

  void texts(std::string_view key, std::vector<std::string>& texts) {
    list(key, texts, [&](std::string& one) { at_.text(one); });
  }

  void numbers(std::string_view key, std::vector<double>& numbers, bool is_float = false) {
    list(key, numbers, [&](double& number) { at_.number(number, is_float); });
  }

  void text(std::string_view key, std::string& text) {
    at_.key(key);
    at_.text(text);
  }

  void count(std::string_view key, Index& value) {
    at_.key(key);
    at_.whole(value);
  }

  void whole(int& value, Index least, Index most) {
    Index wide = value;
    at_.whole(wide, least, most);
    value = static_cast<int>(wide);
  }

  /// Writes or reads a character as a text, and 0 as "".
  void character(std::string_view key, char& c) {
    std::string one(c != 0, c);
    at_.key(key);
    at_.text(one, 1);
    c = one.empty() ? '\0' : one[0];
  }

  void encoder(Encoder& encoder) {
    at_.open('{');
    at_.key("missing");
    at_.one_of(std::array{Missing::refuse, Missing::mean, Missing::zero}, encoder.missing,
               [](Missing one) { return name_of(one); });
    at_.key("hash_bits");
    whole(encoder.hash_bits, 0, 30);
    character("separator", encoder.format.separator);
    character("decimal", encoder.format.decimal);
    character("thousands", encoder.format.thousands);
    texts("missing_values", encoder.format.missing_values);
    list(
        "columns", encoder.columns, [&](EncodedColumn& column) { pass_column(column); }, true);
    at_.close('}');
  }

  void pass_column(EncodedColumn& column) {
    using enum ColumnRole;
    at_.open('{');
    text("name", column.name);
    at_.key("role");
    at_.one_of(std::array{feature, target, weights, left_out}, column.role,
               [](ColumnRole one) { return name_of(one); });
    at_.key("text");
    at_.flag(column.is_text);
    texts("categories", column.categories);
    at_.key("fill");
    at_.number(column.fill);
    at_.close('}');
  }

  void pass_part(StoredPart& part, const StoredModel& model) {
    at_.open('{');
    text("loss", part.loss);
    text("penalty", part.penalty);
    text("activation", part.activation);
    text("optimizer", part.optimizer);
    text("reason", part.reason);
    using enum Status;
    at_.key("status");
    at_.one_of(std::array{converged, settled, epoch_limit, precision_limit, stopped, diverged},
               part.status, [](Status one) { return name_of(one); });
    at_.key("iterate");
    at_.one_of(std::array{Iterate::best, Iterate::last, Iterate::average}, part.iterate,
               [](Iterate one) { return name_of(one); });
    count("epochs", part.epochs);
    count("updates", part.updates);
    count("iterations", part.iterations);
    at_.key("objective");
    at_.real(part.objective);
    at_.key("gap");
    double gap = part.gap.value_or(std::numeric_limits<double>::quiet_NaN());
    at_.real(gap);
    part.gap = std::isnan(gap) ? std::nullopt : std::optional(gap);
    numbers("labels", part.labels);
    numbers("offset", part.offset, model.is_float);
    at_.key("weights");
    at_.open('[');
    const std::size_t functions = part.offset.size();
    for (std::size_t j = 0;
         at_.more(static_cast<Index>(j), j * functions < part.weights.size(), true); ++j) {
      at_.open('[');
      for (std::size_t k = 0; k < functions; ++k) {
        at_.item(static_cast<Index>(k));
        if (part.weights.size() <= j * functions + k) part.weights.push_back(0);
        at_.number(part.weights[j * functions + k], model.is_float);
      }
      at_.close(']');
    }
    at_.close('}');
  }

  Json& at_;
};

/// Returns the checksum of a file whose text has been written or read up to the name of the member
/// "checksum": 16 hexadecimal digits for all bytes before this name.
inline std::string checksum_text(std::string_view text) {
  char digits[17];
  std::snprintf(
      digits, sizeof digits, "%016llx",
      static_cast<unsigned long long>(checksum(text.substr(0, text.rfind("\"checksum\"")))));
  return digits;
}

/// Returns the text of a model file. Changes nothing in the model.
inline std::string model_text(StoredModel& model) {
  JsonWriter at;
  at.open('{');
  at.key("format");
  at.text("linea model");
  at.key("version");
  at.whole(model_version);
  ModelMembers(at).pass(model);
  at.key("checksum");
  at.text(checksum_text(at.text()));
  at.close('}');
  return at.take() + '\n';
}

/// Throws, with the reason, unless the text begins like a model file of this version. Reads up to
/// the version.
inline void read_version(JsonReader& at, std::string_view text, std::string_view name) {
  constexpr std::string_view older =
      ": a model file of linea 0.3 or older, which scripts/convert_model converts";
  require(!text.starts_with("linea-model ") && !text.starts_with("lineaM\r\n"), name, older);
  require(!text.empty(), name, ": not a model of linea: the file is empty");
  if (!(at.accept("{") && at.accept("\"format\"") && at.accept(":") &&
        at.accept("\"linea model\"")))
    refuse(name, ": not a model of linea: it begins with '", escaped(text.substr(0, 20)), "'",
           text.starts_with("solver_type ") ? "; read_liblinear reads it" : "");
  Index version = 0;
  at.key("version");
  at.whole(version);
  require(version >= model_version, name, older);
  require(version == model_version, name, ": a model file of version ", version,
          ", but this linea reads no newer one than version ", model_version);
}

/// Reads a model from the text of a file. Throws std::invalid_argument with the reason and, if the
/// text is damaged, with the line and column.
inline StoredModel parse_model(std::string_view text, const std::string& name) {
  JsonReader at(text, name);
  read_version(at, text, name);
  StoredModel model;
  ModelMembers(at).pass(model);
  at.key("checksum");
  const auto behind_key = static_cast<std::size_t>(at.rest().data() - text.data());
  const std::string sum = checksum_text(text.substr(0, behind_key));
  if (!at.accept("\"" + sum + "\""))
    at.refuse("the file is damaged: the checksum of its bytes is ", sum);
  at.close('}');
  if (!at.accept("") || !at.rest().empty()) at.refuse("expected the end of the model");
  require_sound(name, model);
  model.source = name;
  return model;
}

}  // namespace linea::io
