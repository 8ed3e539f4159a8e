// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <linea/core/random.hpp>
#include <linea/io/csv.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "support/catch.hpp"
#include "support/random_number.hpp"
#include "support/refusal.hpp"
#include "support/same_bits.hpp"
#include "support/temporary_file.hpp"

using namespace linea::test;

namespace {

using linea::CsvHeader;
using linea::CsvOptions;
using linea::Index;
using Names = std::vector<std::string>;

template <class T = double>
linea::CsvData<T> parse(std::string_view text, const CsvOptions& options = {}) {
  return linea::parse_csv<T>(text, "t.csv", options);
}

template <class T = double>
std::string refusal(std::string_view text, const CsvOptions& options = {}) {
  return refusal_of([&] { (void)parse<T>(text, options); });
}

bool same(const linea::CsvData<double>& a, const linea::CsvData<double>& b) {
  return same_bits(a.x, b.x) && same_bits(a.y, b.y);
}

}  // namespace

TEST_CASE("parse_csv: takes the last column as target, the others as features", "[io]") {
  const auto data = parse("1,2.5,-1\n3e2,.5,+1\n");
  CHECK(data.x == (linea::Matrix<double>(2, 2) << 1, 2.5, 300, 0.5).finished());
  CHECK(data.y == Eigen::Vector2d(-1, 1));
  CHECK(data.feature_names.empty());
  CHECK(data.target_name.empty());
}

TEST_CASE("parse_csv: reads the same from every accepted way to write it", "[io]") {
  const auto plain = parse("1,2.5,-1\n300,0.5,1\n");
  const std::string text = GENERATE(
      as<std::string>{}, "1,2.5,-1\n300,0.5,1", "1,2.5,-1\r\n300,0.5,1\r\n",
      "1,2.5,-1\r300,0.5,1\r", "a,b,c\r\r1,2.5,-1\r300,0.5,1", "\n\n1,2.5,-1\n \n300,0.5,1\n\r\n",
      " 1 ,\t2.5, -1\n300 , 0.5 ,1 \n", "\"1\",\"2.5\",\"-1\"\n\"300\" , \"0.5\", \"1\"\n",
      "a,b,c\n1,2.5,-1\n300,0.5,1\n", "\"a,\"\"1\"\"\",\"b\nb\",c\n1,2.5,-1\n300,0.5,1\n",
      "\xef\xbb\xbf"
      "a,b,c\n1,2.5,-1\n300,0.5,1\n");
  CAPTURE(text);
  CHECK(same(parse(text), plain));
}

TEST_CASE("parse_csv: reads other separators", "[io]") {
  const auto plain = parse("1,2.5,-1\n300,0.5,1\n");
  CHECK(same(parse("a;b;c\n1;2.5;-1\n300; 0.5;1\n", {.separator = ';'}), plain));
  CHECK(same(parse("1\t2.5\t-1\n300\t 0.5\t1\n", {.separator = '\t'}), plain));
  CHECK(same(parse("1 2.5 -1\n300 0.5 1\n", {.separator = ' '}), plain));
  CHECK(same(parse("  1 \t2.5  -1 \r\n\n300\t0.5   \"1\" \n", {.separator = ' '}), plain));
  CHECK(refusal("1\t2\n\t4\n", {.separator = '\t'}) == "t.csv:2:1: the cell is empty, got nothing");
  CHECK(refusal("1", {.separator = '.'}) == "parse_csv: '.' cannot separate cells");
  CHECK(refusal("1", {.separator = '\n'}) == "parse_csv: '\\x0a' cannot separate cells");
}

TEST_CASE("parse_csv: takes any column as target", "[io]") {
  const std::string text = "a,b,c\n1,2,3\n4,5,6\n";
  const auto [target, name, feature] = GENERATE(table<Index, std::string, std::string>(
      {{0, "a", "b"}, {1, "b", "a"}, {2, "c", "a"}, {-1, "c", "a"}, {-3, "a", "b"}}));
  const auto data = parse(text, {.target_column = target});
  CHECK(data.target_name == name);
  CHECK(data.feature_names.front() == feature);
  const Index column = target < 0 ? target + 3 : target;
  CHECK(data.y ==
        Eigen::Vector2d(1 + static_cast<double>(column), 4 + static_cast<double>(column)));
  CHECK(refusal(text, {.target_column = 3}) ==
        "t.csv: target_column is 3, but there are 3 columns");
  CHECK(refusal(text, {.target_column = -4}) ==
        "t.csv: target_column is -4, but there are 3 columns");
}

TEST_CASE("parse_csv: reads features alone when no column is the target", "[io]") {
  const auto data = parse("a,b\n1,2\n3,4\n", {.target_column = std::nullopt});
  CHECK(data.x == (linea::Matrix<double>(2, 2) << 1, 2, 3, 4).finished());
  CHECK(data.y.size() == 0);
  CHECK(data.feature_names == Names{"a", "b"});
  CHECK(parse("1\n2\n", {.target_column = std::nullopt}).x.rows() == 2);
  CHECK(refusal("1\n2\n") == "t.csv:1:1: a line needs a target and at least one feature, got '1'");
}

