// SPDX-License-Identifier: MIT
#include <linea/io/matrix_market.hpp>
#include <string>
#include <utility>

#include "support/catch.hpp"

using linea::parse_matrix_market;

TEST_CASE("parse_matrix_market: coordinates in any order, comments, blank lines") {
  const Eigen::MatrixXd expected{{0, 1.5, 0}, {-2, 0, 1e-3}};
  const std::string text =
      "%%MatrixMarket matrix coordinate real general\n% a comment\n\n2 3 3\n2 3 1e-3\n1 2 "
      "1.5\r\n\n2 "
      "1 -2";
  const auto data = parse_matrix_market<double>(text, "m");
  CHECK_FALSE(data.is_dense);
  CHECK(data.x.nonZeros() == 3);
  CHECK(data.x.isCompressed());
  CHECK(Eigen::MatrixXd(data.x) == expected);
  CHECK(Eigen::MatrixXf(parse_matrix_market<float>(text, "m").x) == expected.cast<float>());
}

TEST_CASE("parse_matrix_market: both halves of symmetric matrices, patterns, arrays") {
  const Eigen::MatrixXd symmetric{{4, 3}, {3, 0}};
  const Eigen::MatrixXd skew{{0, -3}, {3, 0}};
  const std::pair<const char*, Eigen::MatrixXd> rows[] = {
      {"matrix coordinate integer symmetric\n2 2 2\n1 1 4\n2 1 3\n", symmetric},
      {"matrix coordinate real skew-symmetric\n2 2 1\n2 1 3\n", skew},
      {"matrix array real skew-symmetric\n2 2\n3\n", skew},
      {"matrix array real symmetric\n2 2\n4\n3\n0\n", symmetric},
      {"MATRIX Coordinate Pattern General\n2 2 1\n1 2\n", Eigen::MatrixXd{{0, 1}, {0, 0}}},
      {"matrix array real general\n2 2\n1\n2\n3\n4\n", Eigen::MatrixXd{{1, 3}, {2, 4}}},
  };
  for (const std::string mark : {"%%MatrixMarket ", "%%matrixmarket "})
    for (const auto& [text, expected] : rows) {
      CAPTURE(text);
      const auto data = parse_matrix_market<double>(mark + text, "m");
      CHECK(data.is_dense == (std::string(text).find("array") == 7));
      CHECK(Eigen::MatrixXd(data.x) == expected);
    }
}

TEST_CASE("parse_matrix_market: errors name line and column") {
  const auto refuses = [](const std::string& text, const std::string& message) {
    CHECK_THROWS_WITH(parse_matrix_market<double>(text, "m"), ContainsSubstring(message));
  };
  const std::string head = "%%MatrixMarket matrix coordinate real general\n";
  refuses("", "m:1:1: a Matrix Market file begins with");
  refuses(head, "m:2:1: the number of rows must be a whole number from 1 to 2147483647");
  refuses("2 2 1\n", "m:1:1: a Matrix Market file begins with");
  refuses("%%MatrixMarket matrix coordinate complex general\n1 1 0\n", "neither real, integer");
  refuses("%%MatrixMarket matrix list real general\n1 1 0\n", "neither coordinate nor array");
  refuses("%%MatrixMarket matrix coordinate real hermitian\n1 1 0\n", "neither general");
  refuses("%%MatrixMarket matrix array pattern general\n1 1\n", "an array has no pattern");
  refuses("%%MatrixMarket matrix coordinate real symmetric\n1 2 0\n", "must be square");
  refuses(head + "2 2 2\n1 1 1\n", "entries are missing");
  refuses(head + "2 2 x\n1 1 1\n", "the number of entries must be a whole number");
  refuses(head + "2 2 1\n1 1 1\n2 2 2\n", "m:4:1: there is text behind the last entry");
  refuses(head + "2 2 1\n3 1 1\n", "m:3:1: a row must be a whole number from 1 to 2, got '3'");
  refuses(head + "2 2 1\n1 0 1\n", "m:3:3: a column must be a whole number from 1 to 2, got '0'");
  refuses(head + "2 2 1\n1 1 nan\n", "m:3:5: the entry is not finite");
  refuses(head + "2 2 1\n1 1 x\n", "m:3:5: the entry is not a number");
  refuses(head + "2 2 1\n1 1 1 1\n", "unexpected text on the line");
  refuses(head + "2 2 2\n1 1 1\n1 1 2\n", "entry (1, 1) occurs twice");
  refuses(head + "2 99999999999 0\n", "the number of columns must be a whole number from 1 to");
  refuses(head + "0 1 0\n", "the number of rows must be a whole number from 1 to");
  refuses(head + "50000000 2 1\n1 1 1\n", "a matrix of 50000000 x 2 with 1 entries");
  refuses(head + "2 4194305 1\n1 1 1\n", "more than 4194304 rows or columns");
  CHECK(parse_matrix_market<double>(head + "2 4194304 1\n1 1 1\n", "m").x.cols() == 4194304);
}
