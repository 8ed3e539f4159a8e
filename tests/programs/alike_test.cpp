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

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// Codes 01 to 04, of which 01 and 02 are of class 0; A1, in the training file alone, makes them text.
std::string coded(int i) { return csv("0" + std::to_string(1 + i % 4), i % 7, i % 4 / 2); }

}  // namespace

TEST_CASE("linea_train: a file for validation is read as the training file is") {
  const Folder folder;
  folder.write("train.csv", table("zip,a,y", 0, 80, coded) + "A1,1,0\n");
  folder.write("valid.csv", table("zip,a,y", 80, 120, coded));
  const json report = trained(folder, "train.csv model --validation valid.csv");
  CHECK(report["validation"]["accuracy"] == 1.0);
  CHECK(predicted(folder, "valid.csv model")["accuracy"] == 1.0);
}

TEST_CASE("linea_predict: labels that are text stay text, and one strange one is one") {
  const Folder folder;
  const auto labelled = [](int i) { return i % 2 ? csv(1 + i, "01") : csv(-1 - i, "02"); };
  folder.write("text.csv", table("a,y", 0, 60, labelled));
  trained(folder, "text.csv model --text y");
  const json same = predicted(folder, "text.csv model");
  CHECK(same["accuracy"] == 1.0);
  CHECK(same["unknown_labels"] == 0);

  const auto numbered = [](int i) { return csv(i % 2 ? i : -i - 1, i % 2); };
  folder.write("numbers.csv", table("a,y", 0, 60, numbered));
  trained(folder, "numbers.csv model");
  folder.write("odd.csv", table("a,y", 0, 60, numbered) + "3,perhaps\n");
  const json odd = predicted(folder, "odd.csv model");
  CHECK(odd["unknown_labels"] == 1);
  CHECK(odd["accuracy"] > 0.95);

  const auto priced = [](int i) { return csv(i, 2.5 * i); };
  folder.write("prices.csv", table("a,y", 0, 60, priced));
  trained(folder, "--loss squared prices.csv model");
  folder.write("typo.csv", table("a,y", 0, 3, priced) + "3,oops\n");
  refuses(folder, LINEA_PREDICT, "--json typo.csv model",
          "typo.csv:5: the target 'oops' is not a number");
}

TEST_CASE("linea_predict: the first line is a header if that of the training file was") {
  const Folder folder;
  const auto words = [](int i) { return csv(i % 2 ? "red" : "blue", "x"); };
  const auto labelled = [&](int i) { return csv(words(i), i % 2); };
  folder.write("words.csv", table("", 0, 50, labelled));
  trained(folder, "words.csv words");
  folder.write("no_target.csv", table("", 0, 50, words));
  predicted(folder, "no_target.csv words out");
  CHECK(lines_of(contents(folder / "out")) == 50);

  const auto yearly = [](int i) { return csv(i, i % 3, 2 * i + i % 3); };
  folder.write("years.csv", table("2001,2002,price", 0, 50, yearly));
  trained(folder, "--header yes --loss squared years.csv model");
  const json years = predicted(folder, "years.csv model out");
  CHECK(years["n"] == 50);
  CHECK(years["r2"] > 0.99);
  CHECK(lines_of(contents(folder / "out")) == 50);
}

TEST_CASE("linea_train: a header may leave its first name empty, that of row numbers") {
  const Folder folder;
  const auto numbered = [](int i) { return csv(i, i % 2 ? 4 : -4, i % 3, i % 2); };
  const auto without = [](int i) { return csv(i % 3, i % 2 ? 4 : -4, i % 2); };
  folder.write("index.csv", table(",a,b,y", 0, 60, numbered));
  folder.write("without.csv", table("b,a,y", 0, 60, without));
  const json report = trained(folder, "index.csv model");
  CHECK(report["n"] == 60);
  CHECK(report["d"] == 2);
  CHECK(predicted(folder, "index.csv model")["accuracy"] == 1.0);
  CHECK(predicted(folder, "without.csv model")["accuracy"] == 1.0);
}

