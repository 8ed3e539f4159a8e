// SPDX-License-Identifier: MIT
// Tests tables as users have them: which cells and columns the programs read, which they leave out,
// and the warnings.
#include <sstream>
#include <string>

#include "programs/program_folder.hpp"
#include "support/catch.hpp"

using namespace linea::test;
using nlohmann::json;

namespace {

/// Returns the samples of a table as LIBSVM text. Stores messages in `err`.
std::string entries(const Folder& folder, const std::string& arguments,
                    std::string* err = nullptr) {
  const auto outcome = folder.converted("--to libsvm " + arguments + " -");
  if (err) *err = outcome.err;
  return outcome.out;
}

const std::string four = "1 1:1 2:4\n2 1:2 2:5\n3 1:3 2:6\n";

}  // namespace

TEST_CASE_METHOD(Folder, "Programs: carriage returns end lines if there is no newline") {
  write("mac.csv", "a,b,y\r1,4,1\r2,5,2\r3,6,3\r");
  CHECK(entries(*this, "mac.csv") == four);
  write("mac.svm", "1 1:1 2:4\r2 1:2 2:5\r3 1:3 2:6");
  CHECK(entries(*this, "mac.svm") == four);
  CHECK(entries(*this, "- <mac.svm") == four);
  converted("mac.svm mac.linea");  // converts block by block
  CHECK(entries(*this, "mac.linea") == four);
  write("bad.csv", "a,b,y\r1,4,1\r2,5\r");
  refuses(LINEA_CONVERT, "bad.csv bad.svm", "bad.csv:3:1: the line has 2 cells");
  CHECK(trained("--one-pass --loss squared mac.svm")["n"] == 3);
}

TEST_CASE_METHOD(Folder, "Programs: options set the separators of decimals, thousands and cells") {
  write("comma.csv", "a;b;y\n1,5;2.208;1\n-2,25;12.000,5;2\n");
  const std::string numbers = "1 1:1.5 2:2208\n2 1:-2.25 2:12000.5\n";
  CHECK(entries(*this, "--decimal comma --thousands point comma.csv") == numbers);
  write("blank.csv", "  a   b\t y\n 1.5 2'208 1\n-2.25  12'000.5 2 \n");
  CHECK(entries(*this, "--separator blank --thousands \"'\" blank.csv") == numbers);
  // Cells with invalid groups of thousands are not numbers.
  std::string err;
  write("odd.csv", "a;b;y\n1,5;1;1\n2;1;2\n3;1;3\n");
  CHECK(entries(*this, "--thousands comma odd.csv", &err) != numbers);
  CHECK_THAT(err, ContainsSubstring("column a is taken for text because of '1,5'"));
}

TEST_CASE_METHOD(Folder, "linea_predict: a decimal comma holds for targets, and for one column") {
  write("t.csv", "x;y\n1,5;0,5\n2,5;1,5\n3,5;1,5\n1;0,5\n");
  succeeds(LINEA_TRAIN, "--loss hinge --decimal comma t.csv model");
  write("odd.csv", "x;y\n1,5;0,5\n3,5;1,5\n2,5;unknown\n");
  const auto report = predicted("--metrics odd.csv model");
  CHECK(report["unknown_labels"] == 1);
  CHECK(report["accuracy"] > 0.5);
  write("one.csv", "x\n1,5\n3,5\n");
  CHECK(succeeds(LINEA_PREDICT, "one.csv model -").out == "0.5\n1.5\n");
}

