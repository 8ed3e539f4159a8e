// SPDX-License-Identifier: MIT
#pragma once
/// \file The data of examples/data, read once and standardised.
#include <linea/features/standardise.hpp>
#include <linea/files/libsvm.hpp>
#include <string>

namespace shipped {

struct Set {
  linea::Matrix<double> x;
  linea::Vector<double> y;
};

inline Set load(const std::string& file) {
  auto data = linea::read_libsvm<double>(std::string(LINEA_SOURCE_DIR "/examples/data/") + file);
  const linea::Matrix<double> x = data.x;
  return {linea::standardise(x).apply(x), std::move(data.y)};
}

inline const Set& breast_cancer() {
  static const Set set = load("wdbc.svm");
  return set;
}

inline const Set& diabetes() {
  static const Set set = load("diabetes.svm");
  return set;
}

inline const Set& iris() {
  static const Set set = load("iris.svm");
  return set;
}

}  // namespace shipped
