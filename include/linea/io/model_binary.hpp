// SPDX-License-Identifier: MIT
#pragma once
/// \file The binary format of models. docs/model_files.md describes it byte by byte.
///
///     header (32), table of sections (24 each), sections, checksum of all before it (8)
///
/// Section 0 is the text of the model without weights; section 1 + i has the weights of part i.
/// Each section begins at a multiple of 64 bytes; zeros fill the gap before it. All numbers are
/// little-endian.
#include <algorithm>  // count_if, min
#include <bit>        // bit_cast, popcount
#include <cmath>      // isfinite, signbit
#include <cstddef>
#include <cstdint>
#include <linea/core/require.hpp>
#include <linea/io/checksum.hpp>
#include <linea/io/file.hpp>
#include <linea/io/model_text.hpp>
#include <linea/io/stored_model.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace linea::io {

/// The first bytes of a file. As in PNG, they show whether a transfer as text has changed line
/// ends.
inline constexpr std::string_view model_binary_begins = "lineaM\r\n";
inline constexpr std::uint64_t model_header_bytes = 32;
inline constexpr std::uint64_t model_section_bytes = 24;  ///< size of a row of the table

/// The encoding of a section.
enum SectionEncoding : std::uint32_t {
  section_text = 0,    ///< lines
  section_dense = 1,   ///< all weights
  section_sparse = 2,  ///< a bit for each weight (is it stored?), lowest first, padded to 8 bytes,
};                     ///< then the stored weights

/// Encodes the weights in the shorter of the two ways.
inline std::string weights_section(const std::vector<double>& weights, bool is_float,
                                   SectionEncoding& encoding) {
  const auto is_kept = [](double weight) { return weight != 0 || std::signbit(weight); };
  const auto kept =
      static_cast<std::size_t>(std::count_if(weights.begin(), weights.end(), is_kept));
  const std::size_t presence = (weights.size() + 63) / 64 * 8;
  const bool is_sparse = presence < (weights.size() - kept) * (is_float ? 4 : 8);
  encoding = is_sparse ? section_sparse : section_dense;
  std::string section(is_sparse ? presence : 0, '\0');
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (is_sparse && !is_kept(weights[k])) continue;
    if (is_sparse) section[k / 8] = static_cast<char>(section[k / 8] | 1 << k % 8);
    if (is_float)
      append_little_endian(section, std::bit_cast<std::uint32_t>(static_cast<float>(weights[k])),
                           4);
    else
      append_little_endian(section, std::bit_cast<std::uint64_t>(weights[k]), 8);
  }
  return section;
}

inline std::string model_binary(StoredModel& model) {
  std::vector<SectionEncoding> encodings{section_text};
  std::vector<std::string> sections{model_lines(model, false)};
  for (const auto& part : model.parts)
    sections.push_back(
        weights_section(part.weights, model.is_float, encodings.emplace_back(section_dense)));
  std::string table;
  std::uint64_t end = model_header_bytes + sections.size() * model_section_bytes;
  for (std::size_t k = 0; k < sections.size(); ++k) {
    const std::uint64_t begin = (end + 63) / 64 * 64;
    end = begin + sections[k].size();
    append_little_endian(table, encodings[k], 8);
    append_little_endian(table, begin, 8);
    append_little_endian(table, sections[k].size(), 8);
  }
  std::string bytes(model_binary_begins);
  append_little_endian(bytes, model_version, 4);
  append_little_endian(bytes, model.is_float ? 4 : 8, 4);
  append_little_endian(bytes, end + 8, 8);
  append_little_endian(bytes, sections.size(), 8);
  bytes += table;
  for (const auto& section : sections) {
    bytes.resize((bytes.size() + 63) / 64 * 64, '\0');
    bytes += section;
  }
  append_little_endian(bytes, checksum(bytes), 8);
  return bytes;
}

/// Reads a model from the bytes that model_binary returns. Errors have the source and the position
/// of the byte. Memory is in proportion to the number of bytes: a weight takes at least one bit.
class ModelBinaryReader {
 public:
  ModelBinaryReader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  StoredModel read() {
    read_header();
    require(checksum(bytes_.substr(0, bytes_.size() - 8)) == number(bytes_.size() - 8, 8), name_,
            ": byte ", bytes_.size() - 8, ": the file is damaged: its bytes have another checksum");
    const auto sections = read_sections();
    StoredModel model;
    const std::string place = name_ + ", byte " + core::number_text(sections[0].begin) + ", text";
    ModelTextReader text(bytes_.substr(static_cast<std::size_t>(sections[0].begin),
                                       static_cast<std::size_t>(sections[0].bytes)),
                         place);
    ModelLines(text).pass(model, false);
    if (text.left() > 0) text.refuse_rest("expected the end of the section");
    require(model.is_float == (scalar_bytes_ == 4), name_, ": byte 12: numbers of ", scalar_bytes_,
            " bytes, but the text says ", scalar_name(model.is_float));
    require(model.parts.size() == sections.size() - 1, name_, ": byte 24: ", sections.size(),
            " sections, but the text has ", model.parts.size(), " parts");
    for (std::size_t k = 1; k < sections.size(); ++k) {
      auto& part = model.parts[k - 1];
      const auto columns = static_cast<std::uint64_t>(model.columns);
      const auto most = std::min(std::uint64_t{8} * bytes_.size(), most_numbers);
      require(columns <= most / part.offset.size(), name_, ": byte ", sections[k].begin,
              ": the section is too short for the weights of ", columns, " columns");
      read_weights(sections[k], static_cast<std::size_t>(columns * part.offset.size()),
                   part.weights);
    }
    return model;
  }

