// SPDX-License-Identifier: MIT
#pragma once
/// \file Replaces the checksum of a model file, binary or text, whose bytes a test has changed.
#include <algorithm>
#include <linea/io/model_file.hpp>
#include <string>

namespace linea::test {

inline std::string with_checksum(std::string bytes) {
  if (bytes.starts_with("lineaM")) {
    bytes.resize(std::max<std::size_t>(bytes.size(), 8) - 8);
    const auto sum = io::checksum(bytes);
    for (int k = 0; k < 8; ++k) bytes += static_cast<char>(sum >> (8 * k) & 0xff);
  } else if (!bytes.empty()) {
    bytes.resize(std::min(bytes.find("\nchecksum "), bytes.size() - 1) + 1);
    bytes += io::checksum_line(bytes);
  }
  return bytes;
}

}  // namespace linea::test
