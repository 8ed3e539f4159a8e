// SPDX-License-Identifier: MIT
#pragma once
/// \file Files of fitted models: write_model and read_model. docs/internals/model_format.md
/// describes the format.
#include <filesystem>
#include <istream>
#include <linea/io/encoder.hpp>
#include <linea/io/file.hpp>
#include <linea/io/model_json.hpp>
#include <linea/io/output_file.hpp>
#include <linea/io/store_model.hpp>
#include <linea/io/stored_model.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <utility>  // pair
#include <vector>

namespace linea {

/// Additional data for the file.
struct ModelFileOptions {
  /// Names of the columns (d); empty: those of the model, or else of the encoder.
  std::vector<std::string> features{};
  std::vector<std::pair<std::string, std::string>> notes{};  ///< names and texts to store
  std::optional<Encoder> encoder{};  ///< from the rows of a table to the model's columns
};

/// Writes a fitted model of a recipe, or a StoredModel: its weights, offset and labels without
/// rounding, its loss, penalty, activation, objective, gap, optimizer, reason, status, iterate,
/// counts and column names, and the encoder and notes of the options. `read_model` restores all
/// these on any machine. The format is JSON. A stream may contain several models one after another.
///
/// Throws std::invalid_argument for weights that are not finite, a wrong number of labels or column
/// names, an encoder with another number of features, texts that are not UTF-8, and a stream that
/// fails.
template <ModelToWrite Model>
void write_model(std::ostream& out, const Model& model, const ModelFileOptions& options = {}) {
  StoredModel stored = io::stored_of(model);
  if (options.encoder) stored.encoder = options.encoder;
  if (!options.features.empty())
    stored.features = options.features;
  else if (stored.features.empty() && stored.encoder && stored.degree == 1)
    stored.features = stored.encoder->feature_names();
  stored.notes.insert(stored.notes.end(), options.notes.begin(), options.notes.end());
  io::require_sound("write_model", stored);
  io::write_all("write_model", out, io::model_text(stored));
}

/// Writes the model to a file, which appears under its name when it is complete (see
/// io/output_file.hpp). Throws also if the file cannot be opened, replaced or written completely;
/// an existing file is then unchanged.
template <ModelToWrite Model>
void write_model(const std::filesystem::path& path, const Model& model,
                 const ModelFileOptions& options = {}) {
  io::write_file("write_model", path, [&](std::ostream& out) { write_model(out, model, options); });
}

/// Reads a model of any kind from a file. Memory is in proportion to the size of the file, whatever
/// its content.
///
/// Throws std::invalid_argument if the model is damaged, cut off, of another version or missing, or
/// if anything but blanks follows it. The message has the file, with line and column.
inline StoredModel read_stored_model(const std::filesystem::path& path) {
  const auto bytes = io::read_file("read_model", path);
  return io::parse_model(bytes.text(), path.string());
}

/// Reads the model at the current position of the stream and stops behind the model. `name` is the
/// name of the source in messages.
inline StoredModel read_stored_model(std::istream& in, const std::string& name = "stream") {
  return io::parse_model(io::text_of_document(in, name), name);
}

/// Reads the fitted model that write_model wrote: `read_model<Classifier<double>>("spam.model")`. A
/// model of floats can be read as one of doubles. Throws as read_stored_model does, for another
/// kind of model, and for another activation than that of Model.
template <class Model>
[[nodiscard]] Model read_model(const std::filesystem::path& path) {
  return read_stored_model(path).template as<Model>();
}

template <class Model>
[[nodiscard]] Model read_model(std::istream& in, const std::string& name = "stream") {
  return read_stored_model(in, name).template as<Model>();
}

}  // namespace linea