TEST_CASE_METHOD(Folder, "linea_predict: reads a table like the training table") {
  const auto row = [](int i) {
    return "r" + std::to_string(i) + "|" + std::to_string(i % 7) + ",5|" +
           (i % 4 ? std::to_string(i % 5) : std::string("none")) + "|" + std::to_string(1 + i % 3) +
           "|" + std::to_string(i % 7) + ",25";
  };
  write("t.csv", table("id|a|b|w|y", 0, 60, row));
  const std::string options =
      "--separator bar --decimal comma --missing-values none,-9 --missing mean --drop id "
      "--weights w --lambda 1e-9 ";
  const json report = trained(options + "t.csv model");
  CHECK(report["d"] == 2);
  CHECK(predicted("--metrics t.csv model")["r2"] > 0.999);
  const auto prediction = [&](const std::string& line, const std::string& model) {
    write("new.csv", line + '\n');
    return std::stod(succeeds(LINEA_PREDICT, "new.csv " + model + " -").out);
  };
  CHECK_THAT(prediction("b|a\n1|3,5", "model"), WithinAbs(3.25, 1e-3));
  // Without names, columns are found by position, in files of all columns or of the features only.
  write("bare.csv", table("", 0, 60, row));
  trained(
      "--header no --drop 1 --weights -2 --separator bar --decimal comma "
      "--missing-values none --missing mean --lambda 1e-9 bare.csv bare");
  CHECK(predicted("bare.csv bare")["r2"] > 0.999);
  for (const char* line : {"3,5|1", "r|3,5|1|7"})
    CHECK_THAT(prediction(line, "bare"), WithinAbs(3.25, 1e-3));
  write("wide.csv", "1|2|3|4|5|6\n");
  refuses(LINEA_PREDICT, "wide.csv bare -",
          "6 columns, but the model is for 4, with or "
          "without the target, or those that are features alone");
}

TEST_CASE_METHOD(Folder, "linea_train: sample weights of a column count as copies") {
  const auto sample = [](int i) { return csv((i * 7) % 11, (i * 5) % 13 > 6); };
  const auto weighted_sample = [&](int i) { return csv(i % 4, sample(i)); };
  std::string copies = "a,y\n";
  for (int i = 0; i < 40; ++i)
    for (int k = 0; k < i % 4; ++k) copies += sample(i) + '\n';
  write("once.csv", table("w,a,y", 0, 40, weighted_sample));
  write("copies.csv", copies);
  for (const std::string options :
       {"--loss log ", "--loss hinge --class-weights balanced ", "--loss squared "}) {
    INFO(options);
    const json weighted = trained(options + "--tolerance 1e-9 --weights w once.csv model");
    const json copied = trained(options + "--tolerance 1e-9 copies.csv other");
    CHECK_THAT(weighted["objective"], WithinRel(copied["objective"], 1e-7));
    const json judged = predicted("--metrics once.csv model");
    const json expected = predicted("--metrics copies.csv model");
    for (const char* figure :
         {"accuracy", "auc", "log_loss", "mean_squared_error", "mean_absolute_error", "r2"}) {
      INFO(figure);
      REQUIRE(judged.contains(figure) == expected.contains(figure));
      if (judged.contains(figure)) CHECK_THAT(judged[figure], WithinRel(expected[figure], 1e-9));
    }
  }
  const json chosen = trained("--loss log --lambda 1e-3,1 --folds 3 --weights w once.csv");
  CHECK(chosen["n"] == 30);  // without the 10 samples of weight 0
}

TEST_CASE_METHOD(
    Folder, "Programs: row numbers without a name, and columns without a value, are left out") {
  write("index.csv", ",a,b,y\n0,1,4,1\n1,2,5,2\n2,3,6,3\n");
  std::string err;
  CHECK(entries(*this, "index.csv", &err) == four);
  CHECK_THAT(err, ContainsSubstring("linea_convert: warning: index.csv: column 1 has no name"));
  write("end.csv", "a,,b,y,\n1,,4,1,\n2,,5,2,\n3,NA,6,3,\n");
  CHECK(entries(*this, "end.csv", &err) == four);
  CHECK_THAT(err, ContainsSubstring("end.csv: no cell has a value in column 2, 5: left out"));
  // A column with a name may be intended as a feature: it stays, with a warning.
  const auto numbered = [](int i) { return csv(i + 1, i % 3, i % 2); };
  write("id.csv", table("Id,a,y", 0, 12, numbered));
  const auto counted = run(LINEA_TRAIN, "--json id.csv");
  CHECK(json::parse(counted.out)["d"] == 2);
  CHECK_THAT(counted.err, ContainsSubstring("linea_train: warning: id.csv: column Id counts the "
                                            "rows: --drop leaves it out"));
  CHECK(run(LINEA_TRAIN, "--quiet id.csv model").err.empty());
  CHECK(run(LINEA_TRAIN, "--json --drop Id id.csv").err.empty());
}

