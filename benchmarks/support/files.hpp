// SPDX-License-Identifier: MIT
#pragma once
/// \file Reads samples of two classes from LIBSVM files.
#include <cmath>  // fmod
#include <filesystem>
#include <linea/data/labels.hpp>
#include <linea/io/libsvm.hpp>
#include <optional>
#include <string>

namespace bench {

inline std::string name_of_file(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

/// Returns x (n × d) as in the file, and y (n) of −1 and +1.
template <class T>
linea::LabelledData<T> two_classes(const std::string& path) {
  auto data = linea::read_libsvm<T>(path);
  data.y = linea::ClassLabels(data.y).encode(data.y);
  return data;
}

/// Returns the same for a file of two labels. With more labels the classes are odd and even labels,
/// and x is divided by its largest entry, as pixels are by 255.
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

/// Returns the same for a file of two labels. With more labels the classes are the smallest label
/// and the rest, and x is divided by its largest entry. Returns none if the labels are not classes,
/// as in regression or ranking.
template <class T>
std::optional<linea::LabelledData<T>> one_against_rest(const std::string& path) {
  constexpr linea::Index most_classes = 100;
  try {
    auto data = linea::read_libsvm<T>(path);
    const linea::ClassLabels labels(data.y);
    if (labels.size() < 2 || labels.size() > most_classes) return std::nullopt;
    if (labels.size() == 2) {
      data.y = labels.encode(data.y);
    } else {
      for (double& y : data.y) y = y == labels[0] ? 1 : -1;
      data.x /= linea::Vector<T>::Map(data.x.valuePtr(), data.x.nonZeros()).cwiseAbs().maxCoeff();
    }
    return data;
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

}  // namespace bench
