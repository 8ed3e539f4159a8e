// SPDX-License-Identifier: MIT
#include "support/shipped.hpp"

#include <linea/features/standardise.hpp>
#include <linea/io/libsvm.hpp>
#include <string>
#include <utility>  // move

namespace shipped {
namespace {

Set load(const std::string& file) {
  auto data = linea::read_libsvm<double>(std::string(LINEA_SOURCE_DIR "/examples/data/") + file);
  const linea::Matrix<double> x = data.x;
  return {linea::standardise(x).apply(x), std::move(data.y)};
}

}  // namespace

const Set& breast_cancer() {
  static const Set set = load("wdbc.svm");
  return set;
}

const Set& diabetes() {
  static const Set set = load("diabetes.svm");
  return set;
}

const Set& iris() {
  static const Set set = load("iris.svm");
  return set;
}

}  // namespace shipped