TEST_CASE_METHOD(Folder, "Programs: a first line of 0, 1, 2 is a header, with a notice") {
  write("names.csv", "0,1,2\n1,4,1\n2,5,2\n3,6,3\n");
  std::string err;
  CHECK(entries(*this, "names.csv", &err) == four);
  CHECK_THAT(err, ContainsSubstring("names.csv:1: 0, 1, 2, ... are taken for the names") &&
                      ContainsSubstring("--header no"));
  CHECK(entries(*this, "--header no names.csv") == "2 2:1\n" + four);
  write("index.csv", ",0,1,2\n0,1,4,1\n1,2,5,2\n2,3,6,3\n");
  CHECK(entries(*this, "index.csv") == four);
  trained("--loss squared names.csv model");
  write("new.csv", "1,0\n4,1\n");
  CHECK(predicted("new.csv model")["n"] == 1);
}

TEST_CASE_METHOD(Folder, "Programs: warn of a first line with years that may be a header") {
  write("years.csv", "2019,2020,gdp\n1,2,3.5\n2,3,\n5,1,2.25\n");
  CHECK_THAT(run(LINEA_CONVERT, "--missing zero --to csv years.csv -").err,
             ContainsSubstring("linea_convert: warning: years.csv:1: no other line has the text of "
                               "this line: --header yes takes it for the names of the columns; "
                               "--header no says that it is a sample"));
  // A table like the training table has no header, so there is nothing to warn of.
  write("t.csv", "a,1,no\nb,2,yes\nb,3,yes\na,1,no\n");
  trained("t.csv model");
  write("new.csv", "c,1,no\nb,2,yes\nb,3,yes\n");
  CHECK_THAT(run(LINEA_PREDICT, "new.csv model -").err, !ContainsSubstring("--header"));
}

TEST_CASE_METHOD(Folder, "Programs: comments above a table are left out") {
  // A header may begin with #. Lines in messages count from the beginning of the file.
  write("t.csv", "## version 4.2\n#a,b,y\n1,4,1\n2,5,2\n3,6,3\n");
  CHECK(entries(*this, "--target y t.csv") == four);
  CHECK(entries(*this, "--drop \"#a\" t.csv") == "1 1:4\n2 1:5\n3 1:6\n");
  write("t.csv", "# one\n# two\na,b,y\n1,4,1\n2,5\n");
  refuses(LINEA_CONVERT, "t.csv t.svm", "t.csv:5:1: the line has 2 cells, but the first one has 3");
  write("t.csv", "# one\n# two\n");
  refuses(LINEA_CONVERT, "t.csv t.svm", "t.csv:3:1: there is no sample");
}