TEST_CASE("linea_predict: entries in Matrix Market form, with the target and without") {
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

TEST_CASE("linea_train: says what was done, not what was asked") {
  const Folder folder;
  refuses(folder, LINEA_TRAIN, "--optimizer perceptron --lambda auto " + cancer,
          "the perceptron takes no penalty");
  CHECK(trained(folder, "--float --loss log " + cancer)["scalar"] == "double");
  const std::string patient =
      "--optimizer sgd --epochs 12 --tolerance 0 --validation 0.3 --patience 1000 " + cancer;
  CHECK_THAT(succeeds(folder, LINEA_TRAIN, patient).out, !ContainsSubstring("stopped early"));
  // As many values of text, standardised, take no more memory than their entries.
  const int values = long_run(30000);
  const auto named = [](int i) { return csv("n" + std::to_string(i), i % 9, i % 2); };
  folder.write("id.csv", table("id,a,y", 0, values, named));
  CHECK(trained(folder, "--standardise --optimizer sgd --epochs 1 id.csv")["n"] == values);
}

TEST_CASE("linea_train: a cell that makes a column of numbers text is named") {
  const Folder folder;
  const auto row = [](int i) { return csv(i, i % 2); };
  folder.write("slip.csv", table("a,y", 0, 40, row) + "12.3.4,1\n" + table("", 41, 50, row));
  const auto said = [&](const std::string& arguments) {
    return succeeds(folder, LINEA_TRAIN, "--json " + arguments + " model").err;
  };
  CHECK_THAT(said("slip.csv"), ContainsSubstring("slip.csv:42: column a is taken for text because "
                                                 "of '12.3.4'; --text a says that it is meant"));
  CHECK_THAT(said("--text a slip.csv"), !ContainsSubstring("taken for text"));
  // The first cell may be the strange one, and a column of words with some numbers is one of words.
  folder.write("first.csv", "a,y\nold,1\n" + table("", 1, 50, row));
  CHECK_THAT(said("first.csv"),
             ContainsSubstring("first.csv:2: column a is taken for text because of 'old'"));
  const auto word = [](int i) { return (i % 3 ? "w" : "") + std::to_string(i % 6) + ",0"; };
  folder.write("words.csv", "a,y\nw,1\n" + table("", 1, 50, word));
  CHECK(said("words.csv").empty());
  // A target of numbers with a decimal comma is no class, but labels that are twice there are.
  const auto price = [](int i) { return std::to_string(i) + ";" + csv(i, 5); };
  folder.write("price.csv", "a;y\n" + table("", 0, 40, price));
  refuses(folder, LINEA_TRAIN, "--quiet price.csv model",
          "price.csv: the target is text, and its 40 labels are hardly any twice among 40 samples; "
          "numbers are written with a decimal point");
  const auto twice = [](int i) { return std::to_string(i) + ";n" + std::to_string(i / 2); };
  folder.write("twice.csv", "a;y\n" + table("", 0, 50, twice));
  CHECK(trained(folder, "--optimizer sgd --epochs 1 twice.csv model")["classes"] == 25);
}

TEST_CASE("linea_train: tells how many cells were missing, and what stood for them") {
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

TEST_CASE("linea_train: text that is no UTF-8 is refused where it stands") {
  const Folder folder;
  const auto row = [](int i) { return csv(i % 2 ? "Ulm" : "K\xc3\xb6ln", i % 2); };
  folder.write("utf8.csv", table("town,y", 0, 20, row));
  CHECK(trained(folder, "utf8.csv model")["n"] == 20);
  for (const char* town : {"K\xf6ln", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "K\xc3"}) {
    folder.write("other.csv", table("town,y", 0, 20, row) + town + ",1\n");
    refuses(
        folder, LINEA_TRAIN, "other.csv model",
        "other.csv:22:1: text is read as UTF-8: convert the file, as by iconv -f latin1 -t utf8");
  }
}
