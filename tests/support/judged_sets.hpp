// SPDX-License-Identifier: MIT
#pragma once
/// \file The sets that golden/make_judges.py hands to other programs, made here by the same formulas.
#include <algorithm>  // min
#include <cmath>      // abs, floor
#include <cstdint>
#include <fstream>
#include <linea/core/types.hpp>
#include <linea/io/libsvm.hpp>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

#include "support/shipped.hpp"

namespace linea::test {

using shipped::Set;

/// Knuth's generator of MMIX.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(seed) {}

  /// A whole number from 0 to below `below`.
  int operator()(int below) {
    state_ = 6364136223846793005U * state_ + 1442695040888963407U;
    return static_cast<int>((state_ >> 33U) % static_cast<std::uint64_t>(below));
  }

 private:
  std::uint64_t state_;
};

/// 80 texts of 200 words, about 10 in each, and what sixty of the words make of it.
inline Set words() {
  Draws draw(1);
  Set set{Matrix<double>::Zero(80, 200), Vector<double>::Zero(80)};
  for (Index i = 0; i < 80; ++i) {
    for (int k = 0; k < 10; ++k) set.x(i, draw(200)) = 1;
    for (Index j = 0; j < 60; ++j) set.y[i] += (j % 2 == 1 ? 1 : -1) * set.x(i, j);
    set.y[i] += draw(3) - 1;
  }
  return set;
}

/// 200 samples of 8 columns of sizes from 1/16 to 4; the last is nearly the first, and every tenth
/// target is far off.
inline Set steep() {
  Draws draw(2);
  Set set{Matrix<double>::Zero(200, 8), Vector<double>::Zero(200)};
  for (Index i = 0; i < 200; ++i) {
    for (Index j = 0; j < 7; ++j) set.x(i, j) = (draw(2001) - 1000) * double(1 << j) / 16000;
    set.x(i, 7) = set.x(i, 0) + (draw(2001) - 1000) / 64000.0;
    set.y[i] = 1 + 8 * set.x(i, 0) + set.x(i, 3) - set.x(i, 6) / 2;
    set.y[i] += (draw(2001) - 1000) / 1000.0;
    set.y[i] += i % 10 == 0 ? 10 : 0;
  }
  return set;
}

/// 120 samples of 5 columns in [−1, 1]; the counts grow with the first and fall with the second.
inline Set counts() {
  Draws draw(3);
  Set set{Matrix<double>::Zero(120, 5), Vector<double>::Zero(120)};
  for (Index i = 0; i < 120; ++i) {
    for (Index j = 0; j < 5; ++j) set.x(i, j) = (draw(201) - 100) / 100.0;
    const double one = 1 + set.x(i, 0);
    set.y[i] = draw(static_cast<int>(3 + 4 * one * one + 2 * (1 - set.x(i, 1))));
  }
  return set;
}

/// A table of 0 and 1 with a header, its last column as targets.
inline Set table_of_bits(const std::string& name) {
  std::ifstream file(LINEA_SOURCE_DIR "/examples/data/" + name);
  std::string line;
  std::getline(file, line);
  Matrix<double> cells(0, 0);
  while (std::getline(file, line)) {
    const auto cols = static_cast<Index>((line.size() + 1) / 2);
    cells.conservativeResize(cells.rows() + 1, cols);
    for (Index j = 0; j < cols; ++j)
      cells(cells.rows() - 1, j) = line[static_cast<std::size_t>(2 * j)] - '0';
  }
  if (cells.rows() == 0) throw std::runtime_error("no table " + name);
  return {cells.leftCols(cells.cols() - 1), cells.rightCols(1)};
}

/// A shipped file as it is, neither centred nor scaled.
inline Set raw(const std::string& name) {
  const auto data = read_libsvm<double>(std::string(LINEA_SOURCE_DIR "/examples/data/") + name);
  return {Matrix<double>(data.x), data.y};
}

inline Vector<double> signs(const Vector<double>& y) {
  return y.unaryExpr([](double v) { return v > 0 ? 1.0 : -1.0; });
}

/// All of them, by the names of make_judges.py: the targets are ±1, numbers, or classes 0, 1, ….
inline std::map<std::string, Set> judged_sets() {
  const Set &cancer = shipped::breast_cancer(), &sick = shipped::diabetes(),
            &iris = shipped::iris();
  const Set cancer_raw = raw("wdbc.svm"), iris_raw = raw("iris.svm");
  const auto classes = [](Set set, double shift) {
    set.y = signs((set.y.array() + shift).matrix());
    return set;
  };
  const auto bits = [](const std::string& name) {
    Set set = table_of_bits(name);
    set.y = (2 * set.y.array() - 1).matrix();
    return set;
  };
  const Set holidays = table_of_bits("holidays.csv"), reading = table_of_bits("reading.csv");
  std::map<std::string, Set> all{{"cancer", cancer},
                                 {"virginica", {iris_raw.x.bottomRows(100), {}}},
                                 {"holidays", bits("holidays.csv")},
                                 {"reading", bits("reading.csv")},
                                 {"diabetes_classes", classes(sick, -140.5)},
                                 {"words_classes", classes(words(), 0.5)},
                                 {"steep_classes", classes(steep(), 0)},
                                 {"diabetes", sick},
                                 {"words", words()},
                                 {"steep", steep()},
                                 {"counts", counts()},
                                 {"iris", iris},
                                 {"iris_raw", iris_raw}};
  const Vector<double> largest = cancer_raw.x.colwise().maxCoeff();
  all["cancer_by_maximum"] = {
      (cancer_raw.x.array().rowwise() / largest.transpose().array()).matrix(), cancer.y};
  all["setosa"] = {iris.x, signs((0.5 - iris.y.array()).matrix())};
  all["virginica"].y = signs((iris.y.tail(100).array() - 1.5).matrix());
  all["petals"] = {iris_raw.x.leftCols(3), iris_raw.x.col(3)};
  all["holidays_numbers"] = {holidays.x.rightCols(holidays.x.cols() - 1), holidays.x.col(0)};
  all["reading_numbers"] = {reading.x.leftCols(3), reading.x.col(3)};
  all["cancer_radius"] = {cancer.x.rightCols(20), cancer_raw.x.col(0)};
  all["steep_counts"] = {steep().x, steep().y.array().abs().floor().matrix()};
  all["words_counts"] = {words().x, (words().y.array() - words().y.minCoeff()).matrix()};
  all["diabetes_thirds"] = {sick.x, (sick.y / 117).array().floor().matrix()};
  all["counts_kinds"] = {counts().x, (counts().y / 4).array().floor().min(3).matrix()};
  return all;
}

}  // namespace linea::test