TEST_CASE_METHOD(Folder, "Programs: labels that a double rounds are kept as text, or refused") {
  const std::string two_to_53 = "9007199254740992";
  const auto id = [](int i) { return "900719925474099" + std::to_string(2 + i % 3); };
  write("t.csv", table("a,y", 0, 30, [&](int i) { return csv(10 * (i % 3) + i % 2, id(i)); }));
  refuses(LINEA_TRAIN, "--loss hinge t.csv model",
          "t.csv: the label " + two_to_53 +
              " may be several: doubles do not tell all whole numbers from 2^53 on apart; --text "
              "keeps the column of the target as text; for numbers take a loss like squared");
  const json report = trained("--loss log --text y t.csv model");
  CHECK(report["classes"] == 3);
  CHECK(report["train_error"] == 0.0);
  write("new.csv", "a\n0\n10\n20\n");
  CHECK(succeeds(LINEA_PREDICT, "new.csv model -").out ==
        id(0) + '\n' + id(1) + '\n' + id(2) + '\n');
  CHECK(predicted("--metrics t.csv model")["accuracy"] == 1.0);
  CHECK(trained("--loss squared t.csv")["classes"] == 0);
  std::string err;
  entries(*this, "t.csv", &err);
  CHECK_THAT(err, ContainsSubstring("linea_convert: warning: t.csv: the label " + two_to_53 +
                                    " may be several"));
  // LIBSVM text and other formats.
  write("t.svm", table("", 0, 30, [&](int i) { return id(i) + " 1:" + std::to_string(i % 3); }));
  refuses(LINEA_TRAIN, "t.svm model",
          "t.svm:2:1: as a double the label would be " + two_to_53 + ", like others: number");
  refuses(LINEA_TRAIN, "--one-pass --labels " + id(0) + ',' + id(2) + " t.svm model",
          "t.svm:2:1: as a double the label would be " + two_to_53);
  write("t.mtx", "%%MatrixMarket matrix array integer general\n4 2\n1\n2\n1\n2\n" + id(0) + '\n' +
                     id(1) + '\n' + id(0) + '\n' + id(2) + '\n');
  refuses(LINEA_TRAIN, "--loss hinge t.mtx model",
          "t.mtx: the label " + two_to_53 +
              " may be several: doubles do not tell all whole numbers from 2^53 on apart; number "
              "the labels 0, 1, 2, ...");
}

TEST_CASE_METHOD(Folder, "Programs: a warning on unexpected text names the options for it") {
  const auto warning = [&](const std::string& cell, const std::string& options = "") {
    write("t.csv", table("price,a,y", 0, 12, [&](int i) {
            std::string text = cell;
            const auto at = text.find('#');
            if (at != text.npos) text.replace(at, 1, std::to_string(i + 10));
            return "\"" + text + "\",1," + std::to_string(i % 2);
          }));
    std::string err;
    entries(*this, options + " t.csv", &err);
    return err;
  };
  const std::string taken = "linea_convert: warning: t.csv:2: column price is taken for text ";
  CHECK_THAT(warning("2,2#.09"),
             ContainsSubstring(taken + "because of '2,210.09': set --decimal and --thousands, or "
                                       "remove signs and units; --drop price leaves"));
  for (const char* number : {"#,5", "1.0#,5", "$#", "# %", "#%", "\xe2\x82\xac#", "# kg", "$1,0#"})
    CHECK_THAT(warning(number), ContainsSubstring(taken) &&
                                    ContainsSubstring(": set --decimal and --thousands, or"));
  for (const char* text : {"2026-01-#", "A#", "word #", "#:30"})
    CHECK_THAT(warning(text), ContainsSubstring("t.csv: column price is text with 12 different "
                                                "values in 12 rows, like '") &&
                                  ContainsSubstring("--drop price leaves the column out"));
  CHECK(warning("A#", "--text price").find("warning") == std::string::npos);
  CHECK(warning("A#", "--drop price").find("warning") == std::string::npos);
  CHECK(warning("word").find("warning") == std::string::npos);
  CHECK(run(LINEA_TRAIN, "--json --hash 6 t.csv").err.empty());
}

TEST_CASE_METHOD(Folder, "Programs: an option marks missing values") {
  write("more.csv", "a,b,y\n-999,x,1\n-999.0,NA,2\n3,4,3\n");
  CHECK(entries(*this, "--missing zero --missing-values -999,x more.csv") == "1\n2\n3 1:3 2:4\n");
}