TEST_CASE("parse_csv: sees a header only where the first line holds no number", "[io]") {
  CHECK(parse("height,weight\n1,2\n").feature_names == Names{"height"});
  CHECK(parse("\"a \"\"b\"\"\",y\n1,2\n").feature_names == Names{"a \"b\""});
  CHECK(parse(",y\n1,2\n").feature_names == Names{""});
  CHECK(refusal("0,1,y\n1,2,3\n") == "t.csv:1:5: the cell is not a number, got 'y'");
  CHECK(refusal("nan,x\n1,2\n") == "t.csv:1:1: the cell is not finite, got 'nan'");
  CHECK(parse("0,1,y\n1,2,3\n", {.header = CsvHeader::present}).feature_names == Names{"0", "1"});
  CHECK(refusal("a,b\n1,2\n", {.header = CsvHeader::absent}) ==
        "t.csv:1:1: the cell is not a number, got 'a'");
}

TEST_CASE("parse_csv: sees a header of 0, 1, 2 where the next line shows that it is no sample",
          "[io]") {
  CHECK(parse("0,1,2\n5.1,3.5,0\n4.9,3.0,1\n").feature_names == Names{"0", "1"});
  CHECK(parse("0,1,2\n7,7,0\n").x.rows() == 1);
  CHECK(parse("0,1\n5.5,1\n4.5,0\n").target_name == "1");
  CHECK(parse(",0,1\n0,5,1\n1,4,0\n").feature_names == Names{"", "0"});
  CHECK(parse("0,1,2\n5.1,3.5,a\n", {.text_targets = true}).class_names == Names{"a"});
  // These are samples: the lines go on counting, or have two cells of digits.
  CHECK(parse("0,1,2\n3,4,5\n6,7,8\n").x.rows() == 3);
  CHECK(parse("0,1\n1,3\n").x.rows() == 2);
  CHECK(parse("0,1,2\n").x.rows() == 1);
  CHECK(parse("0,1,2\n5.1,3.5,0\n", {.header = CsvHeader::absent}).x.rows() == 2);
}

TEST_CASE("parse_csv: cells that are one of the missing values are NaN in x", "[io]") {
  const CsvOptions usual{
      .missing_values = {linea::usual_missing_values.begin(), linea::usual_missing_values.end()}};
  const auto data = parse("a,b,y\n1,NA,1\n,<NA>,2\n-999,3,4\n", usual);
  CHECK(std::isnan(data.x(0, 1)));
  CHECK(std::isnan(data.x(1, 0)));
  CHECK(std::isnan(data.x(1, 1)));
  CHECK(data.x(2, 0) == -999);
  CHECK(std::isnan(parse("1,2\n-999,4\n5,6\n", {.missing_values = {"-999"}}).x(1, 0)));
  CHECK(refusal("1,2\n3,NA\n", usual) == "t.csv:2:3: the cell is not a number, got 'NA'");
  CHECK(refusal("1,2\n?,3\n", usual) == "t.csv:2:1: the cell is not a number, got '?'");
}

TEST_CASE("parse_csv: numbers text targets in the order of their names", "[io]") {
  const CsvOptions options{.text_targets = true};
  const std::string text = "5.1,setosa\n6.3,virginica\n5.0,\"setosa\"\n5.5,\"versi\"\"color\"\n";
  const auto data = parse(text, options);
  CHECK(data.class_names == Names{"setosa", "versi\"color", "virginica"});
  CHECK(data.y == Eigen::Vector4d(0, 2, 0, 1));
  CHECK(parse("length,species\n" + text, options).y == data.y);
  CHECK(parse("length,species\n" + text, options).target_name == "species");
  CHECK(refusal("5.1,setosa\n") == "t.csv:1:5: the cell is not a number, got 'setosa'");
  CHECK(refusal("5.1,setosa\n1,\n", options) ==
        "t.csv:2:3: the cell is empty, got the end of the line");
  // Numbers are taken for names, too.
  const auto numbers = parse("1,9\n2,10\n3,9\n", options);
  CHECK(numbers.class_names == Names{"10", "9"});
  CHECK(numbers.y == Eigen::Vector3d(1, 0, 1));
}

