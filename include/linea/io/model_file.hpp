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
#include <linea/io/model_binary_format.hpp>
#include <linea/io/output_file.hpp>
#include <linea/io/read_model_text.hpp>
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

template <class Stored>
Stored with_options(Stored model, const ModelFileOptions& options) {
  if (!options.features.empty()) {
    model.features = options.features;
    for (auto& part : model.parts) part.has_features = true;
  }
  model.notes.insert(model.notes.end(), options.notes.begin(), options.notes.end());
  require_sound("write_model", model);
  return model;
}

/// The model of all these bytes, in either format.
template <class Stored = StoredModel>
Stored parse_model(std::string_view bytes, const std::string& name) {
  if (bytes.starts_with(model_binary_begins)) return ModelBinaryReader<Stored>(bytes, name).read();
  if (bytes.starts_with(model_text_begins)) return read_model_text<Stored>(bytes, name);
  const char* const hint = bytes.starts_with("solver_type ") ? "; read_liblinear reads it" : "";
  require(!bytes.empty(), name, ": no model of linea: the file is empty");
  refuse(name, ": no model of linea: it begins with '",
         excerpt(bytes.data(), bytes.data() + std::min(bytes.size(), std::size_t{20})), "'", hint);
}

/// Appends what comes until there are `size` bytes, or the stream ends. Memory grows with it.
template <class Stream>
void append_from(Stream& in, std::uint64_t size, std::string& bytes) {
  while (in && bytes.size() < size) {
    const std::size_t before = bytes.size();
    const std::uint64_t more = std::min(size - before, std::uint64_t{1} << 20);
    bytes.resize(before + static_cast<std::size_t>(more));
    in.read(bytes.data() + before, static_cast<std::streamsize>(bytes.size() - before));
    bytes.resize(before + static_cast<std::size_t>(in.gcount()));
  }
}

/// The bytes of the model that begins here, and no more.
template <class Stream>
std::string bytes_of_model(Stream& in) {
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
  const auto stored = io::with_options<StoredModel>(io::stored_of(model), options);
  if (options.format == ModelFormat::binary)
    io::write_model_binary(out, stored);
  else
    io::write_model_text(out, stored);
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
template <class Stored = StoredModel>
Stored read_stored_model(const std::filesystem::path& path) {
  const auto bytes = io::read_file("read_model", path);
  return io::parse_model<Stored>(bytes.text(), path.string());
}

/// The model that begins here, in either format. The stream is left behind it. `name` is the
/// source's name in messages.
template <class Stored = StoredModel>
Stored read_stored_model(std::istream& in, const std::string& name = "stream") {
  return io::parse_model<Stored>(io::bytes_of_model(in), name);
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
