// SPDX-License-Identifier: MIT
#pragma once
/// \file Files of fitted models: write_model and read_model. docs/model_files.md describes the
/// format.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <linea/core/require.hpp>
#include <linea/io/file.hpp>
#include <linea/io/model_binary.hpp>
#include <linea/io/model_text.hpp>
#include <linea/io/output_file.hpp>
#include <linea/io/store_model.hpp>
#include <linea/io/stored_model.hpp>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>  // pair
#include <vector>

namespace linea {

/// Additional data for the file.
struct ModelFileOptions {
  std::vector<std::string> features{};  ///< names of the columns (d); empty: those of the model
  std::vector<std::pair<std::string, std::string>> notes{};  ///< names and texts to store
};

namespace io {

/// Parses a model in the text format or in the binary format of linea 0.2.
inline StoredModel parse_model(std::string_view bytes, const std::string& name) {
  const bool is_binary = bytes.starts_with(model_binary_begins);
  if (!is_binary && !bytes.starts_with(model_text_begins)) {
    const char* const hint = bytes.starts_with("solver_type ") ? "; read_liblinear reads it" : "";
    require(!bytes.empty(), name, ": not a model of linea: the file is empty");
    refuse(name, ": not a model of linea: it begins with '", escaped(bytes.substr(0, 20)), "'",
           hint);
  }
  StoredModel model =
      is_binary ? ModelBinaryReader(bytes, name).read() : read_model_text(bytes, name);
  require_sound(name, model);
  model.source = name;
  return model;
}

/// Reads the bytes of the model at the current position of the stream, and no more.
inline std::string bytes_of_model(std::istream& in, const std::string& name) {
  std::string bytes;
  append_from(in, model_binary_begins.size(), bytes, name);
  if (bytes == model_binary_begins) {
    append_from(in, model_header_bytes, bytes, name);
    if (bytes.size() == model_header_bytes)
      append_from(in, little_endian(bytes.data() + 16, 8), bytes, name);
  } else if (bytes == model_text_begins.substr(0, bytes.size())) {
    for (std::string line; in && !line.starts_with("checksum ");) {
      read_quietly(in, name, [&] { std::getline(in, line); });
      if (in) bytes.append(line).append(in.eof() ? "" : "\n");
    }
  }
  return bytes;
}

}  // namespace io

/// Writes a fitted model of a recipe, or a StoredModel: its weights, offset and labels without
/// rounding, its loss, penalty, activation, objective, gap, optimizer, reason, status, iterate,
/// counts and column names, and the notes of the options. `read_model` restores all these on any
/// machine. The format is text. A stream may contain several models one after another.
///
/// Throws std::invalid_argument for weights that are not finite, a wrong number of labels or column
/// names, and a stream that fails.
template <ModelToWrite Model>
void write_model(std::ostream& out, const Model& model, const ModelFileOptions& options = {}) {
  StoredModel stored = io::stored_of(model);
  if (!options.features.empty()) {
    stored.features = options.features;
    for (auto& part : stored.parts) part.has_features = true;
  }
  stored.notes.insert(stored.notes.end(), options.notes.begin(), options.notes.end());
  io::require_sound("write_model", stored);
  io::ModelTextWriter writer;
  io::ModelLines(writer).pass(stored, true);
  std::string text = writer.take();
  text += io::checksum_line(text);
  io::write_all("write_model", out, text);
}

/// Writes the model to a file, which appears under its name when it is complete (see
/// io/output_file.hpp). Throws also if the file cannot be opened, replaced or written completely;
/// an existing file is then unchanged.
template <ModelToWrite Model>
void write_model(const std::filesystem::path& path, const Model& model,
                 const ModelFileOptions& options = {}) {
  io::write_file("write_model", path, [&](std::ostream& out) { write_model(out, model, options); });
}

/// Reads a model of any kind from a file, also from a binary file of linea 0.2. Memory is in
/// proportion to the size of the file, whatever its content.
///
/// Throws std::invalid_argument if the model is damaged, cut off, of a newer version or missing, or
/// if other bytes follow it. The message has the file, with line and column or the position of the
/// byte.
inline StoredModel read_stored_model(const std::filesystem::path& path) {
  const auto bytes = io::read_file("read_model", path);
  return io::parse_model(bytes.text(), path.string());
}

/// Reads the model at the current position of the stream and stops behind the model. `name` is the
/// name of the source in messages.
inline StoredModel read_stored_model(std::istream& in, const std::string& name = "stream") {
  return io::parse_model(io::bytes_of_model(in, name), name);
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
