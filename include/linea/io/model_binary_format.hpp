// SPDX-License-Identifier: MIT
#pragma once
/// \file The binary format of models: its writer and its reader.
#include <algorithm>  // count_if, min
#include <bit>        // bit_cast, popcount
#include <cmath>      // isfinite, signbit
#include <cstddef>
#include <cstdint>
#include <linea/core/require.hpp>
#include <linea/core/text_stream.hpp>
#include <linea/io/file.hpp>
#include <linea/io/read_model_text.hpp>
#include <linea/io/stored_model.hpp>
#include <linea/io/write_model_text.hpp>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

// What a binary file of a model looks like, and its writer. docs/model_files.md has it byte
// by byte.
//
//     header (32), table of sections (24 each), the sections, the checksum of all before it (8)
//
// Section 0 is the text of the model without its weights; section 1 + i has those of part i. Each
// begins at a multiple of 64 bytes, with zeros up to it. All numbers are little-endian.

namespace linea::io {

/// As in PNG, line ends that a transfer of text has changed show up at once.
inline constexpr std::string_view model_binary_begins = "lineaM\r\n";
inline constexpr std::uint64_t model_header_bytes = 32;
inline constexpr std::uint64_t model_section_bytes = 24;  ///< of a row of the table

/// How the bytes of a section are to be read.
enum class SectionEncoding : std::uint32_t {
  text = 0,    ///< lines
  dense = 1,   ///< all weights
  sparse = 2,  ///< a bit for each weight, lowest first: is it here? Zeros up to 8 bytes. Then those
};

struct ModelSection {
  SectionEncoding encoding;
  std::uint64_t begin;
  std::uint64_t bytes;
};

inline bool is_plus_zero(double weight) { return weight == 0 && !std::signbit(weight); }

/// Bytes of the bits of a sparse section of so many weights.
constexpr std::uint64_t presence_bytes(std::uint64_t weights) {
  return (weights / 64 + (weights % 64 != 0)) * 8;
}

/// The shorter of the two encodings of weights.
template <class Numbers>
ModelSection section_of(const Numbers& weights, std::uint64_t scalar_bytes) {
  const auto zeros =
      static_cast<std::uint64_t>(std::count_if(weights.begin(), weights.end(), is_plus_zero));
  const std::uint64_t dense = weights.size() * scalar_bytes;
  const std::uint64_t sparse = dense - zeros * scalar_bytes + presence_bytes(weights.size());
  if (sparse < dense) return {SectionEncoding::sparse, 0, sparse};
  return {SectionEncoding::dense, 0, dense};
}

template <class Numbers>
void write_weight_bits(ModelWriter& out, const Numbers& weights) {
  for (std::size_t first = 0; first < weights.size(); first += 64) {
    std::uint64_t bits = 0;
    for (std::size_t k = first; k < std::min(first + 64, weights.size()); ++k)
      bits |= std::uint64_t{!is_plus_zero(weights[k])} << (k - first);
    append_little_endian(out.text(), bits, 8);
    out.pass_on();
  }
}

template <class Numbers>
void write_weights(ModelWriter& out, const Numbers& weights, bool is_float,
                   SectionEncoding encoding) {
  const bool sparse = encoding == SectionEncoding::sparse;
  if (sparse) write_weight_bits(out, weights);
  for (const double weight : weights) {
    if (sparse && is_plus_zero(weight)) continue;
    if (is_float)
      append_little_endian(out.text(), std::bit_cast<std::uint32_t>(static_cast<float>(weight)), 4);
    else
      append_little_endian(out.text(), std::bit_cast<std::uint64_t>(weight), 8);
    out.pass_on();
  }
}

/// The text of a model without its weights.
template <class Stored>
std::string model_head(const Stored& model) {
  core::TextStream text;
  ModelWriter writer(text);
  ModelTextWriter(writer, model).write(false);
  writer.end("write_model");
  return text.str();
}

template <class Stored>
void write_model_binary(std::ostream& out, const Stored& model) {
  const std::string head = model_head(model);
  const std::uint64_t scalar_bytes = model.is_float ? 4 : 8;
  std::vector<ModelSection> sections{{SectionEncoding::text, 0, head.size()}};
  for (const auto& part : model.parts) sections.push_back(section_of(part.weights, scalar_bytes));
  std::uint64_t end = model_header_bytes + sections.size() * model_section_bytes;
  for (auto& section : sections) {
    section.begin = (end + 63) / 64 * 64;
    end = section.begin + section.bytes;
  }
  ModelWriter writer(out);
  auto& text = writer.text();
  text += model_binary_begins;
  append_little_endian(text, model_version, 4);
  append_little_endian(text, scalar_bytes, 4);
  append_little_endian(text, end + 8, 8);
  append_little_endian(text, sections.size(), 8);
  for (const auto& section : sections) {
    append_little_endian(text, static_cast<std::uint32_t>(section.encoding), 4);
    append_little_endian(text, 0, 4);
    append_little_endian(text, section.begin, 8);
    append_little_endian(text, section.bytes, 8);
    writer.pass_on();
  }
  for (std::size_t k = 0; k < sections.size(); ++k) {
    text.append(static_cast<std::size_t>(sections[k].begin - writer.size()), '\0');
    if (k == 0)
      text += head;
    else
      write_weights(writer, model.parts[k - 1].weights, model.is_float, sections[k].encoding);
  }
  append_little_endian(text, writer.checksum(), 8);
  writer.end("write_model");
}

/// Reads the bytes that write_model_binary writes. Refuses in the name of their source, with the
/// number of the byte. Nothing is allocated that the bytes do not account for: a weight takes a bit
/// of them at least.
template <class Stored = StoredModel>
class ModelBinaryReader {
 public:
  ModelBinaryReader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  Stored read() {
    read_header();
    io::Checksum sum;
    sum.add(bytes_.substr(0, bytes_.size() - 8));
    require(sum.value() == number(bytes_.size() - 8, 8), name_, ": byte ", bytes_.size() - 8,
            ": the file is damaged: its bytes have another checksum");
    const auto sections = read_sections();
    const auto head = bytes_.substr(static_cast<std::size_t>(sections[0].begin),
                                    static_cast<std::size_t>(sections[0].bytes));
    const std::string place = name_ + ", byte " + core::number_text(sections[0].begin) + ", text";
    ModelTextReader<Stored> text(head, place);
    Stored model = text.read(false);
    if (text.cursor().left() > 0) text.cursor().refuse_rest("expected the end of the section");
    require(model.is_float == (scalar_bytes_ == 4), name_, ": byte 12: numbers of ", scalar_bytes_,
            " bytes, but the text says ", scalar_name(model.is_float));
    require(model.parts.size() == sections.size() - 1, name_, ": byte 24: ", sections.size(),
            " sections, but the text has ", model.parts.size(), " parts");
    for (std::size_t k = 1; k < sections.size(); ++k) {
      auto& part = model.parts[k - 1];
      const auto columns = static_cast<std::uint64_t>(model.columns);
      const std::uint64_t functions = part.offset.size();
      const auto most = std::min(std::uint64_t{8} * bytes_.size(), most_numbers);
      require(columns <= most / functions, name_, ": byte ", sections[k].begin,
              ": the section is too short for the weights of ", columns, " columns");
      read_weights(sections[k], static_cast<std::size_t>(columns * functions), part.weights);
    }
    require_sound(name_, model);
    model.source = name_;
    return model;
  }

