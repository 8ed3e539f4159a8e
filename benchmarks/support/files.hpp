// SPDX-License-Identifier: MIT
#pragma once
/// \file Samples from LIBSVM files with two labels.
#include <filesystem>
#include <linea/data/labels.hpp>
#include <linea/data/libsvm.hpp>
#include <string>

namespace bench {

inline std::string name_of_file(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

/// x (n × d) as it stands in the file, y (n) of −1 and +1.
template <class T>
linea::LabelledData<T> two_classes(const std::string& path) {
  auto data = linea::read_libsvm<T>(path);
  data.y = linea::ClassLabels(data.y).encode(data.y);
  return data;
}

}  // namespace bench
