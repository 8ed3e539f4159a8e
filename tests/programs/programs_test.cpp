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
  CHECK(report["seed"] == 3);
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

TEST_CASE_METHOD(Folder, "linea_train: every loss, in float and double") {
  for (const char* loss : {"hinge", "squared-hinge", "smooth-hinge", "smooth-hinge:0.5", "log",
                           "perceptron", "squared", "absolute", "huber", "huber:2",
                           "epsilon-insensitive", "quantile", "quantile:0.9"}) {
    const std::string options = std::string("--epochs 3 --l1 1e-3 --average --loss ") + loss;
    CHECK(trained(options + " " + cancer)["status"] != "diverged");
    const json single = trained(options + " --float " + cancer);
    CHECK(single["status"] != "diverged");
    CHECK(single["scalar"] == "float");
  }
}

TEST_CASE_METHOD(Folder, "linea_train: every optimizer and step") {
  CHECK(trained("--optimizer perceptron --epochs 5 " + cancer)["mistakes"] > 0);
  const json ridge = trained("--optimizer ridge --lambda 1e-3 " + diabetes + "model");
  CHECK(ridge["status"] == "converged");
  CHECK(ridge["loss"] == "squared");
  CHECK_THAT(run(LINEA_PREDICT, diabetes + "model").out, ContainsSubstring("r2: 0.5"));
  write("small", "1 1:1\n-1 1:-1\n1 1:2\n-1 1:-2\n");
  const json pegasos = trained("--optimizer pegasos --step inverse-time small");
  CHECK_THAT(pegasos["note"].get<std::string>(), ContainsSubstring("slow"));
  for (const char* step : {"constant:1e-8", "inverse-time:1e-6", "inverse-scaling:1e-8",
                           "inverse-lambda:1e12", "automatic:1e-7"}) {
    const json report =
        trained(std::string("--loss squared --epochs 2 --step ") + step + " " + diabetes);
    CHECK(report["first_step"] > 0);
    CHECK(report["first_step"] < 2e-6);
  }
  CHECK(trained("--no-offset --optimizer ridge " + diabetes)["objective"] > ridge["objective"]);
}

TEST_CASE_METHOD(Folder,
                 "linea_train: a run that certifies itself, or is certified, reports the gap") {
  const auto gap_of = [&](const std::string& arguments) {
    const json report = trained(arguments + " --lambda 1 " + cancer);
    const double primal = report["primal"];
    const double dual = report["dual"];
    CHECK(report["objective"] == primal);
    CHECK(dual <= primal);
    CHECK_THAT(report["gap"], WithinAbs(primal - dual, 1e-15));
    CHECK_THAT(report["relative_gap"], WithinAbs((primal - dual) / primal, 1e-15));
    return report["relative_gap"].get<double>();
  };
  for (const char* scalar : {"", " --float"})
    for (const char* offset : {"", " --no-offset"}) {
      const std::string rest = std::string(scalar) + offset;
      CHECK(gap_of("--optimizer dual --loss log --tolerance 1e-5" + rest) <= 1.1e-5);
      CHECK(gap_of("--optimizer newton --loss log --tolerance 1e-8" + rest) <= 1e-5);
      CHECK(gap_of("--optimizer lbfgs --loss squared-hinge --tolerance 1e-8" + rest) <= 1e-4);
      CHECK(gap_of("--optimizer auto --loss squared-hinge --tolerance 1e-5" + rest) <= 1e-4);
    }
  CHECK(gap_of("--optimizer sgd --certify --loss log --epochs 30") < 0.5);
  const json report = trained("--optimizer auto --loss squared --lambda 1e-3 " + diabetes);
  CHECK_THAT(report["note"].get<std::string>(), ContainsSubstring("Ridge"));
}

