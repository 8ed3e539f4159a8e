// SPDX-License-Identifier: MIT
#pragma once
/// \file What a binary file of a model looks like, and its writer. docs/model_files.md has it byte
/// by byte.
///
///     header (32), table of sections (24 each), the sections, the checksum of all before it (8)
///
/// Section 0 is the text of the model without its weights; section 1 + i has those of part i. Each
/// begins at a multiple of 64 bytes, with zeros up to it. All numbers are little-endian.
#include <algorithm>  // count_if
#include <bit>        // bit_cast
#include <cmath>      // signbit
#include <cstddef>
#include <cstdint>
#include <linea/core/text_stream.hpp>
#include <linea/io/model_writer.hpp>
#include <linea/io/stored_model.hpp>
#include <linea/io/write_model_text.hpp>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

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

/// The smaller one of both ways to keep weights.
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

}  // namespace linea::io