 private:
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

  std::vector<ModelSection> read_sections() const {
    const std::uint64_t count = number(24, 8);
    const std::uint64_t end = bytes_.size() - 8;
    require(count > 0 && count <= (end - model_header_bytes) / model_section_bytes, name_,
            ": byte 24: there is no room for ", count, " sections");
    std::vector<ModelSection> sections;
    std::uint64_t last = model_header_bytes + count * model_section_bytes;
    for (std::uint64_t k = 0; k < count; ++k) {
      const std::uint64_t row = model_header_bytes + k * model_section_bytes;
      const ModelSection section{static_cast<SectionEncoding>(number(row, 4)), number(row + 8, 8),
                                 number(row + 16, 8)};
      const bool is_known = k == 0 ? section.encoding == SectionEncoding::text
                                   : section.encoding == SectionEncoding::dense ||
                                         section.encoding == SectionEncoding::sparse;
      require(is_known, name_, ": byte ", row, ": section ", k, " has encoding ", number(row, 4),
              ", which this linea does not know there");
      require(section.begin >= last && section.begin <= end && section.bytes <= end - section.begin,
              name_, ": byte ", row, ": section ", k,
              " is not within the file and behind the last");
      sections.push_back(section);
      last = section.begin + section.bytes;
    }
    return sections;
  }

  void read_weights(const ModelSection& section, std::size_t count,
                    std::vector<double>& weights) const {
    const bool sparse = section.encoding == SectionEncoding::sparse;
    const std::uint64_t bits = sparse ? presence_bytes(count) : 0;
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
