// SPDX-License-Identifier: MIT
#pragma once
/// \file Changed bytes of a model file with the checksum that they have to have.
#include <algorithm>
#include <linea/io/model_file.hpp>
#include <linea/io/write_model_text.hpp>
#include <string>

namespace linea::test {

inline std::string with_checksum(std::string bytes) {
  io::Checksum sum;
  if (bytes.starts_with("lineaM")) {
    bytes.resize(std::max<std::size_t>(bytes.size(), 8) - 8);
    sum.add(bytes);
    io::append_little_endian(bytes, sum.value(), 8);
  } else if (!bytes.empty()) {
    bytes.resize(std::min(bytes.find("\nchecksum "), bytes.size() - 1) + 1);
    sum.add(bytes);
    bytes += io::checksum_line(sum.value());
  }
  return bytes;
}

}  // namespace linea::test
