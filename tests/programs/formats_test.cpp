// SPDX-License-Identifier: MIT
// Tests the file formats that linea's programs read and write.
#include <algorithm>
#include <cstdlib>
#include <linea/io/libsvm.hpp>
#include <linea/io/write_binary.hpp>

#include "programs/program_folder.hpp"
#include "support/catch.hpp"

using namespace linea::test;
using nlohmann::json;

TEST_CASE_METHOD(Folder, "Programs: every format gives the same model") {
  for (const char* name : {"a.csv", "a.npy", "a.linea", "a.svm"}) converted(diabetes + name);
  // a.linea is sparse, as diabetes.svm is; b.linea is dense.
  converted("a.csv b.linea");
  REQUIRE(run_shell("gzip -k a.csv a.npy a.svm").code == 0);
  std::string market = "%%MatrixMarket matrix array real general\n442 11\n";
  {
    std::istringstream lines(contents("a.csv"));
    std::vector<std::vector<std::string>> columns(11);
    std::string cell;
    std::getline(lines, cell);
    for (int row = 0; row < 442; ++row)
      for (std::size_t j = 0; j < 11; ++j) {
        std::getline(lines, cell, j < 10 ? ',' : '\n');
        columns[j].push_back(cell);
      }
    for (const auto& column : columns)
      for (const auto& one : column) market += one + '\n';
  }
  write("a.mtx", market);
  const auto objective = [&](const std::string& arguments) {
    return trained("--loss squared --lambda 1e-3 " + arguments)["objective"].get<double>();
  };
  const double expected = objective(diabetes);
  for (const char* name : {"a.csv", "a.npy", "a.linea", "a.svm", "b.linea", "a.mtx", "a.csv.gz",
                           "a.npy.gz", "a.svm.gz", "- <a.csv", "- <a.svm.gz", "- <a.npy"}) {
    INFO(name);
    CHECK(objective(name) == expected);
  }
  const auto piped = run("/bin/sh",
                         "-c 'cat a.svm | \"$0\" --json --loss squared --lambda "
                         "1e-3 -' '" LINEA_TRAIN "'");
  REQUIRE(piped.code == 0);
  CHECK(json::parse(piped.out)["objective"] == expected);
}

TEST_CASE_METHOD(Folder, "linea_convert: converting and back gives the same file") {
  converted(cancer + "a.svm");
  const auto before = linea::read_libsvm<double>(LINEA_SOURCE_DIR "/examples/data/wdbc.svm");
  const auto after = linea::read_libsvm<double>(at("a.svm"));
  CHECK((before.x - after.x).norm() == 0);
  CHECK(before.y == after.y);
  converted("a.svm a.linea");
  converted("a.linea b.svm");
  CHECK((contents("a.svm") == contents("b.svm")));
  converted("a.svm a.csv");
  converted("a.csv c.svm");
  CHECK((contents("a.svm") == contents("c.svm")));
  const auto parts = converted("--parts 3 a.svm part.svm");
  CHECK(parts.out == "569 samples, 30 features, 16992 entries\n");
  CHECK((contents("part.0.svm") + contents("part.1.svm") + contents("part.2.svm") ==
         contents("a.svm")));
}

TEST_CASE_METHOD(Folder, "linea_convert: converts text to numbers, with a notice") {
  write("t.csv", "kind,colour,size\nyes,red,1\nno,blue,2\nyes,red,3\n");
  const auto told = converted("--target kind t.csv t.svm");
  CHECK(told.out == "no is 0\nyes is 1\n3 samples, 3 features, 6 entries\n");
  CHECK(contents("t.svm") == "1 2:1 3:1\n0 1:1 3:2\n1 2:1 3:3\n");
  converted("--target kind t.csv u.csv");
  CHECK(contents("u.csv") ==
        "\"colour=blue\",\"colour=red\",\"size\",\"kind\"\n0,1,1,1\n1,0,2,0\n0,1,3,1\n");
}

TEST_CASE_METHOD(Folder, "linea_convert: a table that is too wide for names has none") {
  write("wide.svm", "1 1:1 100001:2\n2 1:3\n3 2:1\n");
  converted("wide.svm wide.csv");
  converted("wide.csv again.svm");
  CHECK(contents("again.svm") == contents("wide.svm"));
}

TEST_CASE_METHOD(Folder, "linea_convert: two columns of the same name are refused") {
  write("t.csv", "a,a=b,y\nb,1,2\nc,3,4\n");
  refuses(LINEA_CONVERT, "t.csv out.csv", "two columns would have the name 'a=b'");
}

TEST_CASE_METHOD(Folder, "linea_predict: a label stays in its line and its column") {
  write("t.csv", "a,y\n1,\"no\nway\"\n2,oh yes\n3,oh yes\n4,oh yes\n");
  succeeds(LINEA_TRAIN, "--loss log t.csv model");
  const auto plain = succeeds(LINEA_PREDICT, "t.csv model -").out;
  CHECK(std::count(plain.begin(), plain.end(), '\n') == 4);
  CHECK_THAT(plain, ContainsSubstring("oh yes\n"));
  const auto chances = succeeds(LINEA_PREDICT, "--probabilities t.csv model -").out;
  CHECK(chances.substr(0, chances.find('\n')) == "prediction no\\x0away \"oh yes\"");
}

