// SPDX-License-Identifier: MIT
#pragma once
/// \file Reader of the binary format of models, which linea 0.2 wrote.
///
/// | byte          | size | meaning                                                          |
/// |---------------|------|------------------------------------------------------------------|
/// | 0             | 8    | "lineaM\r\n"                                                     |
/// | 8             | 4    | version, 1                                                       |
/// | 12            | 4    | bytes of a weight: 4 (float) or 8 (double)                       |
/// | 16            | 8    | size of the file in bytes                                        |
/// | 24            | 8    | number of sections: one more than the number of parts            |
/// | 32            |      | for each section: 4 bytes encoding (0 text, 1 dense, 2 sparse),  |
/// |               |      | 4 bytes 0, 8 bytes position in the file, 8 bytes size            |
/// | …             |      | the sections in this order, at multiples of 64 bytes, padded by 0 |
/// | the last 8    | 8    | FNV-1a of all bytes before                                       |
///
/// All numbers are little-endian. Section 0 is the text of the model (docs/model_files.md) without
/// its last line. In this text the line "weights binary" replaces the weights. Section 1 + i has
/// the d·k weights of part i: first the k weights of column 0, one for each function, then those of
/// column 1, and so on. A sparse section begins with a bit for each weight, from the lowest bit of
/// the first byte, padded with zeros to a multiple of 8 bytes; the weights whose bit is 1 follow in
/// the same order, and all others are +0.
#include <bit>  // bit_cast
#include <cstddef>
#include <cstdint>
#include <linea/core/require.hpp>
#include <linea/io/checksum.hpp>
#include <linea/io/model_text.hpp>
#include <linea/io/stored_model.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace linea::io {

/// The first bytes of a file. As in PNG, they end in a carriage return and a newline, which show
/// whether a transfer as text has changed line ends.
inline constexpr std::string_view model_binary_begins = "lineaM\r\n";
inline constexpr std::uint64_t model_header_bytes = 32;
inline constexpr std::uint64_t model_section_bytes = 24;  ///< size of a row of the section table

/// Reads a model from bytes. Error messages have the source and the position of the byte. Memory is
/// in proportion to the number of bytes, because a weight takes at least one bit.
class ModelBinaryReader {
 public:
  ModelBinaryReader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  StoredModel read() {
    demand(bytes_.size() >= model_header_bytes + model_section_bytes + 8, 0);
    const auto version = number(8, 4);
    require(version == model_version, name_, ": byte 8: a model file of version ", version,
            ", but this linea reads ", version > model_version ? "no newer one than " : "",
            "version ", model_version);
    demand(number(16, 8) == bytes_.size(), 16);
    const std::uint64_t end = bytes_.size() - 8;
    demand(checksum(bytes_.substr(0, end)) == number(end, 8), end);
    const std::uint64_t sections = number(24, 8);
    demand(sections > 0 && sections <= (end - model_header_bytes) / model_section_bytes, 24);
    StoredModel model;
    ModelTextReader text(section(0), name_ + ", text");
    ModelLines(text).pass(model, false);
    if (text.left() > 0) text.refuse_rest("expected the end of the section");
    demand(number(12, 4) == (model.is_float ? 4 : 8), 12);
    demand(model.parts.size() == sections - 1, 24);
    for (std::uint64_t k = 1; k < sections; ++k) read_weights(k, model, model.parts[k - 1]);
    return model;
  }

 private:
  std::uint64_t number(std::uint64_t begin, std::size_t bytes) const {
    return little_endian(bytes_.data() + begin, bytes);
  }

  void demand(bool holds, std::uint64_t byte) const {
    require(holds, name_, ": byte ", byte, ": the file is cut or damaged");
  }

  /// Returns the position in the file of the row for section k in the section table.
  static std::uint64_t row_of(std::uint64_t k) {
    return model_header_bytes + k * model_section_bytes;
  }

  std::string_view section(std::uint64_t k) const {
    const std::uint64_t begin = number(row_of(k) + 8, 8);
    const std::uint64_t size = number(row_of(k) + 16, 8);
    demand(begin <= bytes_.size() && size <= bytes_.size() - begin, row_of(k));
    return bytes_.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(size));
  }

  /// Reads the weights of a part from section k, which is dense (encoding 1) or sparse (encoding
  /// 2).
  void read_weights(std::uint64_t k, const StoredModel& model, StoredPart& part) const {
    const std::uint64_t encoding = number(row_of(k), 4);
    demand(encoding == 1 || encoding == 2, row_of(k));
    const std::string_view data = section(k);
    const auto columns = static_cast<std::uint64_t>(model.columns);
    demand(columns <= 8 * data.size() / part.offset.size(), row_of(k));
    const std::uint64_t count = columns * part.offset.size();
    const std::size_t scalar_bytes = model.is_float ? 4 : 8;
    std::uint64_t at = encoding == 2 ? (count + 63) / 64 * 8 : 0;
    demand(at <= data.size(), row_of(k));
    for (std::uint64_t i = 0; i < count; ++i) {
      part.weights.push_back(0);
      if (encoding == 2 && (little_endian(data.data() + i / 8, 1) >> (i % 8) & 1) == 0) continue;
      demand(scalar_bytes <= data.size() - at, row_of(k));
      const std::uint64_t bits = little_endian(data.data() + at, scalar_bytes);
      part.weights.back() =
          model.is_float
              ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)))
              : std::bit_cast<double>(bits);
      at += scalar_bytes;
    }
    demand(at == data.size(), row_of(k));
  }

  std::string_view bytes_;
  std::string name_;
};

}  // namespace linea::io
