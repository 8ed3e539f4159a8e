// SPDX-License-Identifier: MIT
// Tests the errors of the programs, message by message. A program must return exit code 2, print
// one line, and write no file. programs_test.cpp tests the most common errors.
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "programs/program_folder.hpp"
#include "support/binary_file.hpp"
#include "support/catch.hpp"
#include "support/model_checksum.hpp"

namespace refusals_test {

using namespace linea::test;
using nlohmann::json;

namespace {

/// Returns a .npy file of version 1 with numbers stored by rows.
std::string npy(const std::string& shape, const std::vector<double>& numbers) {
  std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }\n";
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(header.size());
  file += '\0';
  file += header;
  return file.append(reinterpret_cast<const char*>(numbers.data()), 8 * numbers.size());
}

const std::string three = "a,b,y\n1,u,0\n2.5,v,1\n3,u,2\n4,w,1\n1,v,0\n3,w,2\n";
const std::string two = "1 1:1 2:1\n-1 1:-1\n1 2:2\n-1 1:-2 2:1\n";

}  // namespace

TEST_CASE_METHOD(Folder, "Programs: whole numbers of options are decimal") {
  write("t", two);
  CHECK(trained("--optimizer sgd --tolerance 0 --epochs 010 t")["epochs"] == 10);
  const std::vector<std::string> options{"--epochs",        "--threads",    "--folds",
                                         "--patience",      "--seed",       "--batch",
                                         "--most-features", "--polynomial", "--hash"};
  for (const auto& option : options) {
    refuses(LINEA_TRAIN, option + " 0x10 t", option + ": '0x10' is not a whole number");
    refuses(LINEA_TRAIN, option + " 18446744073709551616 t",
            option + ": '18446744073709551616' is too large");
  }
  refuses(LINEA_TRAIN, "--epochs 1.5 t", "--epochs: '1.5' is not a whole number");
  refuses(LINEA_TRAIN, "--epochs ' 1' t", "--epochs: ' 1' is not a whole number");
  // A message names options in the form of the command line.
  write("zero.svm", "1 0:1 2:1\n-1 1:1\n");
  write("far.svm", "1 1:1 4200000:1\n-1 1:1\n");
  for (const auto& [program, output] : {std::pair{LINEA_TRAIN, ""}, {LINEA_CONVERT, " t.svm"}}) {
    refuses(program, std::string("zero.svm") + output,
            "zero.svm:1:3: feature indices begin at 1 unless --zero-based is given");
    refuses(program, std::string("far.svm") + output,
            "far.svm:1:7: feature 4200000 lies beyond the 4194304 features that a text of this "
            "size may have (--most-features allows more)");
  }
  refuses(LINEA_TRAIN, "--lamda 1 t m", "there is no option --lamda: see --help");
  refuses(LINEA_TRAIN, "t m other", "The following argument was not expected: other");
  refuses(LINEA_TRAIN, "--tolerance abc t", "--tolerance: 'abc' is not a number");
  refuses(LINEA_TRAIN, "--seed -1 t", "--seed: '-1' is not a whole number >= 0");
  refuses(LINEA_TRAIN, "--most-features -1 t", "--most-features -1 is not >= 0");
  refuses(LINEA_CONVERT, "--parts 0x2 t t.csv", "--parts: '0x2' is not a whole number");
  refuses(LINEA_CONVERT, "--most-features -1 t t.csv", "--most-features -1 is not >= 0");
}

TEST_CASE_METHOD(Folder, "Programs: control characters of a name are escaped") {
  const std::string odd = "'odd\tna\nme\x1b[1m'";
  const std::string shown = "cannot open 'odd\\x09na\\x0ame\\x1b[1m'";
  refuses(LINEA_TRAIN, odd + " model", shown);
  refuses(LINEA_PREDICT, "t " + odd, shown);
  refuses(LINEA_CONVERT, odd + " t.csv", shown);
}

TEST_CASE_METHOD(Folder, "linea_train: options out of range are refused before a file is read") {
  const Refusals train{*this, LINEA_TRAIN, " missing model"};
  train("--step tiny", "--step: 'tiny' is not a number");
  train("--batch 0", "--batch 0 is not >= 1");
  train("--threads 0", "--threads: 0 threads, but there must be 1 to 1024");
}

