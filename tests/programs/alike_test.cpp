// SPDX-License-Identifier: MIT
// A file that is predicted is read as the one that was learnt from: the same columns are text, and the
// same first line is a header.
#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string>

#include "programs/program_folder.hpp"
#include "support/catch.hpp"
#include "support/sanitizer.hpp"

using namespace linea::test;
using nlohmann::json;

namespace {

/// `row(i)` for i from `from` to before `to`, a line each, below a header or none.
template <class Row>
std::string table(const std::string& header, int from, int to, const Row& row) {
  std::ostringstream text;
  if (!header.empty()) text << header << '\n';
  for (int i = from; i < to; ++i) text << row(i) << '\n';
  return text.str();
}

json predicted(const Folder& folder, const std::string& arguments) {
  const auto outcome = folder.run(LINEA_PREDICT, "--json " + arguments);
  INFO(arguments << '\n' << outcome.err);
  REQUIRE(outcome.code == 0);
  return json::parse(outcome.out);
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// Codes 01 to 04, of which 01 and 02 are of class 0; A1, in the training file alone, makes them text.
std::string coded(int i) {
  const int code = 1 + i % 4;
  return "0" + std::to_string(code) + "," + std::to_string(i % 7) + "," + (code > 2 ? "1" : "0");
}

}  // namespace

TEST_CASE("linea_train: a file for validation is read as the training file is", "[programs]") {
  const Folder folder;
  folder.write("train.csv", table("zip,a,y", 0, 80, coded) + "A1,1,0\n");
  folder.write("valid.csv", table("zip,a,y", 80, 120, coded));
  const json report = trained(folder, "train.csv model --validation valid.csv");
  CHECK(report["validation"]["accuracy"] == 1.0);
  CHECK(predicted(folder, "valid.csv model")["accuracy"] == 1.0);
}

TEST_CASE("linea_predict: labels that are text stay text, and one strange one is one",
          "[programs]") {
  const Folder folder;
  const auto labelled = [](int i) {
    return std::to_string(i % 2 ? 1.0 + i : -1.0 - i) + (i % 2 ? ",01" : ",02");
  };
  folder.write("text.csv", table("a,y", 0, 60, labelled));
  trained(folder, "text.csv model --text y");
  const json same = predicted(folder, "text.csv model");
  CHECK(same["accuracy"] == 1.0);
  CHECK(same["unknown_labels"] == 0);

  const auto numbered = [](int i) {
    return std::to_string(i % 2 ? i : -i - 1) + ',' + std::to_string(i % 2);
  };
  folder.write("numbers.csv", table("a,y", 0, 60, numbered));
  trained(folder, "numbers.csv model");
  folder.write("odd.csv", table("a,y", 0, 60, numbered) + "3,perhaps\n");
  const json odd = predicted(folder, "odd.csv model");
  CHECK(odd["unknown_labels"] == 1);
  CHECK(odd["accuracy"] > 0.95);

  const auto priced = [](int i) { return std::to_string(i) + ',' + std::to_string(2.5 * i); };
  folder.write("prices.csv", table("a,y", 0, 60, priced));
  trained(folder, "--loss squared prices.csv model");
  folder.write("typo.csv", table("a,y", 0, 3, priced) + "3,oops\n");
  const auto refused = folder.run(LINEA_PREDICT, "--json typo.csv model");
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, ContainsSubstring("typo.csv:5: the target 'oops' is not a number"));
}

TEST_CASE("linea_predict: the first line is a header if that of the training file was",
          "[programs]") {
  const Folder folder;
  const auto coloured = [](int i) {
    return std::string(i % 2 ? "red" : "blue") + ',' + std::to_string(i % 5) + ',' +
           std::to_string(i % 2);
  };
  folder.write("bare.csv", table("", 0, 50, coloured));
  trained(folder, "bare.csv model");
  const auto words = [](int i) { return std::string(i % 2 ? "red" : "blue") + ",x"; };
  folder.write("words.csv", table("", 0, 50, [](int i) {
                 return std::string(i % 2 ? "red,x," : "blue,x,") + std::to_string(i % 2);
               }));
  trained(folder, "words.csv words");
  folder.write("no_target.csv", table("", 0, 50, words));
  predicted(folder, "no_target.csv words out");
  CHECK(lines_of(contents(folder / "out")) == 50);

  const auto yearly = [](int i) {
    return std::to_string(i) + ',' + std::to_string(i % 3) + ',' + std::to_string(2 * i + i % 3);
  };
  folder.write("years.csv", table("2001,2002,price", 0, 50, yearly));
  trained(folder, "--header yes --loss squared years.csv model");
  const json years = predicted(folder, "years.csv model out");
  CHECK(years["n"] == 50);
  CHECK(years["r2"] > 0.99);
  CHECK(lines_of(contents(folder / "out")) == 50);
}

