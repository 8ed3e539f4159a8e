// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <linea/io/csv.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "support/catch.hpp"
#include "support/refusal.hpp"
#include "support/same_bits.hpp"
#include "support/temporary_file.hpp"

using namespace linea::test;
using linea::CsvHeader;
using linea::CsvOptions;
using linea::Index;

namespace {

using Names = std::vector<std::string>;

linea::CsvData<double> parse(std::string_view text, const CsvOptions& options = {}) {
  return linea::parse_csv<double>(text, "t", options);
}

std::string refusal(std::string_view text, const CsvOptions& options = {}) {
  return refusal_of([&] { (void)parse(text, options); });
}

}  // namespace

TEST_CASE("parse_csv: reads the same data in every accepted form") {
  // The last column is the target; the other columns are features.
  const auto plain = parse("1,2.5,-1\n3e2,.5,+1\n");
  CHECK(plain.x == (linea::Matrix<double>(2, 2) << 1, 2.5, 300, 0.5).finished());
  CHECK(plain.y == Eigen::Vector2d(-1, 1));
  CHECK(plain.feature_names.empty());
  CHECK(plain.target_name.empty());
  const auto check = [&](const std::string& text, char separator = ',') {
    CAPTURE(text);
    const auto data = parse(text, {.separator = separator});
    CHECK(same_bits(data.x, plain.x));
    CHECK(same_bits(data.y, plain.y));
  };
  for (const std::string text :
       {"1,2.5,-1\n300,0.5,1", "1,2.5,-1\r\n300,0.5,1\r\n", "1,2.5,-1\r300,0.5,1\r",
        "a,b,c\r\r1,2.5,-1\r300,0.5,1", "\n\n1,2.5,-1\n \n300,0.5,1\n\r\n",
        " 1 ,\t2.5, -1\n300 , 0.5 ,1 \n", "\"1\",\"2.5\",\"-1\"\n\"300\" , \"0.5\", \"1\"\n",
        "\"a,\"\"1\"\"\",\"b\nb\",c\n1,2.5,-1\n300,0.5,1\n",
        "\xef\xbb\xbf"
        "a,b,c\n1,2.5,-1\n300,0.5,1\n"})
    check(text);
  check("a;b;c\n1;2.5;-1\n300; 0.5;1\n", ';');
  check("1\t2.5\t-1\n300\t 0.5\t1\n", '\t');
  check("  1 \t2.5  -1 \r\n\n300\t0.5   \"1\" \n", ' ');
}

TEST_CASE("parse_csv: supports any target column, or none") {
  const std::string text = "a,b,c\n1,2,3\n4,5,6\n";
  const auto [target, column] =
      GENERATE(table<Index, Index>({{0, 0}, {1, 1}, {2, 2}, {-1, 2}, {-3, 0}}));
  const auto data = parse(text, {.target_column = target});
  CHECK(data.target_name == Names{"a", "b", "c"}[static_cast<std::size_t>(column)]);
  CHECK(data.feature_names.front() == (column == 0 ? "b" : "a"));
  CHECK(data.y == Eigen::Vector2d(1, 4) + Eigen::Vector2d::Constant(static_cast<double>(column)));
  const auto features = parse(text, {.target_column = std::nullopt});
  CHECK(features.x == (linea::Matrix<double>(2, 3) << 1, 2, 3, 4, 5, 6).finished());
  CHECK(features.y.size() == 0);
  CHECK(features.feature_names == Names{"a", "b", "c"});
  CHECK(parse("1\n2\n", {.target_column = std::nullopt}).x.rows() == 2);
}