TEST_CASE_METHOD(Folder, "linea_train: incompatible options are refused by name") {
  write("t", two);
  write("t.csv", three);
  write("words.csv", "a,y\n1,u\n2,v\n3,w\n");
  const Refusals train{*this, LINEA_TRAIN, " model"};
  train("--optimizer dual --l1 1 t",
        "DualCoordinateAscent does not take the loss hinge with this penalty; Auto does");
  train("--optimizer dual --threads 2 t", "dual takes no --threads");
  for (const std::string option : {"--average", "--step 0.1", "--batch 3"})
    train("--optimizer newton " + option + " t",
          "newton takes no --step, --batch or --average: these are for --optimizer sgd");
  train("--optimizer newton --loss hinge t",
        "Newton does not take the loss hinge with this penalty; Auto does");
  train("--optimizer auto --epochs 3 t", "Auto has no limit of epochs");
  train("--optimizer ridge --l1 1 t",
        "Ridge does not take the loss squared with this penalty; Auto does");
  train("--folds 2 t", "--folds is for choosing --lambda: give several, or auto");
  train("--lambda 1, t", "--lambda 1,");
  train("--folds 5 --lambda auto t", "--folds 5 of 4 samples");
  train("--lambda 1,x t", "--lambda 1,x: 'x' is not a number");
  train("--lambda 1,0.5,1.0 t", "--lambda 1,0.5,1.0: 1 is given twice");
  train("--validation 0.1 t",
        "--validation: of 4 samples, a share of 0.1 leaves none to test with");
  train("--validation 1.5 t", "--validation 1.5 is a share that is not between 0 and 1");
  train("--multiclass softmax --loss hinge t.csv",
        "--multiclass softmax is the log loss of several classes, not hinge");
  train("--multiclass softmax --l1 1 words.csv",
        "softmax takes no --l1: --multiclass one-vs-rest does");
  train("--multiclass softmax --optimizer dual words.csv",
        "softmax is minimised by --optimizer auto, not dual: --multiclass one-vs-rest takes it");
  train("--multiclass softmax --loss squared t.csv",
        "--multiclass softmax is the log loss of several classes, not squared");
  train("--multiclass one-vs-rest --loss squared t",
        "--multiclass is for classes, but the loss squared is for numbers");
  train("--class-weights balanced --loss squared t",
        "--class-weights is for classes, but the loss squared is for numbers");
  train("--class-weights 3 t", "'3' is not LABEL:WEIGHT, nor is all of it 'balanced'");
  train("--class-weights 1:-2 t", "--class-weights 1:-2: -2 is not > 0");
  train("--class-weights 1:0 t",
        "--class-weights 1:0: 0 is not > 0; to leave a class out, leave out its rows");
  write("rare", "0 1:1\n0 1:2\n0 1:3\n0 1:4\n1 1:5\n1 1:6\n1 1:7\n1 1:8\n2 1:9\n");
  train("--validation 0.5 rare", "--validation 0.5 leaves no sample of label '2' to learn from");
  train("--class-weights 5:2 t", "--class-weights 5:2: there is no label '5'");
  train("--class-weights 1:2,1:3 t", "--class-weights 1:2,1:3: label '1' is named twice");
  train("--class-weights 1:2,-1:2,1:2 t", "label '1' is named twice");
  train("--target y t", "t: --target is for tables: a list of entries has no columns");
  train("--text 1 t", "t: --text is for tables: a list of entries has no columns");
  train("--patience 3 t", "--patience is for --validation");
  train("--validation - - <t.csv", "TRAIN_FILE and --validation are both standard input");
  write("gap.csv", "a,b,y\n1,2,\n");
  train("--validation gap.csv t.csv", "gap.csv:2: the target is missing");
  train("--target z t.csv", "there is no column 'z' among 3 columns: a, b, y");
}

TEST_CASE_METHOD(Folder, "linea_train: unusable tables are refused with line and column") {
  const auto train = [&](const std::string& text, const std::string& options,
                         const std::string& message) {
    write("t.csv", text);
    refuses(LINEA_TRAIN, options + " t.csv model", "t.csv:" + message);
  };
  train("a,y\nred,1\n,0\n", "", "3: a is missing: train or convert with --missing mean or zero");
  train("a,y\n,1\n2,0\n", "", "2: a is missing: train or convert with --missing mean or zero");
  train("a,y\n1,\n2,0\n", "", "2: the target is missing");
  train("a,y\n1,u\n2,v\n", "--loss squared",
        " the loss squared is for numbers, but the target is text");
  train("y\n1\n2\n", "", " x is empty: there is no feature");
  train("a,a,y\n1,2,3\n", "", "1:3: the header names a column twice");
  train("a,y\n1,2,3\n", "", "2:1: the line has 3 cells, but the first one has 2");
  train("", "", "1:1: there is no sample");
  train("a,y\n", "--header yes", "2:1: there is no sample");
  std::string many = "a,y\n";
  for (int k = 0; k < 1100; ++k) many += "1," + std::to_string(k) + ".5\n";
  train(
      many, "--loss hinge",
      " the loss hinge is for classes, but the file has 1100 labels; for numbers take a loss like "
      "squared");
}