TEST_CASE("linea_train: a header may leave its first name empty, that of row numbers",
          "[programs]") {
  const Folder folder;
  folder.write("index.csv", table(",a,b,y", 0, 60, [](int i) {
                 return std::to_string(i) + ',' + std::to_string(i % 2 ? 4 : -4) + ',' +
                        std::to_string(i % 3) + ',' + std::to_string(i % 2);
               }));
  folder.write("without.csv", table("b,a,y", 0, 60, [](int i) {
                 return std::to_string(i % 3) + ',' + std::to_string(i % 2 ? 4 : -4) + ',' +
                        std::to_string(i % 2);
               }));
  const json report = trained(folder, "index.csv model");
  CHECK(report["n"] == 60);
  CHECK(report["d"] == 2);
  CHECK(predicted(folder, "index.csv model")["accuracy"] == 1.0);
  CHECK(predicted(folder, "without.csv model")["accuracy"] == 1.0);
}

TEST_CASE("linea_predict: entries in Matrix Market form, with the target and without",
          "[programs]") {
  const Folder folder;
  const auto market = [](int columns) {
    std::ostringstream text;
    text << "%%MatrixMarket matrix coordinate real general\n40 " << columns << ' ' << 40 * columns
         << '\n';
    for (int i = 1; i <= 40; ++i) {
      text << i << " 1 " << (i % 2 ? 1 : -1) * (i + 1) << '\n' << i << " 2 " << i % 5 << '\n';
      if (columns == 3) text << i << " 3 " << (i % 2 ? 1 : -1) << '\n';
    }
    return text.str();
  };
  folder.write("with.mtx", market(3));
  folder.write("without.mtx", market(2));
  trained(folder, "with.mtx model");
  CHECK(predicted(folder, "with.mtx model with")["accuracy"] == 1.0);
  CHECK_FALSE(predicted(folder, "without.mtx model without").contains("accuracy"));
  CHECK(contents(folder / "with") == contents(folder / "without"));
}

TEST_CASE("linea_train: says what was done, not what was asked", "[programs]") {
  const Folder folder;
  const auto refused = folder.run(LINEA_TRAIN, "--optimizer perceptron --lambda auto " + cancer);
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, ContainsSubstring("the perceptron takes no penalty"));
  CHECK(trained(folder, "--float --loss log " + cancer)["scalar"] == "double");
  const auto patient = folder.run(LINEA_TRAIN,
                                  "--optimizer sgd --epochs 12 --tolerance 0 --validation 0.3 "
                                  "--patience 1000 " +
                                      cancer);
  CHECK(patient.code == 0);
  CHECK_THAT(patient.out, !ContainsSubstring("stopped early"));
  // As many values of text, standardised, take no more memory than their entries.
  const int values = long_run(30000);
  folder.write("id.csv", table("id,a,y", 0, values, [](int i) {
                 return "n" + std::to_string(i) + ',' + std::to_string(i % 9) + ',' +
                        std::to_string(i % 2);
               }));
  CHECK(trained(folder, "--standardise --optimizer sgd --epochs 1 id.csv")["n"] == values);
}