TEST_CASE_METHOD(Folder, "linea_predict: reports values that are not in the training data") {
  write("t.csv", "colour,a,y\nred,1,0\nblue,2,1\nred,1,0\nblue,2,1\n");
  trained("t.csv model");
  write("new.csv", "colour,a\nred,1\nmauve,2\ngreen,2\n");
  CHECK(succeeds(LINEA_PREDICT, "new.csv model -").err ==
        "linea_predict: warning: new.csv: values that are not in the training data, and are "
        "ignored: 2; "
        "the first: new.csv:3: colour is 'mauve'\n");
  write("known.csv", "colour,a\nred,1\n");
  CHECK(run(LINEA_PREDICT, "known.csv model -").err.empty());
}

TEST_CASE_METHOD(Folder, "Programs: an error on text in cells names the option that reads it") {
  write("bar.txt", "a|b|y\n1|4|1\n2|5|2\n3|6|3\n");
  refuses(LINEA_TRAIN, "bar.txt",
          "bar.txt:1:1: the line is one cell: --separator '|' takes it apart");
  write("blank.txt", "1 4 1\n2 5 2\n3 6 3\n");
  refuses(LINEA_CONVERT, "blank.txt t.svm", "--separator blank takes it apart");
  CHECK(entries(*this, "--separator blank blank.txt") == four);
  CHECK(entries(*this, "--separator '|' bar.txt") == four);
  // Text in other encodings, and binary data, are refused.
  using namespace std::string_literals;
  write("t.csv",
        "\xff\xfe"
        "a\0,\0"s);
  for (const char* input : {"t.csv", "- <t.csv"})
    refuses(LINEA_TRAIN, input, ": the file is UTF-16");
  refuses(LINEA_CONVERT, "t.csv t.linea", ": the file is UTF-16");
}

TEST_CASE_METHOD(Folder, "Programs: invalid separators are refused") {
  write("t.csv", "a,y\n1,1\n");
  refuses(LINEA_TRAIN, "--decimal comma --thousands , t.csv",
          "--thousands and --decimal are both ','");
  refuses(LINEA_CONVERT, "--thousands 1 t.csv t.svm",
          "'1' belongs to numbers: it cannot separate their digits");
  refuses(LINEA_TRAIN, "--separator . t.csv", "'.' cannot separate cells");
  refuses(
      LINEA_TRAIN, "--separator ab t.csv",
      "--separator: 'ab' is neither a character nor comma, point, semicolon, tab, bar or blank");
}

TEST_CASE_METHOD(Folder, "Programs: invalid columns to drop, or of weights, are refused") {
  write("t.csv", "a,w,y\n1,1,1\n2,,2\n");
  write("n.csv", "a,w,y\n1,1,1\n2,-1,2\n");
  write("z.csv", "a,w,y\n1,0,1\n2,0,2\n");
  write("t.svm", "1 1:1\n2 1:2\n");
  refuses(LINEA_TRAIN, "--drop y --target y t.csv",
          "column y is the target: --drop and --weights take others");
  refuses(LINEA_TRAIN, "--drop a,w,y t.csv", "all columns are left out");
  refuses(LINEA_TRAIN, "--drop b t.csv", "there is no column 'b'");
  refuses(LINEA_TRAIN, "--weights w t.csv", "t.csv:3: the weight is missing");
  refuses(LINEA_TRAIN, "--weights w n.csv", "n.csv:3: the weight is no number >= 0");
  refuses(LINEA_TRAIN, "--weights w z.csv", "z.csv: all weights are 0");
  refuses(LINEA_TRAIN, "--weights w t.svm",
          "--weights is for tables: a list of entries has no columns");
  refuses(LINEA_CONVERT, "--drop a t.svm t.linea",
          "--drop is for tables: a list of entries has no columns");
  refuses(LINEA_TRAIN, "--one-pass --drop a t.svm", "--one-pass takes no --drop");
}
