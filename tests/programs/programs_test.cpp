// SPDX-License-Identifier: MIT
// Tests linea_train and linea_predict, run as from a shell.
#include <filesystem>
#include <linea/io/libsvm.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "programs/program_folder.hpp"
#include "support/catch.hpp"

namespace fs = std::filesystem;
using namespace linea::test;
using nlohmann::json;

TEST_CASE_METHOD(Folder, "linea_train: the JSON report has all documented fields on one line") {
  const json report = trained("--optimizer sgd --loss log --lambda 1e-2 --seed 3 " + cancer);
  CHECK(report["n"] == 569);
  CHECK(report["d"] == 30);
  CHECK(report["nnz"] == 16992);
  CHECK(report["lambda"] == 0.01);
  CHECK(report["updates"] == report["epochs"].get<int>() * 569);
  CHECK(report["objective"] < 0.69);  // F at w = 0 is ln 2
  CHECK(report["train_error"] < 0.2);
  const auto model = [&](const std::string& seed) {
    trained("--epochs 3 --seed " + seed + cancer + "model");
    return contents("model");
  };
  const std::string first = model("1 ");
  CHECK(model("1 ") == first);
  CHECK(model("2 ") != first);
}

TEST_CASE_METHOD(Folder,
                 "linea_predict: predicts as well as training reported, one prediction a line") {
  const json report = trained("--loss hinge " + cancer + "model");
  const json prediction = predicted(cancer + "model predictions");
  const auto set = linea::read_libsvm<double>(LINEA_SOURCE_DIR "/examples/data/wdbc.svm");
  std::istringstream lines(contents("predictions"));
  int right = 0;
  double label = 0;
  linea::Index count = 0;
  for (; lines >> label; ++count) right += label == set.y[count];
  REQUIRE(count == 569);
  CHECK_THAT(prediction["accuracy"], WithinRel(right / 569.0, 1e-12));
  CHECK_THAT(report["train_error"], WithinRel(1 - right / 569.0, 1e-12));
  CHECK(names() == std::set<std::string>{"model", "predictions"});
}

TEST_CASE_METHOD(Folder, "linea_train: every loss") {
  for (const char* loss : {"hinge", "squared-hinge", "smooth-hinge", "smooth-hinge:0.5", "log",
                           "perceptron", "squared", "absolute", "huber", "huber:2",
                           "epsilon-insensitive", "quantile", "quantile:0.9"}) {
    const std::string options = std::string("--epochs 3 --l1 1e-3 --average --loss ") + loss;
    CHECK(trained(options + " " + cancer)["status"] != "diverged");
  }
}

TEST_CASE_METHOD(Folder, "linea_train: ridge fits the squared loss exactly") {
  const json ridge = trained("--optimizer ridge --lambda 1e-3 " + diabetes + "model");
  CHECK(ridge["status"] == "converged");
  CHECK(ridge["loss"] == "squared");
  CHECK_THAT(run(LINEA_PREDICT, diabetes + "model").out, ContainsSubstring("r2: 0.5"));
  CHECK(trained("--no-offset --optimizer ridge " + diabetes)["objective"] > ridge["objective"]);
}

TEST_CASE_METHOD(Folder, "linea_train: a run with a proof reports the gap") {
  const auto gap_of = [&](const std::string& arguments) {
    const json report = trained(arguments + " --lambda 1 " + cancer);
    return report["gap"].get<double>() / report["objective"].get<double>();
  };
  for (const std::string offset : {"", " --no-offset"}) {
    CHECK(gap_of("--optimizer dual --loss log --tolerance 1e-5" + offset) <= 1.1e-5);
    CHECK(gap_of("--optimizer newton --loss log --tolerance 1e-8" + offset) <= 1e-5);
    CHECK(gap_of("--optimizer lbfgs --loss squared-hinge --tolerance 1e-8" + offset) <= 1e-4);
    CHECK(gap_of("--optimizer auto --loss squared-hinge --tolerance 1e-5" + offset) <= 1e-4);
  }
  CHECK(trained("--optimizer sgd --loss log " + cancer)["gap"].is_null());
  const json report = trained("--optimizer auto --loss squared --lambda 1e-3 " + diabetes);
  CHECK_THAT(report["note"].get<std::string>(), ContainsSubstring("Ridge"));
}

TEST_CASE_METHOD(Folder, "linea_train: options set batches, threads and steps of the descent") {
  write("six", "1 1:1\n-1 1:-1\n1 1:2\n-1 1:-2\n1 1:3\n-1 1:1\n");
  const auto six = [&](const std::string& options) {
    return trained("--tolerance 0 --epochs 4 --loss log " + options + " six");
  };
  CHECK(six("")["updates"] == 24);
  CHECK(six("--batch 4")["updates"] == 8);
  const json two = six("--threads 2");
  CHECK(two["updates"] == 24);
  CHECK(two["objective"] == six("--threads 2")["objective"]);
  CHECK(two["objective"] != six("")["objective"]);
  CHECK(six("--step 0.1")["objective"] != six("--step 0.2")["objective"]);
  CHECK(six("--step 0.1 --seed 1")["objective"] != six("--step 0.1 --seed 2")["objective"]);
}

