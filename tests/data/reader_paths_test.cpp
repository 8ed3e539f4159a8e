// SPDX-License-Identifier: MIT
/// \file The readers take plain numbers on a short way and everything else on a long one: both ways lead
/// to the same data.
#include <array>
#include <cstddef>
#include <cstdint>
#include <linea/core/random.hpp>
#include <linea/files/csv.hpp>
#include <linea/files/libsvm.hpp>
#include <linea/files/text.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "data/same_bits.hpp"
#include "support/catch.hpp"

namespace {

using linea::Index;

std::string random_number(linea::Random& random) {
  std::string number;
  if (random.below(4) == 0) number += random.below(2) ? '-' : '+';
  for (auto k = 1 + random.below(random.below(8) ? 4 : 20); k > 0; --k)
    number += static_cast<char>('0' + random.below(10));
  if (random.below(2)) {
    number += '.';
    for (auto k = random.below(random.below(8) ? 9 : 24); k > 0; --k)
      number += static_cast<char>('0' + random.below(10));
  }
  if (random.below(6) == 0) number += "e" + std::to_string(static_cast<int>(random.below(20)) - 10);
  return number;
}

}  // namespace

TEMPLATE_TEST_CASE("parse_libsvm: reads a line the same with and without a newline", "[data]",
                   float, double) {
  linea::Random random(21);
  std::vector<std::string> lines;
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    std::string line = random_number(random);
    Index column = 0;
    for (auto k = random.below(6); k > 0; --k) {
      column += 1 + static_cast<Index>(random.below(random.below(3) ? 9 : 100000));
      line += ' ' + std::to_string(column) + ':' + random_number(random);
    }
    text += line + '\n';
    lines.push_back(line + " 1000000:1");
    text.insert(text.size() - 1, " 1000000:1");
  }
  const auto data = linea::parse_libsvm<TestType>(text, "t");
  REQUIRE(data.x.rows() == 3000);
  Index different = 0;
  for (Index i = 0; i < data.x.rows(); ++i) {
    const auto alone = linea::parse_libsvm<TestType>(lines[static_cast<std::size_t>(i)], "t");
    const linea::SparseMatrix<TestType> row = data.x.middleRows(i, 1);
    different += !same_bits(alone.x, row) || !same_bits(alone.y[0], data.y[i]);
  }
  CHECK(different == 0);
}

TEMPLATE_TEST_CASE("parse_csv: reads cells the same with and without quotes", "[data]", float,
                   double) {
  linea::Random random(22);
  std::string plain;
  std::string quoted;
  for (int i = 0; i < 1500; ++i)
    for (int j = 0; j < 7; ++j) {
      const std::string number = random_number(random);
      const char* const end = j < 6 ? "," : i % 3 ? "\n" : "\r\n";
      plain += number + end;
      quoted += '"' + number + '"' + end;
    }
  const auto data = linea::parse_csv<TestType>(plain, "t");
  const auto expected = linea::parse_csv<TestType>(quoted, "t");
  CHECK(data.x.rows() == 1500);
  CHECK(same_bits(data.x, expected.x));
  CHECK(same_bits(data.y, expected.y));
}

TEST_CASE("parse_libsvm and parse_csv: read nothing behind the text", "[data]") {
  const std::string_view libsvm = "1 2:3456789012";
  CHECK(linea::parse_libsvm<double>(libsvm.substr(0, 5), "t").x.coeff(0, 1) == 3);
  CHECK_THROWS_WITH(linea::parse_libsvm<double>(libsvm.substr(0, 4), "t"),
                    "t:1:5: value is missing, got the end of the text");
  CHECK_THROWS_WITH(linea::parse_libsvm<double>(libsvm.substr(0, 3), "t"),
                    "t:1:3: expected index:value with a whole number as index, got '2'");
  const std::string_view csv = "1,2\n3,4567\n8,9\n";
  CHECK(linea::parse_csv<double>(csv.substr(0, 7), "t").y == Eigen::Vector2d(2, 4));
  CHECK_THROWS_WITH(linea::parse_csv<double>(csv.substr(0, 6), "t"),
                    "t:2:3: the cell is empty, got the end of the text");
}

TEST_CASE("parse_csv: refuses a record of plain numbers that is too short or too long", "[data]") {
  CHECK_THROWS_WITH(linea::parse_csv<double>("1,2,3\n4,5\n6,7,8\n", "t"),
                    "t:2:1: the line has 2 cells, but the first one has 3, got '4,5'");
  CHECK_THROWS_WITH(linea::parse_csv<double>("1,2,3\n4,5,6,7\n", "t"),
                    "t:2:1: the line has 4 cells, but the first one has 3, got '4,5,6,7'");
  CHECK_THROWS_WITH(linea::parse_csv<double>("1,2,3\n4,5,6x\n", "t"),
                    "t:2:5: the cell is not a number, got '6x'");
  CHECK_THROWS_WITH(linea::parse_csv<double>("1,2,3\n4,nan,6\n", "t"),
                    "t:2:3: the cell is not finite, got 'nan'");
}

TEST_CASE("parse_csv: takes numbers for names where targets are text", "[data]") {
  const auto data = linea::parse_csv<double>("1,9\n2,10\n3,9\n", "t", {.text_targets = true});
  CHECK(data.class_names == std::vector<std::string>{"10", "9"});
  CHECK(data.y == Eigen::Vector3d(1, 0, 1));
}

TEST_CASE("parse_libsvm: refuses an entry without an index", "[data]") {
  CHECK_THROWS_WITH(linea::parse_libsvm<double>("1 :2\n", "t", {.zero_based = true}),
                    "t:1:3: expected index:value with a whole number as index, got ':2'");
}

TEST_CASE("parse_libsvm: counts no entries in comments", "[data]") {
  std::string text = "1 # a:b\n";
  for (int i = 0; i < 127; ++i) text += "1 1:1 # 2:3\n";
  CHECK(linea::parse_libsvm<double, std::int8_t>(text, "t").x.nonZeros() == 127);
}

TEST_CASE("count_characters: counts any number of them", "[data]") {
  for (const std::size_t size : {0, 1, 254, 255, 256, 511, 1000}) {
    const std::string text = std::string(size, '\n') + "a:b:" + std::string(size, 'x');
    CHECK(linea::files::count_characters(text, std::array{'\n', ':', 'q'}) ==
          std::array{static_cast<Index>(size), Index{2}, Index{0}});
  }
}

TEST_CASE("parse_libsvm and parse_csv: read texts of many megabytes", "[data]") {
  constexpr Index lines = 300000;
  std::string libsvm;
  std::string csv;
  for (Index i = 0; i < lines; ++i) {
    const std::string value = std::to_string(i);
    libsvm += value + " 1:" + value + " 2:0.5 4:1 7:-1 # " + (i % 3 ? ":\n" : "\n\n");
    csv += value + ",0.5,1,-1," + value + '\n';
  }
  const double sum = static_cast<double>(lines) * (lines - 1) / 2;
  const auto sparse = linea::parse_libsvm<double>(libsvm, "t");
  CHECK(sparse.x.rows() == lines);
  CHECK(sparse.x.nonZeros() == 4 * lines);
  CHECK(sparse.y.sum() == sum);
  CHECK(linea::Vector<double>(sparse.x * Eigen::VectorXd::Ones(7)).sum() == sum + 0.5 * lines);
  const auto dense = linea::parse_csv<double>(csv, "t");
  CHECK(dense.x.rows() == lines);
  CHECK(dense.x.cols() == 4);
  CHECK(dense.y.sum() == sum);
  CHECK(dense.x.sum() == sum + 0.5 * lines);
}