TEST_CASE_METHOD(Folder, "linea_train: a start and held-out samples must match the training file") {
  write("t", two);
  write("wide", "1 1:1 5:1\n-1 1:-1\n");
  write("t.csv", three);
  write("other.csv", "a,b\n1,u\n");
  write("strange.csv", "a,b,y\n1,u,7\n");
  trained("--optimizer sgd --epochs 2 t start");
  const Refusals train{*this, LINEA_TRAIN, " model"};
  train("--optimizer ridge --loss squared --start start t", "ridge takes no --start");
  train("--optimizer sgd --start start wide", "start: a model of 2 features, but there are 5");
  write("several", "1 1:1 2:1\n2 1:-1\n3 2:2\n");
  train("--optimizer sgd --loss hinge --start start several",
        "--start is for one linear function, but there are 3 classes");
  trained("--loss hinge several three");
  train("--optimizer sgd --start three t", "three: a model of 3 functions, but 1 is needed");
  train("--optimizer sgd --validation other.csv t.csv", "other.csv: there is no target");
  train("--optimizer sgd --loss hinge --validation strange.csv t.csv",
        "strange.csv:2: the training samples have no such label");
}

TEST_CASE_METHOD(Folder, "linea_predict: files that do not match the model are refused") {
  write("t", two);
  write("t.csv", three);
  trained("--loss log t lists");
  trained("--loss hinge t.csv table");
  const Refusals predict{*this, LINEA_PREDICT, ""};
  predict("t table predictions", "t: a list of entries, but the model is for tables of columns");
  trained("--hash 4 t hashed");
  predict("t.csv hashed predictions", "t.csv: a table of columns, but the model is for lists");
  write("plain.csv", "1,2,3,4\n5,6,7,8\n");
  predict("plain.csv table predictions",
          "plain.csv: 4 columns, but the model is for 2, with or without the target");
  write("gap.csv", "a,b,y\n,u,0\n");
  predict("gap.csv table predictions",
          "gap.csv:2: a is missing: train or convert with --missing mean or zero");
  write("word.csv", "a,b,y\n1,u,0\nx,u,0\n");
  predict("word.csv table predictions", "word.csv:3: a is 'x', but in training it was a number");
  // The target is the first column; a file to predict may lack it.
  write("bare.csv", "0,1,5\n1,2.5,6\n0,3,4\n1,4,7\n");
  trained("--loss hinge --target 1 bare.csv bare");
  write("hole.csv", "0,1,5\n0,,6\n");
  predict("hole.csv bare predictions", "hole.csv:2: column 2 is missing");
  write("narrow.csv", "1,5\n,6\n");
  predict("narrow.csv bare predictions", "narrow.csv:2: column 1 is missing");
  write("huge", "1 1:1e308 2:1e308\n1 1:1e308\n");
  trained("--loss log --lambda 1e-9 t steep");
  predict("huge steep predictions",
          "the prediction is not finite: its numbers are too large for the model");
  predict("--probabilities t.csv table predictions",
          "--probabilities: the loss hinge gives none; train with --loss log for them");
  predict("lists", "MODEL_FILE is required: see --help");
  predict("--emit-header lists a.hpp b.hpp",
          "--emit-header MODEL_FILE takes one more file at most, the header");
  trained("--polynomial 2 t products");
  predict("--emit-header products a.hpp",
          "--emit-header: a header cannot compute features, but this model uses products");
}