 private:
  struct Section {
    std::uint64_t encoding;
    std::uint64_t begin;
    std::uint64_t bytes;
  };

  std::uint64_t number(std::uint64_t begin, std::size_t bytes) const {
    return little_endian(bytes_.data() + begin, bytes);
  }

  void read_header() {
    require(bytes_.size() >= model_header_bytes + model_section_bytes + 8, name_,
            ": the file is cut: it ends at byte ", bytes_.size());
    const auto version = number(8, 4);
    require(version == model_version, name_, ": byte 8: a model file of version ", version,
            ", but this linea reads ", version > model_version ? "no newer one than " : "",
            "version ", model_version);
    scalar_bytes_ = number(12, 4);
    require(scalar_bytes_ == 4 || scalar_bytes_ == 8, name_, ": byte 12: numbers of ",
            scalar_bytes_, " bytes, but floats have 4 and doubles 8");
    const auto size = number(16, 8);
    require(size == bytes_.size(), name_, ": byte 16: a file of ", size, " bytes, but it ends at ",
            bytes_.size(), bytes_.size() < size ? ": it is cut" : "");
  }

  std::vector<Section> read_sections() const {
    const std::uint64_t count = number(24, 8);
    const std::uint64_t end = bytes_.size() - 8;
    require(count > 0 && count <= (end - model_header_bytes) / model_section_bytes, name_,
            ": byte 24: there is no room for ", count, " sections");
    std::vector<Section> sections;
    std::uint64_t last = model_header_bytes + count * model_section_bytes;
    for (std::uint64_t k = 0; k < count; ++k) {
      const std::uint64_t row = model_header_bytes + k * model_section_bytes;
      const Section section{number(row, 4), number(row + 8, 8), number(row + 16, 8)};
      const bool is_known =
          k == 0 ? section.encoding == section_text
                 : section.encoding == section_dense || section.encoding == section_sparse;
      require(is_known, name_, ": byte ", row, ": section ", k, " has encoding ", section.encoding,
              ", which this linea does not know there");
      require(section.begin >= last && section.begin <= end && section.bytes <= end - section.begin,
              name_, ": byte ", row, ": section ", k,
              " is not within the file and behind the last");
      sections.push_back(section);
      last = section.begin + section.bytes;
    }
    return sections;
  }

  void read_weights(const Section& section, std::size_t count, std::vector<double>& weights) const {
    const bool sparse = section.encoding == section_sparse;
    const std::uint64_t bits = sparse ? (std::uint64_t{count} + 63) / 64 * 8 : 0;
    std::uint64_t stored = sparse ? 0 : count;
    require(bits <= section.bytes, name_, ": byte ", section.begin, ": the section of ",
            section.bytes, " bytes is too short for ", count, " weights");
    for (std::uint64_t at = 0; at < bits; at += 8)
      stored += static_cast<std::uint64_t>(std::popcount(number(section.begin + at, 8)));
    require(stored <= section.bytes && section.bytes == bits + stored * scalar_bytes_, name_,
            ": byte ", section.begin, ": the section has ", section.bytes, " bytes, but ",
            bits + stored * scalar_bytes_, " are needed for ", count, " weights");
    weights.assign(count, 0.0);
    std::uint64_t at = section.begin + bits;
    for (std::size_t k = 0; k < count; ++k) {
      if (sparse && (number(section.begin + k / 8, 1) >> (k % 8) & 1) == 0) continue;
      weights[k] = scalar_bytes_ == 4
                       ? double{std::bit_cast<float>(static_cast<std::uint32_t>(number(at, 4)))}
                       : std::bit_cast<double>(number(at, 8));
      require(std::isfinite(weights[k]), name_, ": byte ", at, ": a weight is not finite");
      at += scalar_bytes_;
    }
  }

  std::string_view bytes_;
  std::string name_;
  std::uint64_t scalar_bytes_{8};
};

}  // namespace linea::io
