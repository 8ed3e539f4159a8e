// SPDX-License-Identifier: MIT
// The programs read a validation or prediction file in the same way as the training file: the same
// columns are text, and the same first line is a header.
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

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// Returns a row with a code from 01 to 04; 01 and 02 are of class 0. A code A1, which only the
/// training file has, makes the codes text.
std::string coded(int i) { return csv("0" + std::to_string(1 + i % 4), i % 7, i % 4 / 2); }

}  // namespace

TEST_CASE_METHOD(Folder, "linea_train: reads a validation file like the training file") {
  write("train.csv", table("zip,a,y", 0, 80, coded) + "A1,1,0\n");
  write("valid.csv", table("zip,a,y", 80, 120, coded));
  const json report = trained("train.csv model --validation valid.csv");
  CHECK(report["validation"]["accuracy"] == 1.0);
  CHECK(predicted("valid.csv model")["accuracy"] == 1.0);
}

TEST_CASE_METHOD(Folder,
                 "linea_predict: text labels stay text, and an unknown one is a label too") {
  const auto labelled = [](int i) { return i % 2 ? csv(1 + i, "01") : csv(-1 - i, "02"); };
  write("text.csv", table("a,y", 0, 60, labelled));
  trained("text.csv model --text y");
  const json same = predicted("text.csv model");
  CHECK(same["accuracy"] == 1.0);
  CHECK(same["unknown_labels"] == 0);

  const auto numbered = [](int i) { return csv(i % 2 ? i : -i - 1, i % 2); };
  write("numbers.csv", table("a,y", 0, 60, numbered));
  trained("numbers.csv model");
  write("odd.csv", table("a,y", 0, 60, numbered) + "3,perhaps\n");
  const json odd = predicted("odd.csv model");
  CHECK(odd["unknown_labels"] == 1);
  CHECK(odd["accuracy"] > 0.95);

  const auto priced = [](int i) { return csv(i, 2.5 * i); };
  write("prices.csv", table("a,y", 0, 60, priced));
  trained("--loss squared prices.csv model");
  write("typo.csv", table("a,y", 0, 3, priced) + "3,oops\n");
  refuses(LINEA_PREDICT, "--json typo.csv model", "typo.csv:5: the target 'oops' is not a number");
}

TEST_CASE_METHOD(Folder,
                 "linea_predict: the first line is a header if that of the training file was") {
  const auto words = [](int i) { return csv(i % 2 ? "red" : "blue", "x"); };
  const auto labelled = [&](int i) { return csv(words(i), i % 2); };
  write("words.csv", table("", 0, 50, labelled));
  trained("words.csv words");
  write("no_target.csv", table("", 0, 50, words));
  predicted("no_target.csv words out");
  CHECK(lines_of(contents("out")) == 50);

  const auto yearly = [](int i) { return csv(i, i % 3, 2 * i + i % 3); };
  write("years.csv", table("2001,2002,price", 0, 50, yearly));
  trained("--header yes --loss squared years.csv model");
  const json years = predicted("years.csv model out");
  CHECK(years["n"] == 50);
  CHECK(years["r2"] > 0.99);
  CHECK(lines_of(contents("out")) == 50);
}

TEST_CASE_METHOD(Folder, "linea_train: the first name of a header, of row numbers, may be empty") {
  const auto numbered = [](int i) { return csv(i, i % 2 ? 4 : -4, i % 3, i % 2); };
  const auto without = [](int i) { return csv(i % 3, i % 2 ? 4 : -4, i % 2); };
  write("index.csv", table(",a,b,y", 0, 60, numbered));
  write("without.csv", table("b,a,y", 0, 60, without));
  const json report = trained("index.csv model");
  CHECK(report["n"] == 60);
  CHECK(report["d"] == 2);
  CHECK(predicted("index.csv model")["accuracy"] == 1.0);
  CHECK(predicted("without.csv model")["accuracy"] == 1.0);
}

TEST_CASE_METHOD(Folder, "linea_predict: Matrix Market files with and without the target") {
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
  write("with.mtx", market(3));
  write("without.mtx", market(2));
  trained("with.mtx model");
  CHECK(predicted("with.mtx model with")["accuracy"] == 1.0);
  CHECK_FALSE(predicted("without.mtx model without").contains("accuracy"));
  CHECK(contents("with") == contents("without"));
}