TEST_CASE_METHOD(Folder, "Programs: unusable arrays, binary and compressed files are refused") {
  write("one.mtx", "%%MatrixMarket matrix coordinate real general\n2 1 1\n1 1 3\n");
  refuses(LINEA_TRAIN, "one.mtx model", "one.mtx: a target and a feature at least are needed");
  const double infinity = std::numeric_limits<double>::infinity();
  write("x.npy", npy("(2, 2)", {1, 2, infinity, 1}));
  refuses(LINEA_TRAIN, "x.npy model", "x.npy: row 2: column 1 is not finite");
  write("y.npy", npy("(2, 2)", {1, 2, 1, infinity}));
  refuses(LINEA_TRAIN, "--loss squared y.npy model", "y.npy: row 2: the target is not finite");
  write("z.npy", npy("(4000000000, 4000000000)", {1}));
  refuses(LINEA_TRAIN, "z.npy model", "z.npy: the array is too large");
  write("t", two);
  REQUIRE(run(LINEA_CONVERT, "t t.linea").code == 0);
  REQUIRE(run("/bin/sh", "-c 'gzip -k t.linea'").code == 0);
  refuses(LINEA_TRAIN, "t.linea.gz model",
          "linea's binary form is mapped: it must be a file, and not compressed");
  write("cut.linea", contents("t.linea").substr(0, 20));
  refuses(LINEA_TRAIN, "cut.linea model", "cut.linea: no linea binary file");
  refuses(LINEA_CONVERT, "t t.what",
          "'t.what': the name does not end in .svm, .csv, .npy or .linea: give --to");
  refuses(LINEA_CONVERT, "--parts 9 t t.svm", "--parts 9 of 4 samples");
  refuses(LINEA_CONVERT, "--parts 1000001 t t.svm", "--parts 1000001 is more than 1000000");
  refuses(LINEA_CONVERT, "--target y t t2.svm",
          "t: --target is for tables: a list of entries has no columns");
  refuses(LINEA_CONVERT, "--target y t t2.linea",
          "t: --target is for tables: a list of entries has its label in front");
  write(
      "wide", "1 1:1 4000000:1\n-1 1:-1\n" + [] {
        std::string rows;
        for (int k = 0; k < 600; ++k) rows += "1 1:1\n";
        return rows;
      }());
  refuses(LINEA_CONVERT, "wide wide.csv", "LIBSVM and linea's binary form list only");
}

TEST_CASE_METHOD(Folder, "linea_predict: a model whose input does not match is refused") {
  write("t.csv", "a,b,y\n1,u,r\n2.5,v,s\n3,u,t\n4,v,s\n1,v,r\n3,v,t\n");
  trained("--loss log t.csv model");
  const std::string good = contents("model");
  const auto refused = [&](const char* what, const char* by, const std::string& message) {
    write("forged", with_checksum(replaced(good, what, by)));
    refuses(LINEA_PREDICT, "t.csv forged", "forged: " + message);
  };
  refused("\"degree\": 1", "\"degree\": 2", "a model of 3 columns, but its input has 9");
  refused("\"labels\": [0, 1, 2]", "\"labels\": [0, 1, 3]", "the encoder has no class 3");
  refused("\"labels\": [0, 1, 2]", "\"labels\": [0.5, 1, 2]", "the encoder has no class 0.5");
}

TEST_CASE_METHOD(Folder,
                 "Programs: every option refuses an empty value, and its message names it") {
  write("t", "1 1:1 2:1\n-1 1:-1\n1 2:2\n-1 1:-2 2:1\n");
  succeeds(LINEA_TRAIN, "--quiet t m");
  int options = 0;
  for (const auto& [program, files] : {std::pair<std::string, std::string>{LINEA_TRAIN, "t m"},
                                       {LINEA_PREDICT, "t m"},
                                       {LINEA_CONVERT, "--to csv t out"}}) {
    std::istringstream help(succeeds(program, "--help").out);
    for (std::string line, option, type; std::getline(help, line);) {
      if (!line.starts_with("  --") || !(std::istringstream(line) >> option >> type)) continue;
      const std::set<std::string> types{"TEXT", "INT", "UINT", "FLOAT"};
      if (types.count(type.substr(0, type.find_first_of(":,"))) == 0) continue;  // a flag
      refuses(program, option + " '' " + files, option + ": ");
      refuses(program, option + "= " + files,
              option + ": the value is empty; is a variable of the shell not set?\n");
      ++options;
    }
  }
  CHECK(options > 50);
  for (const auto& [program, arguments, name] : {std::tuple{LINEA_TRAIN, "'' m", "TRAIN_FILE"},
                                                 {LINEA_TRAIN, "t ''", "MODEL_FILE"},
                                                 {LINEA_PREDICT, "'' m", "FILE"},
                                                 {LINEA_PREDICT, "t ''", "MODEL_FILE"},
                                                 {LINEA_PREDICT, "t m ''", "OUT_FILE"},
                                                 {LINEA_CONVERT, "'' a.csv", "IN"},
                                                 {LINEA_CONVERT, "t ''", "OUT"}})
    refuses(program, arguments, std::string(name) + ": the value is empty");
}

}  // namespace refusals_test
