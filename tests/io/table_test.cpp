// SPDX-License-Identifier: MIT
#include <cmath>
#include <functional>
#include <limits>
#include <linea/io/encoder.hpp>
#include <linea/io/model_file.hpp>
#include <linea/io/table.hpp>
#include <linea/models/linear_model.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "support/catch.hpp"
#include "support/refusal.hpp"
#include "support/temporary_file.hpp"

namespace table_test {

using namespace linea::test;
using linea::Encoder;
using linea::Index;
using linea::Missing;
using linea::TableOptions;
using Names = std::vector<std::string>;
using Numbers = std::vector<double>;
using Dense = linea::Matrix<double>;

namespace {

linea::Table parse(std::string_view text, const TableOptions& options = {}) {
  return linea::parse_table(text, "t", options);
}

template <class F>
std::string refusal(F&& f) {
  return refusal_of(f);
}

/// Returns the names of the columns, if there are any, and the rows behind bars; - is missing.
std::string shown(const linea::Table& table) {
  std::string text;
  for (std::size_t j = 0; j < table.columns.size(); ++j)
    text += (j && !table.columns[j].name.empty() ? " " : "") + table.columns[j].name;
  for (std::size_t i = 0; i < static_cast<std::size_t>(table.rows()); ++i)
    for (std::size_t j = 0; j < table.columns.size(); ++j)
      text += (j ? " " : "|") + (table.columns[j].is_missing(i) ? "-" : table.columns[j].text(i));
  return text;
}

const std::string flats =
    "town,rooms,heated,rent\nUlm,3,yes,300\nBonn,,no,410\n\"Ulm\",2,,205\nKiel,5,yes,480\n";

}  // namespace

TEST_CASE("parse_table: a column is text if a cell is neither a number nor missing") {
  const auto table = parse("a,b,c,y\n1,u,NA,1\n2,,?,2\n,NA,7,3\n");
  REQUIRE(table.columns.size() == 4);
  CHECK(table.rows() == 3);
  CHECK(table.columns[0].numbers[1] == 2);
  CHECK(table.columns[0].is_missing(2));
  CHECK(table.columns[1].texts == Names{"u", "", ""});
  CHECK(table.columns[2].numbers[2] == 7);
  CHECK(table.columns[3].numbers == Numbers{1, 2, 3});
  CHECK(table.target == 3);
  CHECK(table.place(1) == "t:3");
  // Text behind numbers makes them text again, as they were written.
  CHECK(parse("a,y\n01,1\n\"2\",2\nx,3\n").columns[0].texts == Names{"01", "2", "x"});
  CHECK(parse("a,y\n01,1\n2,2\n", {.text_columns = {"a"}}).columns[0].texts == Names{"01", "2"});
}

TEST_CASE("parse_table: detects the separator, comments and the header") {
  const std::string comma = "a b y|1.5 2208 1|-2.25 12000.5 2";
  const std::string four = "a b y|1 4 1|2 5 2";
  const struct {
    std::string text, expected;
    TableOptions options{};
  } rows[] = {
      {"a;b;y\n1,5;2.208;1\n-2,25;12.000,5;2\n",
       comma,
       {.format = {.decimal = ',', .thousands = '.'}}},
      {"a|b|y\n1.5|2,208|1\n-2.25|\"12,000.5\"|2\n",
       comma,
       {.format = {.separator = '|', .thousands = ','}}},
      {"  a   b\t y\n 1.5 2'208 1\n-2.25  12'000.5 2 \n",
       comma,
       {.format = {.separator = ' ', .thousands = '\''}}},
      {"a;b;y\n1,5;2\xe2\x80\xaf"
       "208;1\n-2,25;12 000,5;2\n",
       comma,
       {.format = {.decimal = ',', .thousands = ' '}}},
      {"a;y\n1,5;1\n", "a y|1,5 1", {.format = {.thousands = ','}}},  // no group of three digits
      {"sep=;\r\n# by, a, tool\r\na;b;y\r\n1;4;1\r\n2;5;2\r\n", four},
      {"a,b,y\r1,4,1\r2,5,2\r", four},
      {"#\n# it's \"quoted, \n# twice, at least\na\tb\ty\n1\t4\t1\n2\t5\t2\n", four},
      {"# version 4.2\n#a,b,y\n1,4,1\n", "#a b y|1 4 1"},     // a header may begin with #
      {"1,5;2.25\n2,5;3\n3;4.5\n", "|1,5 2.25|2,5 3|3 4.5"},  // only ; divides all lines
      {"1;5,2.25\n\n2;5,3\n3,4.5\n", "|1;5 2.25|2;5 3|3 4.5"},
      {"x\n1,5\n2,5\n", "x|1.5|2.5", {.format = {.decimal = ','}}},
      {"x,y\n\"1,5\",\"2,5\"\n", "x y|1.5 2.5", {.format = {.decimal = ','}}},
      {"0,1,2\n5.1,3.5,0\n", "0 1 2|5.1 3.5 0"},
      {"0,1,2\n\n5.1,3.5,0\n", "0 1 2|5.1 3.5 0"},
      {"a,y\n1,2\n", "|a y|1 2", {.header = linea::CsvHeader::absent}},
      {"2019,y\n1,2\n", "|2019 y|1 2"},
      {"2019,y\n1,2\n", "2019 y|1 2", {.header = linea::CsvHeader::present}},
      {"2019,2020\n1,2\n", "2019 2020|1 2", {.like = {{.name = "2020"}, {.name = "2019"}}}},
      {"u,v\n1,2\n", "|u v|1 2", {.like = {{}, {}}}},
      {"a,y\n#N/A,1\n-1.#IND,1\n<NA>,1\nn/a,?\nnull,NAN\n3,4\n", "a y|- 1|- 1|- 1|- -|- -|3 4"},
      {"a,y\n-999,x\n-999.0,NA\n3,4\n",
       "a y|- -|- -|3 4",
       {.format = {.missing_values = {"-999", "x"}}}},
  };
  for (const auto& [text, expected, options] : rows) {
    CAPTURE(text);
    CHECK(shown(parse(text, options)) == expected);
  }
}

TEST_CASE("parse_table: finds the columns of targets and weights, and those that are no features") {
  const std::string text = "id,a,w,b,y\nx,1,2,,5\nz,3,4,,6\n";
  const auto table = parse(text, {.drop = {"id"}, .target = "a", .weights = "-3"});
  CHECK(table.target == 1);
  CHECK(table.weights == 2);
  CHECK(table.columns[0].is_left_out);
  CHECK(table.columns[2].is_left_out);
  CHECK(table.columns[3].is_left_out);
  CHECK_FALSE(table.columns[4].is_left_out);
  CHECK(table.weights_in(table.weights) == Eigen::Vector2d(2, 4));
  const std::vector<Index> wanted{1, 0};
  const auto taken = table.take(wanted);
  CHECK(taken.columns[0].texts == Names{"z", "x"});
  CHECK(taken.columns[4].numbers == Numbers{6, 5});
  CHECK(taken.place(0) == "t:3");
}

TEST_CASE("parse_table: remarks on a first line, a column or row numbers that may be misread") {
  const auto remark = [](const std::string& text, const TableOptions& options = {}) {
    const auto table = parse(text, options);
    REQUIRE(table.remarks.size() <= 1);
    return table.remarks.empty() ? "" : table.remarks[0];
  };
  const std::string years =
      "t:1: no other line has the text of this line: CsvHeader::present takes it for the names of "
      "the columns; CsvHeader::absent says that it is a sample";
  const std::string towns = "town,2019,2020,sold\n";
  const std::string rows = "x,1,2,no\nz,2,3,yes\nx,5,1,no\nz,4,4,yes\n";
  CHECK(remark(towns + rows) == years);
  CHECK(remark("2019,2020,gdp\n1,2,3.5\n2,3,\n5,1,2.25\n") == years);
  CHECK(remark(towns + rows, {.header = linea::CsvHeader::present}).empty());
  CHECK(remark(towns + rows, {.header = linea::CsvHeader::absent}).empty());
  for (const std::string& text : {rows, towns + rows + "town,1,1,no\n"})  // repeated texts
    CHECK(remark(text).empty());
  for (const char* text : {"a,1,red\nb,2,blue\ne,3,red\nf,4,blue\n", "a,1\nb,2\ne,3\nf,4\n",
                           "1,2,x\n3,4,y\n5,z,y\n5,z,y\n1,2,x\n"})
    CHECK(remark(text).empty());
  CHECK(
      remark("0,1,2\n5.1,3.5,0\n") ==
      "t:1: 0, 1, 2, ... are taken for the names of the columns; CsvHeader::absent takes them for "
      "a sample");
  const std::string unnamed =
      "t: column 1 has no name, and numbers or names the rows: left out; to keep it, name it in "
      "the header";
  CHECK(remark(",a,y\n0,1,4\n1,2,5\n") == unnamed);
  CHECK(remark("Unnamed: 0,a,y\n17,1,4\n3,2,5\n") == unnamed);
  CHECK(remark("\"\",a,y\nMazda,1,4\nFiat,2,5\n") == unnamed);
  CHECK(remark(",a,y\n7,1,4\n7,2,5\n").empty());
  CHECK(remark("a,,b,y,\n1,,4,1,\n2,NA,5,2,\n") ==
        "t: no cell has a value in column 2, 5: left out");
  std::string numbered = "Id,a,y\n";
  for (int i = 1; i <= 12; ++i)
    numbered += std::to_string(i) + ",5," + std::to_string(i % 2) + "\n";
  CHECK(remark(numbered) == "t: column Id counts the rows: drop it if it is no feature");
}

TEST_CASE("parse_table: errors name line, column and text") {
  const struct {
    std::string text, message;
    TableOptions options{};
  } rows[] = {
      {"", "t:1:1: there is no sample, got the end of the text"},
      {"a,b\n", "t:2:1: there is no sample, got the end of the text"},
      {"1,2\n1,2,3\n", "t:2:1: the line has 3 cells, but the first one has 2, got '1,2,3'"},
      {"a|b\n1|2\n",
       "t:1:1: the line is one cell: TableFormat::separator '|' takes it apart, got 'a|b'"},
      {"a,a\n1,2\n", "t:1:3: the header names a column twice, got 'a'"},
      {"a,y\n1e999,2\n", "t:2:1: the cell is too large for a double, got '1e999'"},
      {"a,y\nK\xf6ln,2\n",
       "t:2:1: text is read as UTF-8: convert the file, as by iconv -f latin1 -t utf8, got "
       "'K\xf6ln'"},
      {"a,y\n1,2\n", "t: there is no column 'z' among 2 columns: a, y", {.target = "z"}},
      {"1,2\n", "t: there is no column '3' among 2 columns without names", {.drop = {"3"}}},
      {"a,y\n1,2\n",
       "t: column y is the target: drop and weights take others",
       {.drop = {"y"}, .target = "y"}},
      {"a,y\n1,2\n", "t: all columns are left out", {.drop = {"a", "y"}}},
      {"1", "'.' cannot separate cells", {.format = {.separator = '.'}}},
      {"1",
       "TableFormat::thousands and decimal are both ','",
       {.format = {.decimal = ',', .thousands = ','}}},
      {"1",
       "'1' belongs to numbers: it cannot separate their digits",
       {.format = {.thousands = '1'}}},
  };
  for (const auto& [text, message, options] : rows) {
    CAPTURE(text);
    CHECK(refusal([&, &text = text, &options = options] { (void)parse(text, options); }) ==
          message);
  }
  const TemporaryFile file("a,y\n1,2\n3\n");
  CHECK_THROWS_WITH(linea::read_table(file.path()),
                    ContainsSubstring(file.path().string() + ":3:1: the line has 1 cells"));
  const auto weighted = parse("a,w,y\n1,,1\n2,-1,2\n", {.weights = "w"});
  CHECK(refusal([&] { (void)weighted.weights_in(1); }) == "t:2: the weight is missing");
  CHECK(refusal([&] { (void)parse("a,w,y\n2,-1,2\n", {.weights = "w"}).weights_in(1); }) ==
        "t:2: the weight is no number >= 0");
}

TEST_CASE("Encoder: numbers are features, and so is each value of a text column") {
  const auto encoder = Encoder{.missing = Missing::mean}.fit(parse(flats));
  CHECK(encoder.feature_names() ==
        Names{"town=Bonn", "town=Kiel", "town=Ulm", "rooms", "heated=no", "heated=yes"});
  CHECK(encoder.features() == 6);
  const Dense x = encoder.apply(parse(flats));
  const double mean = 10.0 / 3;
  CHECK(x.isApprox((Dense(4, 6) << 0, 0, 1, 3, 0, 1,  //
                    1, 0, 0, mean, 1, 0,              //
                    0, 0, 1, 2, 0, 0,                 //
                    0, 1, 0, 5, 0, 1)
                       .finished()));
  CHECK(encoder.targets(parse(flats)) == Eigen::Vector4d(300, 410, 205, 480));
  // Columns are found by name in another order; unknown values are reported.
  linea::UnknownValues unknown;
  const Dense other =
      encoder.apply(parse("heated,town,rooms\nno,Rom,\n", encoder.table_options()), &unknown);
  CHECK(other.isApprox((Dense(1, 6) << 0, 0, 0, mean, 1, 0).finished()));
  CHECK(unknown.count == 1);
  CHECK(unknown.first == "t:2: town is 'Rom'");
  // Raw cells, with or without the target.
  for (const Names& cells : {Names{"Kiel", "4", "NA"}, Names{"Kiel", "4", "NA", "0"}})
    CHECK(Dense(encoder.apply(cells)) == (Dense(1, 6) << 0, 1, 0, 4, 0, 0).finished());
  // A number that stands for a missing value does so in raw cells, too, however it is written.
  const auto coded = Encoder{.missing = Missing::mean}.fit(
      parse("a,y\n-999,1\n-999.0,2\n3,4\n5,6\n", {.format = {.missing_values = {"-999"}}}));
  for (const char* cell : {"-999", "-999.0", "NA"})
    CHECK(Dense(coded.apply(Names{cell})) == Dense::Constant(1, 1, 4));
  const auto zero = Encoder{.missing = Missing::zero}.fit(parse(flats));
  CHECK(Dense(zero.apply(parse(flats)))(1, 3) == 0);
}

TEST_CASE("Encoder: text targets become the indices of their sorted names") {
  const auto encoder = Encoder{}.fit(parse("a,y\n1,red\n2,blue\n3,red\n"));
  CHECK(encoder.class_names() == Names{"blue", "red"});
  const auto y = encoder.targets(parse("y,a\nblue,1\ngreen,2\n,3\n"));
  CHECK(y[0] == 0);
  CHECK(std::isnan(y[1]));
  CHECK(std::isnan(y[2]));
  // Labels that look like numbers in the new file stay texts.
  const auto coded = Encoder{}.fit(parse("a,y\n1,01\n2,x\n"));
  CHECK(coded.targets(parse("a,y\n1,01\n", coded.table_options()))[0] == 0);
}

TEST_CASE("Encoder: sample weights count as copies, and 0 leaves a row out") {
  const auto encoder = Encoder{.missing = Missing::mean}.fit(
      parse("a,t,w,y\n1,u,1,0\n4,v,2,0\n,,1,0\n99,x,0,0\n", {.weights = "w"}));
  CHECK(encoder.columns[0].fill == 3);
  CHECK(encoder.columns[1].categories == Names{"u", "v"});
  CHECK(encoder.find(parse("w,t,a\n1,u,2\n"), linea::ColumnRole::weights) == 0);
}

TEST_CASE("Encoder: without names, columns are found by position") {
  const auto encoder = Encoder{}.fit(
      parse("x,1,2,7\ny,3,4,8\n", {.header = linea::CsvHeader::absent, .drop = {"1"}}));
  CHECK(encoder.feature_names() == Names{"column 2", "column 3"});
  const Dense expected = (Dense(1, 2) << 5, 6).finished();
  for (const Names& cells : {Names{"z", "5", "6", "0"}, Names{"z", "5", "6"}, Names{"5", "6"}}) {
    CAPTURE(cells.size());
    CHECK(Dense(encoder.apply(cells)) == expected);
  }
  CHECK(refusal([&] { (void)encoder.apply(Names{"5"}); }) ==
        "Encoder::apply: 1 columns, but the model is for 3, with or without the target, or those "
        "that are features alone");
}

TEST_CASE("Encoder: hashes words and numbers to 2^bits columns") {
  const auto table = parse("text,n,y\ncheap pills,2,1\npills at noon,0,0\n");
  const auto encoder = Encoder{.hash_bits = 12}.fit(table);
  CHECK(encoder.features() == 4096);
  CHECK(encoder.feature_names().empty());
  const Dense x = encoder.apply(table);
  CHECK(x.row(0).array().abs().sum() == 4);
  CHECK(x.row(1).array().abs().sum() == 3);
  CHECK(x.row(0).cwiseProduct(x.row(1)).sum() == 1);  // "pills"
}

TEST_CASE("Encoder: a model file stores it") {
  const TableOptions options{
      .format = {.separator = ';', .decimal = ',', .thousands = '.', .missing_values = {"none"}},
      .drop = {"id"},
      .weights = "w"};
  const std::string text = "id;t;a;w;y\n1;u;none;1;red\n2;v;1.000,5;2;blue\n3;u;2;3;red\n";
  for (const int bits : {0, 3}) {
    const auto encoder =
        Encoder{.missing = Missing::mean, .hash_bits = bits}.fit(parse(text, options));
    linea::Regressor<double> model;
    model.weights.setOnes(encoder.features());
    std::stringstream file;
    linea::write_model(file, model, {.encoder = encoder});
    const std::string written = file.str();
    const auto stored = linea::read_stored_model(file);
    REQUIRE(stored.encoder);
    const linea::Encoder& again = *stored.encoder;
    std::stringstream second;
    linea::write_model(second, stored);
    CHECK(second.str() == written);
    const auto table = parse(text, again.table_options());
    CHECK(Dense(again.apply(table)) == Dense(encoder.apply(parse(text, options))));
    CHECK(again.targets(table) == Eigen::Vector3d(1, 0, 1));
  }
}

TEST_CASE("Encoder: refuses what it cannot convert") {
  const auto plain = Encoder{}.fit(parse("t,a,y\nu,1,2\nv,2,3\n"));
  const struct {
    std::string text, message;
  } rows[] = {
      {"t,a\nu,\n", "t:2: a is missing: fit the encoder with Missing::mean or Missing::zero"},
      {"t,a\n,1\n", "t:2: t is missing: fit the encoder with Missing::mean or Missing::zero"},
      {"t,a\nu,x\n", "t:2: a is 'x', but in training it was a number"},
      {"t,b\nu,1\n", "t: there is no column 'a' among 2 columns: t, b"},
  };
  for (const auto& [text, message] : rows) {
    CAPTURE(text);
    CHECK(refusal([&, &text = text] { (void)plain.apply(parse(text)); }) == message);
  }
  auto ragged = parse("t,a,y\nu,1,2\nv,2,3\n");
  ragged.columns[1].numbers.pop_back();
  for (const auto& call : std::vector<std::function<void()>>{[&] { (void)Encoder{}.fit(ragged); },
                                                             [&] { (void)plain.apply(ragged); },
                                                             [&] { (void)plain.targets(ragged); }})
    CHECK(refusal(call) == "t: the columns differ in length");
  for (const auto& table : {linea::Table{.source = "t"},
                            {.source = "t", .columns = {{.numbers = {1}}}, .target = 1},
                            {.source = "t", .columns = {{.numbers = {1}}}, .weights = 1}})
    CHECK(refusal([&] { table.validate(); }) == "t: the target or the weights are no column");
  CHECK(refusal([] { (void)Encoder{}.apply(parse("a,y\n1,2\n")); }) ==
        "t: the encoder has no columns");
  CHECK(refusal([] { (void)Encoder{.hash_bits = -1}.apply(parse("a,y\n1,2\n")); }) ==
        "Encoder::hash_bits is -1, which is not in [0, 30]");
  CHECK(refusal([&] { (void)plain.targets(parse("t,a\nu,1\n")); }) == "t: there is no target");
  CHECK(refusal([&] { (void)plain.targets(parse("t,a,y\nu,1,x\n")); }) ==
        "t:2: the target 'x' is not a number");
  const auto fit = [](const linea::Table& table, const Encoder& encoder = {}) {
    return refusal([&] { (void)encoder.fit(table); });
  };
  CHECK(fit(parse("a,y\n,1\n2,0\n")) ==
        "t:2: a is missing: fit the encoder with Missing::mean or Missing::zero");
  CHECK(fit(parse("a,y\nu,1\n,0\n")) ==
        "t:3: a is missing: fit the encoder with Missing::mean or Missing::zero");
  CHECK(fit(parse("y\n1\n2\n")) == "t: x is empty: there is no feature");
  CHECK(fit(parse("a,y\n1,1\n"), {.hash_bits = 31}) ==
        "Encoder::hash_bits is 31, which is not in [0, 30]");
  auto infinite = parse("a,y\n1,1\n");
  infinite.columns[0].numbers[0] = std::numeric_limits<double>::infinity();
  CHECK(fit(infinite) == "t:2: a is not finite");
  const auto numbers = Encoder{}.fit(parse("a,y\n1,1\n"));
  CHECK(refusal([&] { (void)numbers.apply(infinite); }) == "t:2: a is not finite");
  CHECK(refusal([&] { (void)plain.apply(infinite); }) != "");
}

}  // namespace table_test