TEST_CASE_METHOD(Folder, "linea_train: options set batches, threads and steps of the descent") {
  write("six", "1 1:1\n-1 1:-1\n1 1:2\n-1 1:-2\n1 1:3\n-1 1:1\n");
  const auto six = [&](const std::string& options) {
    return trained("--tolerance 0 --epochs 4 --loss log " + options + " six");
  };
  CHECK(six("")["updates"] == 24);
  CHECK(six("--batch all")["updates"] == 4);
  CHECK(six("--batch 4")["updates"] == 8);
  const json two = six("--threads 2");
  CHECK(two["threads"] == 2);
  CHECK(two["updates"] == 24);
  CHECK(two["objective"] == six("--threads 2")["objective"]);
  CHECK(two["objective"] != six("")["objective"]);
  CHECK(six("--step constant:0.1")["objective"] != six("--step constant:0.2")["objective"]);
  CHECK(six("--step constant:0.1 --seed 1")["objective"] !=
        six("--step constant:0.1 --seed 2")["objective"]);
}

TEST_CASE_METHOD(Folder, "linea_train: any two labels are predicted unchanged") {
  write("labels", "3 1:1\n8 1:-1\n3 1:2\n8 1:-2\n");
  trained("--loss log labels model");
  predicted("labels model out");
  REQUIRE(contents("out") == "3\n8\n3\n8\n");
  // With --float, labels are unchanged, too, although float cannot represent these labels.
  write("dates", "20230101 1:1\n20230102 1:-1\n20230101 1:2\n20230102 1:-2\n");
  trained("--float dates dated");
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
       {"\noptimizer: sgd (first step ", "minimised: mean hinge loss + 0.0001/2 |w|^2\n",
        "569 samples, 30 features, 2 classes: -1 (212), 1 (357)", "; 95 % interval ",
        "the columns differ in size"})
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
  train("--optimizer pegasos --lambda 0 " + cancer, "lambda");
  train("--loss hinges " + cancer, "no loss with a derivative is called 'hinges'");
  train("--loss zero-one " + cancer, "no loss with a derivative is called 'zero-one'");
  train("--loss huber:-1 " + cancer,
        "linea_train: --loss: delta = -1 of the loss huber is out of its domain");
  train("--loss hinge:2 " + cancer, "the loss hinge takes no parameter");
  train("--loss huber:x " + cancer, "is not a number");
  train("--step constant:-1 " + cancer, "the step size at t = 1 is -1");
  train("--optimizer adam " + cancer, "--optimizer");
  train("--optimizer ridge --loss log " + cancer, "ridge is for the squared loss, not log");
  train("--optimizer pegasos --step constant " + cancer, "pegasos takes the steps");
  train("--optimizer perceptron --step constant " + cancer, "perceptron takes no --step");
  train("--optimizer perceptron --batch all " + cancer, "perceptron takes no --batch");
  train("--epochs -3 " + cancer, "--epochs -3 is not >= 0");
  train("--tolerance -3 " + cancer, "--tolerance -3 is not >= 0");
  const bool holds_it = sizeof(linea::Index) == 8;  // a smaller Index limits the number of epochs
  train("--epochs 9223372036854775807 " + cancer, holds_it ? "is more than" : "is too large");
  refuses(LINEA_TRAIN, "", "TRAIN_FILE");
  write("half", R"({"format": "linea model", "version": 1, "loss": "log"})");
  refuses(LINEA_PREDICT, cancer + "half out", "half: invalid linea model: no member");
}

TEST_CASE_METHOD(Folder, "linea_train: a diverged run writes no model and exits with 1") {
  const auto outcome =
      run(LINEA_TRAIN, "--json --loss squared --step constant:1e300 " + diabetes + "model");
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
      "--optimizer perceptron --epochs 5 " + cancer,
      "--optimizer ridge " + diabetes,
      "--loss log --lambda 1,0.1 --folds 2 --standardise " + cancer,
      "--loss log --lambda 1e-9 --validation 0.3 --patience 2 " + iris};
  for (const auto& arguments : calls) {
    const json report = trained(arguments);
    for (const auto& [name, value] : report.items()) seen.insert(name);
  }
  CHECK(seen == documented);
  CHECK(documented.size() > 30);
}