TEST_CASE("parse_csv: detects a header if the first line has no numbers, or counts") {
  const struct {
    std::string text;
    Names names;  // empty if there is no header
    Index rows;
    CsvOptions options{};
  } rows[] = {
      {"height,weight\n1,2\n", {"height"}, 1},
      {"\"a \"\"b\"\"\",y\n1,2\n", {"a \"b\""}, 1},
      {",y\n1,2\n", {""}, 1},
      {"0,1,y\n1,2,3\n", {"0", "1"}, 1, {.header = CsvHeader::present}},
      // A first line 0,1,2,… is a header if the first cell is empty, or if the next line does not
      // count.
      {"0,1,2\n5.1,3.5,0\n4.9,3.0,1\n", {"0", "1"}, 2},
      {"0,1,2\n7,7,0\n", {"0", "1"}, 1},
      {"0,1,2\n\r\n7,7,0\n", {"0", "1"}, 1},
      {"0,1\n5.5,1\n4.5,0\n", {"0"}, 2},
      {",0,1\n0,5,1\n1,4,0\n", {"", "0"}, 2},
      {"0,1,2\n5.1,3.5,a\n", {"0", "1"}, 1, {.text_targets = true}},
      // There is no header if the next line counts, too, if it has only two cells of digits, if
      // there is no next line, or if the option says that there is no header.
      {"0,1,2\n3,4,5\n6,7,8\n", {}, 3},
      {"0,1\n1,3\n", {}, 2},
      {"0,1,2\n", {}, 1},
      {"0,1,2\n5.1,3.5,0\n", {}, 2, {.header = CsvHeader::absent}},
  };
  for (const auto& [text, names, count, options] : rows) {
    CAPTURE(text);
    const auto data = parse(text, options);
    CHECK(data.feature_names == names);
    CHECK(data.x.rows() == count);
  }
  CHECK(parse("0,1\n5.5,1\n4.5,0\n").target_name == "1");
}

TEST_CASE("parse_csv: missing values are NaN in x") {
  const CsvOptions usual{
      .missing_values = {linea::usual_missing_values.begin(), linea::usual_missing_values.end()}};
  const auto data = parse("a,b,y\n1,NA,1\n,<NA>,2\n-999,3,4\n", usual);
  CHECK(std::isnan(data.x(0, 1)));
  CHECK(std::isnan(data.x(1, 0)));
  CHECK(std::isnan(data.x(1, 1)));
  CHECK(data.x(2, 0) == -999);
  CHECK(std::isnan(parse("1,2\n-999,4\n5,6\n", {.missing_values = {"-999"}}).x(1, 0)));
  CHECK(refusal("1,2\n3,NA\n", usual) == "t:2:3: the cell is not a number, got 'NA'");
  CHECK(refusal("1,2\n?,3\n", usual) == "t:2:1: the cell is not a number, got '?'");
}

TEST_CASE("parse_csv: numbers text targets in the order of their names") {
  const CsvOptions options{.text_targets = true};
  const std::string text = "5.1,setosa\n6.3,virginica\n5.0,\"setosa\"\n5.5,\"versi\"\"color\"\n";
  const auto data = parse(text, options);
  CHECK(data.class_names == Names{"setosa", "versi\"color", "virginica"});
  CHECK(data.y == Eigen::Vector4d(0, 2, 0, 1));
  const auto named = parse("length,species\n" + text, options);
  CHECK(named.y == data.y);
  CHECK(named.target_name == "species");
  CHECK(parse("1,9007199254740993\n2,9007199254740992\n3,9007199254740993\n", options).y ==
        Eigen::Vector3d(1, 0, 1));
  CHECK(parse("1,9007199254740994\n2,9007199254740993.0\n").y ==
        Eigen::Vector2d(0x1p53 + 2, 0x1p53));
  // Names of classes may be numbers.
  const auto numbers = parse("1,9\n2,10\n3,9\n", options);
  CHECK(numbers.class_names == Names{"10", "9"});
  CHECK(numbers.y == Eigen::Vector3d(1, 0, 1));
}