TEST_CASE_METHOD(
    Folder, "linea_train: standardised text of many values needs no more memory than its entries") {
  const int values = long_run(30000);
  const auto named = [](int i) { return csv("n" + std::to_string(i), i % 9, i % 2); };
  write("id.csv", table("id,a,y", 0, values, named));
  CHECK(trained("--standardise --optimizer sgd --epochs 1 id.csv")["n"] == values);
}

TEST_CASE_METHOD(Folder, "linea_train: reports the cell that makes a column of numbers text") {
  const auto row = [](int i) { return csv(i, i % 2); };
  write("slip.csv", table("a,y", 0, 40, row) + "12.3.4,1\n" + table("", 41, 50, row));
  const auto said = [&](const std::string& arguments) {
    return succeeds(LINEA_TRAIN, "--json " + arguments + " model").err;
  };
  CHECK_THAT(said("slip.csv"), ContainsSubstring("slip.csv:42: column a is taken for text because "
                                                 "of '12.3.4': set --decimal") &&
                                   ContainsSubstring("--text a says that it is meant"));
  CHECK_THAT(said("--text a slip.csv"), !ContainsSubstring("taken for text"));
  // The first cell may be the only text. A column of words with some numbers is text without a
  // warning.
  write("first.csv", "a,y\nold,1\n" + table("", 1, 50, row));
  CHECK_THAT(said("first.csv"),
             ContainsSubstring("first.csv:2: column a is taken for text because of 'old'"));
  const auto word = [](int i) { return (i % 3 ? "w" : "") + std::to_string(i % 6) + ",0"; };
  write("words.csv", "a,y\nw,1\n" + table("", 1, 50, word));
  CHECK(said("words.csv").empty());
  // A target of numbers with a decimal comma is refused as a class, but labels that occur twice are
  // accepted.
  const auto price = [](int i) { return std::to_string(i) + ";" + csv(i, 5); };
  write("price.csv", "a;y\n" + table("", 0, 40, price));
  refuses(
      LINEA_TRAIN, "--quiet price.csv model",
      "price.csv: the target is text, and its 40 labels are nearly all different among 40 samples; "
      "numbers are written with a decimal point");
  const auto twice = [](int i) { return std::to_string(i) + ";n" + std::to_string(i / 2); };
  write("twice.csv", "a;y\n" + table("", 0, 50, twice));
  CHECK(trained("--optimizer sgd --epochs 1 twice.csv model")["classes"] == 25);
}

TEST_CASE_METHOD(Folder, "linea_train: reports how many cells were missing, and their marks") {
  write("holes.csv", "a,b,y\n1,u,0\n,v,1\n3,,0\nNA,u,1\n5,?,0\n");
  CHECK_THAT(run(LINEA_TRAIN, "--missing mean holes.csv").out,
             ContainsSubstring("missing cells: 4 (--missing mean)\n"));
  CHECK_THAT(run(LINEA_TRAIN, "--missing zero --target 2 holes.csv").err,
             ContainsSubstring("the target is missing"));
  CHECK(trained("--missing mean holes.csv")["missing_cells"] == 4);
  CHECK_THAT(run(LINEA_TRAIN, cancer).out, !ContainsSubstring("missing cells"));
}

TEST_CASE_METHOD(Folder, "linea_train: text that is not UTF-8 is refused with its position") {
  const auto row = [](int i) { return csv(i % 2 ? "Ulm" : "K\xc3\xb6ln", i % 2); };
  write("utf8.csv", table("town,y", 0, 20, row));
  CHECK(trained("utf8.csv model")["n"] == 20);
  for (const char* town : {"K\xf6ln", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "K\xc3"}) {
    write("other.csv", table("town,y", 0, 20, row) + town + ",1\n");
    refuses(
        LINEA_TRAIN, "other.csv model",
        "other.csv:22:1: text is read as UTF-8: convert the file, as by iconv -f latin1 -t utf8");
  }
}