TEST_CASE("linea_train: a cell that makes a column of numbers text is named", "[programs]") {
  const Folder folder;
  const auto row = [](int i) { return std::to_string(i) + ',' + std::to_string(i % 2); };
  folder.write("slip.csv", table("a,y", 0, 40, row) + "12.3.4,1\n" + table("", 41, 50, row));
  const auto slipped = folder.run(LINEA_TRAIN, "--json slip.csv model");
  CHECK(slipped.code == 0);
  CHECK_THAT(slipped.err, ContainsSubstring("slip.csv:42: column a is taken for text because of "
                                            "'12.3.4'; --text a says that it is meant"));
  CHECK_THAT(folder.run(LINEA_TRAIN, "--json --text a slip.csv model").err,
             !ContainsSubstring("taken for text"));
  // The first cell may be the strange one, and a column of words with some numbers is one of words.
  folder.write("first.csv", "a,y\nold,1\n" + table("", 1, 50, row));
  CHECK_THAT(folder.run(LINEA_TRAIN, "--json first.csv model").err,
             ContainsSubstring("first.csv:2: column a is taken for text because of 'old'"));
  const auto word = [](int i) { return (i % 3 ? "w" : "") + std::to_string(i % 6) + ",0"; };
  folder.write("words.csv", "a,y\nw,1\n" + table("", 1, 50, word));
  CHECK(folder.run(LINEA_TRAIN, "--json words.csv model").err.empty());
}

TEST_CASE("linea_train: numbers with a decimal comma are told, and are no classes", "[programs]") {
  const Folder folder;
  const auto row = [](int i) {
    return std::to_string(i % 7) + (i % 5 ? "," + std::to_string(i % 5) : "") + ";" +
           std::to_string(i % 2);
  };
  folder.write("comma.csv", "a;y\n" + table("", 0, 40, row));
  CHECK_THAT(folder.run(LINEA_TRAIN, "--json comma.csv model").err,
             ContainsSubstring("comma.csv:3: column a is taken for text because of '1,1': "
                               "--decimal comma reads such numbers"));
  const auto price = [](int i) { return std::to_string(i) + ";" + std::to_string(i) + ",5"; };
  folder.write("price.csv", "a;y\n" + table("", 0, 40, price));
  const auto refused = folder.run(LINEA_TRAIN, "--json price.csv model");
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, ContainsSubstring("price.csv: the target is text, and its 40 labels are "
                                            "hardly any twice among 40 samples; numbers are "
                                            "written with a decimal point"));
  const auto twice = [](int i) { return std::to_string(i) + ";n" + std::to_string(i / 2); };
  folder.write("twice.csv", "a;y\n" + table("", 0, 50, twice));
  CHECK(trained(folder, "--optimizer sgd --epochs 1 twice.csv model")["classes"] == 25);
}

TEST_CASE("linea_train: tells how many cells were missing, and what stood for them", "[programs]") {
  const Folder folder;
  folder.write("holes.csv", "a,b,y\n1,u,0\n,v,1\n3,,0\nNA,u,1\n5,?,0\n");
  CHECK_THAT(folder.run(LINEA_TRAIN, "--missing mean holes.csv").out,
             ContainsSubstring("missing cells: 4, taken for the mean of their column, or, in "
                               "columns of text, for no value\n"));
  CHECK_THAT(folder.run(LINEA_TRAIN, "--missing zero --target 2 holes.csv").err,
             ContainsSubstring("the target is missing"));
  folder.write("numbers.csv", "a,y\n1,0\n,1\n3,0\n");
  CHECK_THAT(folder.run(LINEA_TRAIN, "--missing zero numbers.csv").out,
             ContainsSubstring("missing cells: 1, taken for zero\n"));
  CHECK(trained(folder, "--missing mean holes.csv")["missing_cells"] == 4);
  CHECK_THAT(folder.run(LINEA_TRAIN, cancer).out, !ContainsSubstring("missing cells"));
}

TEST_CASE("linea_train: text that is no UTF-8 is refused where it stands", "[programs]") {
  const Folder folder;
  const auto row = [](int i) {
    return std::string(i % 2 ? "Ulm," : "K\xc3\xb6ln,") + std::to_string(i % 2);
  };
  folder.write("utf8.csv", table("town,y", 0, 20, row));
  CHECK(trained(folder, "utf8.csv model")["n"] == 20);
  for (const char* town : {"K\xf6ln", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "K\xc3"}) {
    folder.write("other.csv", table("town,y", 0, 20, row) + town + ",1\n");
    const auto refused = folder.run(LINEA_TRAIN, "other.csv model");
    CHECK(refused.code == 2);
    CHECK_THAT(refused.err, ContainsSubstring("other.csv:22:1: text is read as UTF-8"));
  }
}