TEST_CASE("parse_csv: refuses with line, column and text", "[io]") {
  const auto [text, message] = GENERATE(table<std::string, std::string>({
      {"", "t.csv:1:1: there is no sample, got the end of the text"},
      {"\r\n \n", "t.csv:3:1: there is no sample, got the end of the text"},
      {"a,b\n", "t.csv:2:1: there is no sample, got the end of the text"},
      {"1,2\n1,2,3\n", "t.csv:2:1: the line has 3 cells, but the first one has 2, got '1,2,3'"},
      {"1,2\n\n1\n", "t.csv:3:1: the line has 1 cells, but the first one has 2, got '1'"},
      {"1,2\n1,,3\n", "t.csv:2:1: the line has 3 cells, but the first one has 2, got '1,,3'"},
      {"1,2\n ,3\n", "t.csv:2:2: the cell is empty, got nothing"},
      {"1,2\n1,\n", "t.csv:2:3: the cell is empty, got the end of the line"},
      {"1,2\n1,", "t.csv:2:3: the cell is empty, got the end of the text"},
      {"1,2\n\"\",3\n", "t.csv:2:2: the cell is empty, got nothing"},
      {"1,2\n1, x\n", "t.csv:2:4: the cell is not a number, got 'x'"},
      {"1,2\n1 5,3\n", "t.csv:2:1: the cell is not a number, got '1 5'"},
      {"1,2\n1;5,3\n", "t.csv:2:1: the cell is not a number, got '1;5'"},
      {"1,2\n1,NaN\n", "t.csv:2:3: the cell is not finite, got 'NaN'"},
      {"1,2\n-inf,3\n", "t.csv:2:1: the cell is not finite, got '-inf'"},
      {"1,2\n1,1e999\n", "t.csv:2:3: the cell is too large for a double, got '1e999'"},
      {"1,2\n1,\"3\n4,5\n", "t.csv:2:3: the quote is never closed, got '\"3\\x0a4,5\\x0a'"},
      {"1,2\n1,\"3\" 4\n", "t.csv:2:7: there is text behind a quote, got '4'"},
      {"1,2\n1,3.", "t.csv:2:3: the cell is cut off by the end of the text, got '3.'"},
      {"1,2\n1,3e", "t.csv:2:3: the cell is not a number, got '3e'"},
      {"1,2\n1,-", "t.csv:2:3: the cell is not a number, got '-'"},
      {"1,2\n1\r,3\r4\n", "t.csv:2:4: the cell is not a number, got '3\\x0d4'"},
      {"1,2,3\n4,5\n6,7,8\n",
       "t.csv:2:1: the line has 2 cells, but the first one has 3, got '4,5'"},
      {"1,2,3\n4,5,6,7\n",
       "t.csv:2:1: the line has 4 cells, but the first one has 3, got '4,5,6,7'"},
      {"1,2,3\n4,5,6x\n", "t.csv:2:5: the cell is not a number, got '6x'"},
      {"1,2,3\n4,nan,6\n", "t.csv:2:3: the cell is not finite, got 'nan'"},
  }));
  CHECK(refusal(text) == message);
}

TEST_CASE("parse_csv: asks for the last newline when told to", "[io]") {
  CHECK(refusal("1,2\n1,2", {.final_newline_required = true}) ==
        "t.csv:2:4: the last line must end in a newline, got the end of the text");
  CHECK(refusal("1,2\n1,2\n", {.final_newline_required = true}).empty());
}

TEST_CASE("parse_csv: reads back numbers written with all their digits", "[io]") {
  linea::Random random(3);
  linea::Matrix<float> x(40, 3);
  std::string text;
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < x.cols(); ++j) {
      x(i, j) = static_cast<float>(random.uniform() - 0.5) * 1e-30F;
      linea::core::append_number(text, x(i, j));
      text += j + 1 < x.cols() ? ',' : '\n';
    }
  const auto data = parse<float>(text, {.target_column = 1});
  CHECK(same_bits(linea::Vector<float>(data.x.col(0)), linea::Vector<float>(x.col(0))));
  CHECK(same_bits(linea::Vector<float>(data.x.col(1)), linea::Vector<float>(x.col(2))));
  // Targets are doubles: the digits are those of the shortest text that the float is nearest to.
  CHECK(same_bits(linea::Vector<float>(data.y.cast<float>()), linea::Vector<float>(x.col(1))));
  x(39, 2) = std::nextafter(x(39, 2), 1.0F);
  CHECK_FALSE(same_bits(linea::Vector<float>(data.x.col(1)), linea::Vector<float>(x.col(2))));
}

TEST_CASE("read_csv: reads a file and names it in what it refuses", "[io]") {
  const TemporaryFile file("a,b\n1,2\n3,x\n");
  CHECK_THROWS_WITH(linea::read_csv<double>(file.path()),
                    file.path().string() + ":3:3: the cell is not a number, got 'x'");
  CHECK(linea::read_csv<double>(file.path(), {.text_targets = true}).x.rows() == 2);
  CHECK_THROWS_WITH(linea::read_csv<double>("no/such.csv"),
                    ContainsSubstring("read_csv: cannot open 'no/such.csv': "));
}

TEMPLATE_TEST_CASE("parse_csv: reads cells the same with and without quotes", "[io]", float,
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
