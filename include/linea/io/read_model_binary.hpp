// SPDX-License-Identifier: MIT
#pragma once
/// \file Binary files of models: the reader.
#include <algorithm>  // min
#include <bit>        // bit_cast, popcount
#include <cmath>      // isfinite
#include <cstddef>
#include <cstdint>
#include <linea/core/checksum.hpp>
#include <linea/core/require.hpp>
#include <linea/io/file.hpp>
#include <linea/io/model_binary_format.hpp>
#include <linea/io/model_writer.hpp>
#include <linea/io/read_model_text.hpp>
#include <linea/io/stored_model.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace linea::io {

/// Reads the bytes that write_model_binary writes. Refuses in the name of their source, with the
/// number of the byte. Nothing is allocated that the bytes do not account for: a weight takes a bit
/// of them at least.
template <class Stored = StoredModel>
class ModelBinaryReader {
 public:
  ModelBinaryReader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  Stored read() {
    read_header();
    core::Checksum sum;
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