TEST_CASE("parse_csv: errors name line, column and text") {
  const struct {
    std::string text, message;
    CsvOptions options{};
  } rows[] = {
      {"", "t:1:1: there is no sample, got the end of the text"},
      {"\r\n \n", "t:3:1: there is no sample, got the end of the text"},
      {"a,b\n", "t:2:1: there is no sample, got the end of the text"},
      {"1\n2\n", "t:1:1: a line needs a target and at least one feature, got '1'"},
      {"1,2\n1,2,3\n", "t:2:1: the line has 3 cells, but the first one has 2, got '1,2,3'"},
      {"1,2\n\n1\n", "t:3:1: the line has 1 cells, but the first one has 2, got '1'"},
      {"1,2\n1,,3\n", "t:2:1: the line has 3 cells, but the first one has 2, got '1,,3'"},
      {"1,2\n ,3\n", "t:2:2: the cell is empty, got nothing"},
      {"1,2\n1,\n", "t:2:3: the cell is empty, got the end of the line"},
      {"1,2\n1,", "t:2:3: the cell is empty, got the end of the text"},
      {"1,2\n\"\",3\n", "t:2:2: the cell is empty, got nothing"},
      {"1,2\n1, x\n", "t:2:4: the cell is not a number, got 'x'"},
      {"1,2\n1 5,3\n", "t:2:1: the cell is not a number, got '1 5'"},
      {"1,2\n1,NaN\n", "t:2:3: the cell is not finite, got 'NaN'"},
      {"1,2\n-inf,3\n", "t:2:1: the cell is not finite, got '-inf'"},
      {"1,2\n1,1e999\n", "t:2:3: the cell is too large for a double, got '1e999'"},
      {"1,2\n9007199254740993,-9007199254740993\n",
       "t:2:18: as a double the label would be -9007199254740992, like others: set "
       "CsvOptions::text_targets, or write a decimal point into a number that may be rounded, got "
       "'-9007199254740993'"},
      {"1,2\n1,\"3\n4,5\n", "t:2:3: the quote is never closed, got '\"3\\x0a4,5\\x0a'"},
      {"1,2\n1,\"3\" 4\n", "t:2:7: there is text behind a quote, got '4'"},
      {"1,2\n1,3.", "t:2:3: the cell is cut off by the end of the text, got '3.'"},
      {"1,2\n1,3e", "t:2:3: the cell is not a number, got '3e'"},
      {"1,2\n1,-", "t:2:3: the cell is not a number, got '-'"},
      {"1,2\n1\r,3\r4\n", "t:2:4: the cell is not a number, got '3\\x0d4'"},
      {"5.1,setosa\n", "t:1:5: the cell is not a number, got 'setosa'"},
      {"5.1,setosa\n1,\n",
       "t:2:3: the cell is empty, got the end of the line",
       {.text_targets = true}},
      {"0,1,y\n1,2,3\n", "t:1:5: the cell is not a number, got 'y'"},
      {"nan,x\n1,2\n", "t:1:1: the cell is not finite, got 'nan'"},
      {"a,b\n1,2\n", "t:1:1: the cell is not a number, got 'a'", {.header = CsvHeader::absent}},
      {"1,2\n", "t: target_column is 2, but there are 2 columns", {.target_column = 2}},
      {"1,2\n", "t: target_column is -3, but there are 2 columns", {.target_column = -3}},
      {"1\t2\n\t4\n", "t:2:1: the cell is empty, got nothing", {.separator = '\t'}},
      {"1", "parse_csv: '.' cannot separate cells", {.separator = '.'}},
      {"1", "parse_csv: '\\x0a' cannot separate cells", {.separator = '\n'}},
  };
  for (const auto& [text, message, options] : rows) {
    CAPTURE(text);
    CHECK(refusal(text, options) == message);
  }
}

TEST_CASE("read_csv: reads a file and names it in errors") {
  const TemporaryFile file("a,b\n1,2\n3,x\n");
  CHECK_THROWS_WITH(linea::read_csv<double>(file.path()),
                    file.path().string() + ":3:3: the cell is not a number, got 'x'");
  CHECK(linea::read_csv<double>(file.path(), {.text_targets = true}).x.rows() == 2);
  CHECK_THROWS_WITH(linea::read_csv<double>("no/such.csv"),
                    ContainsSubstring("read_csv: cannot open 'no/such.csv': "));
}
