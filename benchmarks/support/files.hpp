// SPDX-License-Identifier: MIT
#pragma once
/// \file Samples from LIBSVM files as two classes.
#include <cmath>  // fmod
#include <filesystem>
#include <linea/data/labels.hpp>
#include <linea/files/libsvm.hpp>
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

/// The same of more labels than two: odd against even ones, and x divided by its largest entry, as
/// pixels are by 255.
template <class T>
linea::LabelledData<T> classes(const std::string& path) {
  auto data = linea::read_libsvm<T>(path);
  if (const linea::ClassLabels labels(data.y); labels.size() <= 2) {
    data.y = labels.encode(data.y);
  } else {
    for (double& y : data.y) y = std::fmod(y, 2.0) == 0 ? -1 : 1;
    data.x /= linea::Vector<T>::Map(data.x.valuePtr(), data.x.nonZeros()).cwiseAbs().maxCoeff();
  }
  return data;
}

}  // namespace bench
