// SPDX-License-Identifier: MIT
#pragma once
/// \file The data sets on which golden/make_judges.py runs other programs, computed by the same
/// formulas.
#include <linea/core/types.hpp>
#include <linea/io/csv.hpp>
#include <linea/io/libsvm.hpp>
#include <map>
#include <string>

#include "support/shipped.hpp"

namespace linea::test {

using shipped::Set;

/// Reads a table of 0 and 1 with a header. Its last column is the targets.
inline Set table_of_bits(const std::string& name) {
  const auto data = read_csv<double>(LINEA_SOURCE_DIR "/examples/data/" + name);
  return {data.x, data.y};
}

/// Reads a LIBSVM file without scaling it: one of examples/data, or one that make_judges.py
/// generated. The path is relative to the root of the repository.
inline Set raw(const std::string& path) {
  const auto data = read_libsvm<double>(LINEA_SOURCE_DIR "/" + path);
  return {Matrix<double>(data.x), data.y};
}

/// Returns all data sets by the names that make_judges.py gives them. The targets of a set are ±1,
/// numbers, or classes 0, 1, ….
inline std::map<std::string, Set> judged_sets() {
  const Set &cancer = shipped::breast_cancer(), &sick = shipped::diabetes(),
            &iris = shipped::iris();
  const Set cancer_raw = raw("examples/data/wdbc.svm"), iris_raw = raw("examples/data/iris.svm"),
            words = raw("tests/golden/words.svm"), steep = raw("tests/golden/steep.svm"),
            counts = raw("tests/golden/counts.svm"), holidays = table_of_bits("holidays.csv"),
            reading = table_of_bits("reading.csv");
  const auto signs = [](const Vector<double>& targets) -> Vector<double> {
    return targets.unaryExpr([](double v) { return v > 0 ? 1.0 : -1.0; });
  };
  return {
      {"cancer", cancer},
      {"cancer_by_maximum",
       {cancer_raw.x * cancer_raw.x.colwise().maxCoeff().cwiseInverse().asDiagonal(), cancer.y}},
      {"cancer_radius", {cancer.x.rightCols(20), cancer_raw.x.col(0)}},
      {"setosa", {iris.x, signs((0.5 - iris.y.array()).matrix())}},
      {"virginica", {iris_raw.x.bottomRows(100), signs((iris.y.tail(100).array() - 1.5).matrix())}},
      {"petals", {iris_raw.x.leftCols(3), iris_raw.x.col(3)}},
      {"iris", iris},
      {"iris_raw", iris_raw},
      {"holidays", {holidays.x, 2 * holidays.y.array() - 1}},
      {"holidays_numbers", {holidays.x.rightCols(holidays.x.cols() - 1), holidays.x.col(0)}},
      {"reading", {reading.x, 2 * reading.y.array() - 1}},
      {"reading_numbers", {reading.x.leftCols(3), reading.x.col(3)}},
      {"diabetes", sick},
      {"diabetes_classes", {sick.x, signs((sick.y.array() - 140.5).matrix())}},
      {"diabetes_thirds", {sick.x, (sick.y / 117).array().floor()}},
      {"words", words},
      {"words_classes", {words.x, signs((words.y.array() + 0.5).matrix())}},
      {"words_counts", {words.x, words.y.array() - words.y.minCoeff()}},
      {"steep", steep},
      {"steep_classes", {steep.x, signs(steep.y)}},
      {"steep_counts", {steep.x, steep.y.array().abs().floor()}},
      {"counts", counts},
      {"counts_kinds", {counts.x, (counts.y / 4).array().floor().min(3)}},
  };
}

}  // namespace linea::test
