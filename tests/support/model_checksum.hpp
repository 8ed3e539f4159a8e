// SPDX-License-Identifier: MIT
#pragma once
/// \file Replaces the checksum of a model file whose bytes a test has changed.
#include <linea/io/model_file.hpp>
#include <string>

namespace linea::test {

inline std::string with_checksum(std::string text) {
  const auto end = text.rfind("\"checksum\"");
  if (end != text.npos) text.resize(end);
  text += "\"checksum\": ";
  return text + "\"" + io::checksum_text(text) + "\"}\n";
}

}  // namespace linea::test