TEST_CASE_METHOD(Folder, "linea_train: any two labels are predicted unchanged") {
  write("labels", "3 1:1\n8 1:-1\n3 1:2\n8 1:-2\n");
  trained("--loss log labels model");
  predicted("labels model out");
  REQUIRE(contents("out") == "3\n8\n3\n8\n");
  write("dates", "20230101 1:1\n20230102 1:-1\n20230101 1:2\n20230102 1:-2\n");
  trained("dates dated");
  predicted("dates dated out");
  CHECK(contents("out") == "20230101\n20230102\n20230101\n20230102\n");
  // A feature that is not in the training data has no weight. Its entries are counted as unknown.
  write("more", "3 1:1 2:5\n");
  const json more = predicted("more model");
  CHECK(more["unknown_entries"] == 1);
  CHECK(more["unknown_labels"] == 0);
  write("other", "5 1:1\n3 1:1\n");
  CHECK(predicted("other model")["unknown_labels"] == 1);
  // Train on the same samples with features counted from 0. linea_predict counts from 0, too.
  write("zero", "3 0:1\n8 0:-1\n3 0:2\n8 0:-2\n");
  CHECK(trained("--loss log --zero-based zero zeroed")["d"] == 1);
  CHECK(predicted("zero zeroed")["accuracy"] == 1.0);
}

TEST_CASE_METHOD(Folder, "linea_train: without --json, prints a text report") {
  const auto outcome = succeeds(LINEA_TRAIN, "--epochs 3 " + cancer);
  for (const char* part :
       {"\noptimizer: sgd (Sgd: first step ", "minimised: mean hinge loss + 0.0001/2 |w|^2\n",
        "569 samples, 30 features, 2 classes: -1 (212), 1 (357)", "; 95 % interval "})
    CHECK_THAT(outcome.out, ContainsSubstring(part));
}

TEST_CASE_METHOD(
    Folder, "Programs: invalid input gives one line on stderr, exit code 2, and writes nothing") {
  const Refusals train{*this, LINEA_TRAIN, " model"};
  write("nan", "1 1:1\n-1 2:nan\n");
  train("nan", "nan:2:6: ");
  write("empty", "");
  train("empty", "empty");
  write("one", "1 1:1\n1 1:2\n");
  train("one", "one: the loss hinge needs two or more labels, but the file has 1");
  train("missing", "cannot open 'missing'");
  train("--lambda -1 " + cancer, "--lambda -1 is not >= 0");
  train("--l1 -1 " + cancer, "--l1 -1 is not >= 0");
  train("--loss hinges " + cancer, "no loss with a derivative is called 'hinges'");
  train("--loss zero-one " + cancer, "no loss with a derivative is called 'zero-one'");
  train("--loss huber:-1 " + cancer,
        "linea_train: --loss: delta = -1 of the loss huber is out of its domain");
  train("--loss hinge:2 " + cancer, "the loss hinge takes no parameter");
  train("--loss huber:x " + cancer, "is not a number");
  train("--step -1 " + cancer, "--step -1 is not >= 0");
  train("--optimizer adam " + cancer, "--optimizer");
  train("--optimizer ridge --loss log " + cancer, "ridge is for the squared loss, not log");
  train("--epochs -3 " + cancer, "--epochs -3 is not >= 0");
  train("--tolerance -3 " + cancer, "--tolerance -3 is not >= 0");
  refuses(LINEA_TRAIN, "", "TRAIN_FILE");
  write("half", R"({"format": "linea model", "version": 3, "kind": "linear"})");
  refuses(LINEA_PREDICT, cancer + "half out", "half:1:57: expected ,, got '}'");
}

TEST_CASE_METHOD(Folder, "linea_train: a diverged run writes no model and exits with 1") {
  const auto outcome = run(LINEA_TRAIN, "--json --loss squared --step 1e300 " + diabetes + "model");
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.err, ContainsSubstring("diverged; no model is written"));
  CHECK(json::parse(outcome.out)["status"] == "diverged");
  CHECK(names().empty());
}

TEST_CASE_METHOD(Folder,
                 "linea_train: its man page has all fields of the JSON report, and no others") {
  std::set<std::string> documented;
  std::istringstream page(contents(LINEA_SOURCE_DIR "/docs/man/linea_train.1"));
  bool is_there = false;
  for (std::string line; std::getline(page, line);) {
    if (line.rfind(".SH ", 0) == 0) is_there = line == ".SH JSON";
    if (is_there && line.rfind(".B ", 0) == 0 && line.find('-') == line.npos)
      documented.insert(line.substr(3));
  }
  std::set<std::string> seen;
  const std::vector<std::string> calls{
      "--loss hinge " + cancer,
      "--optimizer sgd --epochs 5 " + cancer,
      "--optimizer ridge " + diabetes,
      "--loss log --lambda 1,0.1 --folds 2 --standardise " + cancer,
      "--loss log --validation 0.3 " + iris,
      "--one-pass " + cancer};
  for (const auto& arguments : calls) {
    const json report = trained(arguments);
    for (const auto& [name, value] : report.items()) seen.insert(name);
  }
  CHECK(seen == documented);
  CHECK(documented.size() > 25);
}
