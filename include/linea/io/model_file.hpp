// SPDX-License-Identifier: MIT
#pragma once
/// \file Fitted models in files: write_model, read_model. docs/model_files.md has the formats.
#include <algorithm>  // min
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

/// Both hold the same, to the bit.
enum class ModelFormat {
  text,    ///< lines to look at and to compare
  binary,  ///< for many columns: less to read, and weights of 0 take a bit each
};

/// How a model is written, and what goes with it.
struct ModelFileOptions {
  ModelFormat format{ModelFormat::text};
  std::vector<std::string> features{};  ///< names of the columns (d); empty: those of the model
  std::vector<std::pair<std::string, std::string>> notes{};  ///< names and texts to be kept
};

namespace io {

/// The model of all these bytes, in either format.
inline StoredModel parse_model(std::string_view bytes, const std::string& name) {
  const bool is_binary = bytes.starts_with(model_binary_begins);
  if (!is_binary && !bytes.starts_with(model_text_begins)) {
    const char* const hint = bytes.starts_with("solver_type ") ? "; read_liblinear reads it" : "";
    require(!bytes.empty(), name, ": no model of linea: the file is empty");
    refuse(name, ": no model of linea: it begins with '",
           excerpt(bytes.data(), bytes.data() + std::min(bytes.size(), std::size_t{20})), "'",
           hint);
  }
  StoredModel model =
      is_binary ? ModelBinaryReader(bytes, name).read() : read_model_text(bytes, name);
  require_sound(name, model);
  model.source = name;
  return model;
}

/// Appends what comes until there are `size` bytes, or the stream ends. Memory grows with it.
inline void append_from(std::istream& in, std::uint64_t size, std::string& bytes) {
  while (in && bytes.size() < size) {
    const std::size_t before = bytes.size();
    const std::uint64_t more = std::min(size - before, std::uint64_t{1} << 20);
    bytes.resize(before + static_cast<std::size_t>(more));
    in.read(bytes.data() + before, static_cast<std::streamsize>(more));
    bytes.resize(before + static_cast<std::size_t>(in.gcount()));
  }
}

/// The bytes of the model that begins here, and no more.
inline std::string bytes_of_model(std::istream& in) {
  std::string bytes;
  append_from(in, model_binary_begins.size(), bytes);
  if (bytes == model_binary_begins) {
    append_from(in, model_header_bytes, bytes);
    if (bytes.size() == model_header_bytes)
      append_from(in, little_endian(bytes.data() + 16, 8), bytes);
  } else if (bytes == model_text_begins.substr(0, bytes.size())) {
    for (std::string line; !line.starts_with("checksum ") && std::getline(in, line);)
      bytes.append(line).append(in.eof() ? "" : "\n");
  }
  return bytes;
}

}  // namespace io

/// Writes a fitted value of a recipe, or a StoredModel: weights, offset and labels to the bit, and
/// loss, penalty, objective, gap, optimizer, reason, status, counts and names of columns as the
/// model has them. `read_model` gives all of it back on any machine. Text, or binary by
/// `{.format = ModelFormat::binary}`. Several models may follow each other in one stream.
///
/// Refuses, by std::invalid_argument, weights that are not finite, labels or names of columns that
/// are not as many as they must be, and a stream that fails.
template <ModelToWrite Model>
void write_model(std::ostream& out, const Model& model, const ModelFileOptions& options = {}) {
  StoredModel stored = io::stored_of(model);
  if (!options.features.empty()) {
    stored.features = options.features;
    for (auto& part : stored.parts) part.has_features = true;
  }
  stored.notes.insert(stored.notes.end(), options.notes.begin(), options.notes.end());
  io::require_sound("write_model", stored);
  std::string bytes;
  if (options.format == ModelFormat::binary) {
    bytes = io::model_binary(stored);
  } else {
    bytes = io::model_lines(stored, true);
    bytes += io::checksum_line(bytes);
  }
  io::write_all("write_model", out, bytes);
}

/// The same into a file, which takes its name when all of it is written, see io/output_file.hpp.
/// Refuses also a file that cannot be opened, replaced or written in full, and then leaves what was
/// there.
template <ModelToWrite Model>
void write_model(const std::filesystem::path& path, const Model& model,
                 const ModelFileOptions& options = {}) {
  io::write_file("write_model", path, [&](std::ostream& out) { write_model(out, model, options); });
}

/// The model of a file in either format, of whatever kind it is. Costs a reading of the file and
/// memory in proportion to its size, whatever it claims.
///
/// Refuses, by std::invalid_argument that names the file, with line and column or the byte: what is
/// damaged, cut, of a newer version or no model, and what is behind the model.
inline StoredModel read_stored_model(const std::filesystem::path& path) {
  const auto bytes = io::read_file("read_model", path);
  return io::parse_model(bytes.text(), path.string());
}

/// The model that begins here, in either format. The stream is left behind it. `name` is the
/// source's name in messages.
inline StoredModel read_stored_model(std::istream& in, const std::string& name = "stream") {
  return io::parse_model(io::bytes_of_model(in), name);
}

/// The fitted value that write_model wrote: `read_model<Classifier<double>>("spam.model")`. A model
/// of floats can be read as one of doubles. Refuses what read_stored_model refuses, and a file that
/// holds another kind of model.
template <class Model>
[[nodiscard]] Model read_model(const std::filesystem::path& path) {
  return read_stored_model(path).template as<Model>();
}

template <class Model>
[[nodiscard]] Model read_model(std::istream& in, const std::string& name = "stream") {
  return read_stored_model(in, name).template as<Model>();
}

}  // namespace linea
