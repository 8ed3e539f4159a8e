// SPDX-License-Identifier: MIT
// Compares linea_train --one-pass with the library's learner on the same blocks.
#include <cmath>
#include <linea/core/random.hpp>
#include <linea/io/libsvm.hpp>
#include <linea/losses/log.hpp>
#include <linea/optimizers/adaptive_sgd.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <sstream>

#include "programs/program_folder.hpp"
#include "support/catch.hpp"

using namespace linea::test;
using linea::Index;
using nlohmann::json;

namespace {

/// Returns samples of 60 features, of which six are not zero in each sample. The targets are scores
/// if `of_numbers`, else the labels 3 and 7, of which one in ten is wrong.
std::string made_up(int samples, bool of_numbers = false) {
  linea::Random random(5);
  std::string text;
  for (int i = 0; i < samples; ++i) {
    double score = 0;
    std::string row;
    for (Index j = static_cast<Index>(random.below(10)); j < 60; j += 10) {
      const auto value = 1 + random.below(3);
      row += " " + std::to_string(j + 1) + ":" + std::to_string(value);
      score += (j % 2 ? 0.2 : -0.2) * static_cast<double>(value);
    }
    const bool is_high = (score > 0) != (random.below(10) == 0);
    text += (of_numbers ? std::to_string(score) : is_high ? "7" : "3") + row + "\n";
  }
  return text;
}

/// The number of samples whose text has more than two blocks.
constexpr int many = 90000;

}  // namespace

TEST_CASE_METHOD(Folder,
                 "linea_train --one-pass: equals the library's learner on the same samples") {
  write("a.svm", made_up(many));
  const json report = trained("--one-pass --loss log --lambda 1e-3 --most-features 64 a.svm model");

  const linea::Objective objective{linea::Log{}, linea::ElasticNet{.l1 = 0, .l2 = 1e-3}};
  auto learner = linea::AdaptiveSgd{}.start<double>(objective, 64);
  const auto all = linea::read_libsvm<double>(at("a.svm"), {.features = 64});
  double loss = 0, mistakes = 0;
  for (Index i = 0; i < many; ++i) {
    const double y = (all.y[i] - 5) / 2;
    const double score = learner.score(all.x.row(i));
    loss += std::log1p(std::exp(-y * score));
    mistakes += (score >= 0) != (y > 0);
    learner.update(all.x.row(i), y);
  }
  CHECK(report["n"] == many);
  CHECK(report["d"] == 60);
  CHECK(report["updates"] == many);
  CHECK(report["status"] == "epoch-limit");
  CHECK(report["objective"].is_null());
  CHECK_THAT(report["progressive_loss"], WithinRel(loss / many, 1e-10));
  CHECK_THAT(report["progressive_error"], WithinRel(mistakes / many, 1e-10));
  CHECK(report["progressive_error"] < 0.25);

  // The written model gives the same scores as the learner.
  const auto found = learner.solution();
  const linea::Vector<double> scores = (all.x * found.weights).array() + found.offset;
  std::istringstream labels(succeeds(LINEA_PREDICT, "a.svm model -").out);
  Index row = 0, wrong = 0;
  for (double label = 0; labels >> label; ++row) wrong += (label == 7) != (scores[row] >= 0);
  CHECK(row == many);
  CHECK(wrong == 0);
}

TEST_CASE_METHOD(Folder, "linea_train --one-pass: from a pipe, compressed, and of numbers") {
  write("a.svm", made_up(many));
  write("b.svm", made_up(many, true));
  REQUIRE(run_shell("gzip -k a.svm").code == 0);
  const std::string options = "--one-pass --loss log --lambda 1e-3 --most-features 60 ";
  const json file = trained(options + "a.svm m0");
  const json pipe = trained(options + "- m1 <a.svm");
  const json zipped = trained(options + "- m2 <a.svm.gz");
  CHECK(file["progressive_loss"] == pipe["progressive_loss"]);
  CHECK(file["progressive_loss"] == zipped["progressive_loss"]);
  CHECK((contents("m0") == contents("m1")));
  CHECK((contents("m0") == contents("m2")));
  const json numbers = trained("--one-pass --lambda 1e-3 --most-features 60 b.svm");
  CHECK(numbers["loss"] == "squared");
  CHECK(numbers["progressive_error"] < 1);
  CHECK_THAT(numbers["progressive_error"],
             WithinRel(2 * numbers["progressive_loss"].get<double>(), 1e-12));
  write("few.svm", made_up(400));
  CHECK(trained("--one-pass few.svm")["loss"] == "hinge");
}

TEST_CASE_METHOD(Folder, "linea_train --one-pass: options that need the whole data are refused") {
  write("a.svm", made_up(400));
  const Refusals train{*this, LINEA_TRAIN, " model"};
  train("--one-pass --standardise a.svm",
        "--one-pass takes no --standardise: it reads the samples once, block by block");
  train("--one-pass --lambda auto a.svm", "--one-pass is for one --lambda");
  for (const std::string option :
       {"--optimizer sgd", "--step 0.1", "--average", "--missing mean", "--header no"})
    train("--one-pass " + option + " a.svm",
          "--one-pass takes no " + option.substr(0, option.find(' ')));
  for (const std::string labels : {"3", "nan,3", "3,3"})
    train("--one-pass --labels " + labels + " a.svm", "--labels takes two labels, like -1,1");
  train("--labels 3,7 a.svm", "--labels is for --one-pass");
  train("--one-pass --loss squared --labels 3,7 a.svm",
        "--labels are for classes, but the loss squared is for numbers");
  train("--one-pass --labels 3,8 a.svm", "but those of the stream are 3 and 8");
  succeeds(LINEA_TRAIN, "--one-pass --labels 3,7 a.svm ascending");
  succeeds(LINEA_TRAIN, "--one-pass --labels 7,3 a.svm descending");
  CHECK(contents("ascending") == contents("descending"));
  train("--one-pass --most-features 40 a.svm",
        "lies beyond the 40 features that weights are kept for (--most-features)");
  write("one.svm", "1 1:1\n1 1:2\n");
  train("--one-pass --loss log one.svm",
        "the loss log needs two labels, but the first block of the stream has 1: give "
        "--labels, or a loss for numbers");
  CHECK(trained("--one-pass --loss log --labels -1,1 --most-features 1 one.svm")["n"] == 2);
  write("a.csv", "a,b\n1,2\n3,4\n");
  train("--one-pass a.csv", "a.csv: --one-pass reads LIBSVM text");
  write("empty.svm", "1\n-1\n");
  train("--one-pass --most-features 4 empty.svm", "x is empty: there is no feature");
}