TEST_CASE_METHOD(Folder, "Programs: damaged files and other formats are refused by name") {
  const Refusals refused{*this, LINEA_TRAIN, " model"};
  write("no.csv", "a,b,y\n1,2,\n1,2,4\n");
  write("missing.csv", "NA,NA,NA\n1,2,0\n2,1,1\n");
  refused("missing.csv", "missing.csv:1: the target is missing");  // the first line is not a header
  refused("--target 4 no.csv", "there is no column '4'");
  refused("--format npy no.csv", "no.csv: not a .npy file");
  write("cut.gz", std::string("\x1f\x8b\x08\0\0\0\0\0", 8));
  refused("cut.gz", "cut.gz: the compressed data is truncated");
  write("bad.gz", std::string("\x1f\x8b\x08\0\0\0\0\0\0\3\xff\xff\xff\xff", 14));
  refused("bad.gz", "bad.gz: the compressed data is damaged");
  write("magic.linea", "linea\r\n\x1a");
  refused("magic.linea", "magic.linea: no linea binary file");
  refused(".", "it is a directory");
}

TEST_CASE_METHOD(Folder, "Programs: separators are detected outside of quotes") {
  write("t.csv", "\"size, in m, of it\";\"a \"\"b\"\", c, d\";y\n1;2;0\n3,5;1;1\n2;2;0\n4;1;1\n");
  // The table has 3 columns. 3,5 makes the first column text, with a warning.
  CHECK_THAT(converted("t.csv t.svm").out, ContainsSubstring("4 samples, 5 features"));
  trained("t.csv m");
  CHECK(json::parse(contents("m"))["encoder"]["columns"][0]["name"] == "size, in m, of it");
}

TEST_CASE_METHOD(Folder, "linea_convert: converts LIBSVM text to linea's binary form by blocks") {
  std::string text = "# made up\n";
  for (int i = 0; i < 997; ++i) {
    text += i % 2 ? "+1" : "-1";
    for (int j = 1 + i % 3; j < 50; j += 1 + i % 5) text += " " + std::to_string(j) + ":0.5";
    text += i % 7 ? "\n" : " # why\n\n";
  }
  write("a.svm", text);
  const auto all = linea::read_libsvm<double>(at("a.svm"));
  linea::write_binary(at("library.linea"), all.x, all.y);
  const auto told = converted("a.svm a.linea");
  CHECK(told.out == "997 samples, " + std::to_string(all.x.cols()) + " features, " +
                        std::to_string(all.x.nonZeros()) + " entries\n");
  CHECK((contents("a.linea") == contents("library.linea")));
  REQUIRE(run_shell("gzip -k a.svm").code == 0);
  for (const char* from : {"- b.linea <a.svm", "a.svm.gz b.linea", "- b.linea <a.svm.gz"}) {
    INFO(from);
    converted(from);
    CHECK((contents("b.linea") == contents("library.linea")));
  }
  converted("--parts 3 a.svm part.linea");
  for (linea::Index k = 0; k < 3; ++k) {
    const linea::Index begin = 997 * k / 3;
    const linea::Index rows = 997 * (k + 1) / 3 - begin;
    linea::write_binary(at("library.linea"),
                        linea::SparseMatrix<double>(all.x.middleRows(begin, rows)),
                        all.y.segment(begin, rows));
    CHECK((contents(("part." + std::to_string(k) + ".linea")) == contents("library.linea")));
  }
  refuses(LINEA_CONVERT, "no.svm a.linea", "reading: cannot open 'no.svm': ");
  write("wide.svm", "1 1:1\n1 5000000:1\n");
  refuses(LINEA_CONVERT, "wide.svm c.linea",
          "5000000 features are more than the 4194304 that a text of this size may have "
          "(--most-features allows more)");
  converted("--most-features 5000000 wide.svm c.linea");
  write("bad.svm", text + "+1 2:x\n");
  refuses(LINEA_CONVERT, "bad.svm d.linea", "bad.svm:1142:6: value is not a number");
  refuses(LINEA_CONVERT, "--parts 998 a.svm d.linea", "--parts 998 of 997 samples");
}

TEST_CASE_METHOD(
    Folder, "linea_train: sparse samples in a mapped file give the model of the text, to the bit") {
  converted(cancer + "a.linea");
  for (const char* options :
       {"--optimizer newton --loss log", "--optimizer dual", "--optimizer sgd --epochs 3",
        "--standardise --lambda 1e-3", "--validation 0.2 --loss log"}) {
    INFO(options);
    const auto text = trained(options + (" " + cancer));
    const auto mapped = trained(options + std::string(" a.linea"));
    CHECK(text["objective"] == mapped["objective"]);
    CHECK(text["nnz"] == mapped["nnz"]);
  }
}
