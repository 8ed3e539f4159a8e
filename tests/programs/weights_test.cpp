// SPDX-License-Identifier: MIT
// Tests sample weights in the programs: a sample of weight 3 counts as three samples, and a sample
// of weight 0 as none, whatever its cells are.
#include <functional>
#include <linea/core/random.hpp>
#include <linea/losses/log.hpp>
#include <linea/models/classifiers.hpp>
#include <linea/models/cross_validation.hpp>
#include <linea/models/early_stopping.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/penalties/l2.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "programs/program_folder.hpp"
#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea::test;
using nlohmann::json;

namespace {

/// The same samples in two files: `weighted` has weights 0, 1 and 3 in its column w, `repeated` has
/// each sample as often as its weight says.
struct Twins {
  std::string weighted, repeated;
};

/// The targets of `score`: two or three labels, or the score itself.
std::string target_of(double score, int labels) {
  if (labels == 2) return score > 0 ? "yes" : "no";
  if (labels == 3) return score < -0.7 ? "low" : score < 0.7 ? "mid" : "high";
  return std::to_string(score);
}

/// Writes n samples as NAME.csv, and with repeats as NAME_repeated.csv. Samples of weight 0 have
/// cells, a word and a label that no other sample has. If `turned`, those of weight 1 have the
/// targets of the opposite score.
Twins write_twins(const Folder& folder, const std::string& name, int n, int labels,
                  std::uint64_t seed, bool turned = false) {
  linea::Random random(seed);
  const auto normal = [&] { return synthetic::normal(random); };
  std::string weighted = "a,b,word,w,y\n";
  std::string repeated = "a,b,word,y\n";
  for (int i = 0; i < n; ++i) {
    const int weight = i % 4 == 0 ? 0 : i % 4 == 3 ? 3 : 1;
    const double a = normal();
    const double b = normal();
    const bool is_u = random.uniform() < 0.4;
    double score = a + b / 2 + (is_u ? 0.5 : 0) + normal() / 2;
    if (turned && weight == 1) score = -score;
    const std::string cells = weight == 0
                                  ? csv("1e6", b, "never")
                                  : csv(i % 13 ? std::to_string(a) : "", b, is_u ? "u" : "v");
    const std::string target = weight > 0 ? target_of(score, labels) : labels > 0 ? "maybe" : "1e9";
    weighted += csv(cells, weight, target) + '\n';
    for (int k = 0; k < weight; ++k) repeated += csv(cells, target) + '\n';
  }
  folder.write(name + ".csv", weighted);
  folder.write(name + "_repeated.csv", repeated);
  return {name + ".csv ", name + "_repeated.csv "};
}

/// Checks that the reports have the same figures, where both must have them.
void check_alike(const json& one, const json& other, const std::vector<const char*>& figures,
                 double tolerance) {
  for (const char* figure : figures) {
    INFO(figure);
    REQUIRE(one.contains(figure) == other.contains(figure));
    if (one.contains(figure)) CHECK_THAT(one[figure], WithinRel(other[figure], tolerance));
  }
}

const std::vector<const char*> judged{
    "accuracy",           "auc", "log_loss",           "unknown_labels",
    "mean_squared_error", "r2",  "mean_absolute_error"};

/// Trains on both files, and predicts both held-out files. `options` are those of both calls; each
/// file of held-out samples follows them if they end in "--validation ".
void check_twins(const Folder& folder, const std::string& options, const Twins& train,
                 const Twins& held_out, double tolerance) {
  INFO(options << " " << train.weighted);
  const bool validates = options.ends_with("--validation ");
  const auto report = [&](const std::string& how, const std::string& held, const std::string& file,
                          const std::string& model) {
    return folder.trained("--missing mean " + options + (validates ? held : "") + how + file +
                          model);
  };
  const json one = report("--weights w ", held_out.weighted, train.weighted, "one");
  const json other = report("", held_out.repeated, train.repeated, "other");
  check_alike(one, other, {"objective", "train_error", "d", "classes", "lambda"}, tolerance);
  CHECK_THAT(one["note"], ContainsSubstring("samples of weight 0 are ignored"));
  if (validates) {
    check_alike(one["validation"], other["validation"], judged, tolerance);
    CHECK(one["epochs"] == other["epochs"]);
    CHECK(one["status"] == "stopped");
  }
  const json predicted = folder.predicted("--metrics " + held_out.weighted + "one");
  check_alike(predicted, folder.predicted("--metrics " + held_out.repeated + "other"), judged,
              tolerance);
}

struct Samples {
  linea::Matrix<double> x;
  linea::Vector<double> y, weights;
};

/// Writes n samples of six features, the label ±1 of a noisy score, and a weight, which is 9 for
/// samples whose label agrees with the score.
Samples write_samples(const Folder& folder, const std::string& name, int n, std::uint64_t seed) {
  linea::Random random(seed);
  Samples samples{linea::Matrix<double>(n, 6), linea::Vector<double>(n), linea::Vector<double>(n)};
  std::string text = "a,b,c,d,e,f,w,y\n";
  for (int i = 0; i < n; ++i) {
    for (double& value : samples.x.row(i)) value = synthetic::normal(random);
    const double score = samples.x(i, 0) + samples.x(i, 1);
    samples.y[i] = score + 1.5 * synthetic::normal(random) > 0 ? 1 : -1;
    samples.weights[i] = samples.y[i] * score > 0 ? 9 : 1;
    std::ostringstream line;
    line.precision(17);
    for (const double value : samples.x.row(i)) line << value << ',';
    text += line.str() + csv(samples.weights[i], samples.y[i]) + '\n';
  }
  folder.write(name, text);
  return samples;
}

}  // namespace

TEST_CASE_METHOD(Folder, "linea_train: weights 0, 1 and 3 equal repeated samples, for all losses") {
  const Twins two = write_twins(*this, "two", 120, 2, 1);
  const Twins three = write_twins(*this, "three", 160, 3, 2);
  const Twins numbers = write_twins(*this, "numbers", 120, 0, 3);
  const Twins held_two = write_twins(*this, "held_two", 80, 2, 4);
  const Twins held_three = write_twins(*this, "held_three", 80, 3, 5);
  const Twins held_numbers = write_twins(*this, "held_numbers", 80, 0, 6);
  const std::string tight = "--lambda 1e-2 --tolerance 1e-11 ";
  for (const std::string options :
       {"--loss log --standardise ", "--loss squared-hinge --class-weights balanced ",
        "--loss smooth-hinge --class-weights no:2,yes:0.5 ", "--loss log --optimizer newton ",
        "--loss squared-hinge --optimizer lbfgs --no-offset --standardise ",
        "--loss log --optimizer dual ", "--loss log --l1 1e-3 --polynomial 2 "})
    check_twins(*this, tight + options, two, held_two, 1e-4);
  for (const std::string options :
       {"--loss log ", "--loss log --class-weights balanced --standardise ",
        "--loss squared-hinge ", "--loss log --multiclass one-vs-rest --optimizer lbfgs "})
    check_twins(*this, tight + options, three, held_three, 1e-4);
  for (const std::string options :
       {"--loss squared ", "--loss squared --optimizer ridge --standardise ", "--loss huber ",
        "--loss epsilon-insensitive ", "--loss absolute ", "--loss quantile "})
    check_twins(*this, tight + options, numbers, held_numbers, 1e-4);
}

TEST_CASE_METHOD(Folder,
                 "linea_train: stochastic descent reaches the minimum of weighted samples") {
  const Twins two = write_twins(*this, "two", 120, 2, 1);
  for (const std::string options :
       {"--loss hinge --optimizer dual --tolerance 1e-9 ",
        "--loss log --optimizer sgd --epochs 1000 --tolerance 1e-7 ",
        "--loss log --optimizer sgd --batch 10 --average --epochs 300 --tolerance 1e-7 "}) {
    INFO(options);
    const std::string how = "--missing mean --lambda 1e-2 " + options;
    check_alike(trained("--weights w " + how + two.weighted), trained(how + two.repeated),
                {"objective"}, 1e-3);
  }
}

TEST_CASE_METHOD(Folder, "linea_train: weights of held-out samples end the run as in the library") {
  // Held-out samples of weight 1 contradict the training.
  const Twins two = write_twins(*this, "two", 120, 2, 1);
  const Twins turned = write_twins(*this, "turned", 80, 2, 4, true);
  const std::string how = "--lambda 1e-9 --tolerance 1e-11 --loss log --optimizer lbfgs ";
  check_twins(*this, how + "--validation ", two, turned, 1e-6);

  const Samples seen = write_samples(*this, "seen.csv", 40, 2);
  const Samples held = write_samples(*this, "held.csv", 60, 102);
  const json report = trained(how + "--weights w --validation held.csv seen.csv model");
  const auto best_of = [&](const linea::Vector<double>& held_weights) {
    linea::EarlyStopping stopping(linea::Log{}, held.x, held.y, {}, held_weights);
    linea::Extras<double> extras{.sample_weights = seen.weights, .observer = std::ref(stopping)};
    const auto all = linea::Lbfgs{.tolerance = 1e-11}.minimize(
        linea::Objective{linea::Log{}, linea::L2{1e-9}}, seen.x, seen.y, extras);
    CHECK(stopping.best_of(all).status == linea::Status::stopped);
    return stopping.best();
  };
  const auto best = best_of(held.weights);
  CHECK(best.epoch != best_of({}).epoch);
  CHECK_THAT(report["validation"]["log_loss"], WithinRel(best.score, 1e-6));
  CHECK_THAT(report["objective"], WithinRel(best.objective, 1e-6));
  CHECK_THAT(report["note"], ContainsSubstring("those of epoch " + std::to_string(best.epoch)));
}

TEST_CASE_METHOD(Folder, "linea_train: weights select the lambda of the library") {
  const Samples samples = write_samples(*this, "all.csv", 90, 4);
  const std::vector<double> lambdas{1, 0.1, 0.01, 1e-3};
  const json report = trained(
      "--loss log --tolerance 1e-9 --lambda 1,0.1,0.01,1e-3 --folds 3 --seed 5 --weights w "
      "all.csv");
  const auto chosen_by = [&](const linea::Vector<double>& weights) {
    return linea::CrossValidation{.folds = 3, .seed = 5}.choose(
        linea::LogisticRegression{.tolerance = 1e-9}, lambdas, samples.x, samples.y, weights);
  };
  const auto chosen = chosen_by(samples.weights);
  CHECK(chosen.best != chosen_by({}).best);
  CHECK(report["lambda"] == lambdas[static_cast<std::size_t>(chosen.best)]);
  for (std::size_t k = 0; k < lambdas.size(); ++k)
    CHECK_THAT(report["validation_errors"][k],
               WithinRel(chosen.mean[static_cast<linea::Index>(k)], 1e-9));
}

TEST_CASE_METHOD(Folder, "linea_train: the figures of the report use the weights") {
  write("seen.csv", "a,w,y\n-2,1,no\n-1,1,no\n1,1,yes\n2,1,yes\n");
  // Of the weights 1, 3 and 4 the samples of weight 3 and 4 are predicted wrong and right.
  write("held.csv", "a,w,y\n5,1,yes\n5,3,no\n-5,4,no\n");
  const json report = trained("--weights w --validation held.csv seen.csv model");
  CHECK(report["validation"]["accuracy"] == 0.625);
  CHECK(report["train_error"] == 0.0);
  write("both.csv", "a,w,y\n-2,8,no\n-1,8,no\n1,8,yes\n2,8,yes\n2,1,no\n");
  CHECK_THAT(trained("--weights w both.csv")["train_error"], WithinRel(1 / 33.0, 1e-12));
}

TEST_CASE_METHOD(Folder, "linea_train: samples of weight 0 do not change folds") {
  const Twins two = write_twins(*this, "two", 120, 2, 1);
  std::string without;
  std::istringstream lines(contents("two.csv"));
  for (std::string line; std::getline(lines, line);)
    if (line.find(",never,") == line.npos) without += line + '\n';
  write("without.csv", without);
  const auto with = [&](const std::string& file) {
    return trained("--missing mean --weights w --loss log --standardise --lambda auto --folds 4 " +
                   file);
  };
  const json one = with("two.csv");
  const json other = with("without.csv");
  CHECK(one["lambdas"] == other["lambdas"]);
  CHECK(one["validation_errors"] == other["validation_errors"]);
  CHECK(one["objective"] == other["objective"]);
}

TEST_CASE_METHOD(Folder, "linea_train: --lambda auto begins near the weighted mean of squares") {
  // The mean of a² is (10000 + 999)/1000 with the weights, and about 5000 without them.
  const auto row = [](int i) { return csv(i % 2 ? 100 : 1, i % 2 ? 1 : 999, i % 3); };
  write("t.csv", table("a,w,y", 0, 40, row));
  const std::string how = "--lambda auto --loss squared --weights w ";
  CHECK(trained(how + "t.csv")["lambdas"][0] == 10.0);
  write("equal.csv", table("a,w,y", 0, 40, [&](int i) { return csv(i % 2 ? 100 : 1, 7, i % 3); }));
  CHECK(trained(how + "equal.csv")["lambdas"][0] == 1e4);
}

TEST_CASE_METHOD(Folder, "linea_train: a label whose samples have weight 0 is no class") {
  const auto row = [](int i) {
    return csv(i % 7, i % 5, i < 40, i >= 40 ? "maybe" : i % 7 > 2 ? "yes" : "no");
  };
  write("t.csv", table("a,b,w,y", 0, 50, row));
  for (const std::string options :
       {"--loss log ", "--loss hinge ", "--loss squared-hinge ", "--multiclass one-vs-rest ",
        "--optimizer sgd ", "--loss hinge --class-weights balanced ", "--lambda 1,0.1 "}) {
    INFO(options);
    const json report = trained("--weights w " + options + "t.csv model");
    CHECK(report["classes"] == 2);
    CHECK(report["n"] == 40);
    CHECK(json::parse(contents("model"))["encoder"]["columns"][3]["categories"] ==
          json{"no", "yes"});
  }
  CHECK_THAT(succeeds(LINEA_TRAIN, "--weights w t.csv").out,
             ContainsSubstring("40 samples, 2 features, 2 classes: no (18), yes (22)\n") &&
                 ContainsSubstring("(10 samples of weight 0 are ignored; "));
  const auto constant = [](int i) { return csv(i % 7, i % 2, i % 2 ? "yes" : "no"); };
  write("one.csv", table("a,w,y", 0, 20, constant));
  for (const std::string options : {"", "--loss log ", "--loss squared-hinge ", "--optimizer sgd "})
    refuses(LINEA_TRAIN, options + "--weights w one.csv model",
            "needs two or more labels, but the file has 1 of weight above 0, 'yes'");
}

TEST_CASE_METHOD(Folder,
                 "linea_predict: predictions need no weights, and metrics ignore weight 0") {
  const auto row = [](int i) { return csv(i % 7, 1, i % 7 > 2 ? "yes" : "no"); };
  write("t.csv", table("a,w,y", 0, 40, row));
  trained("--weights w --loss log t.csv model");
  write("zero.csv", "a,w,y\n6,0,yes\n0,0,no\n");
  const auto zero = succeeds(LINEA_PREDICT, "--metrics zero.csv model out");
  CHECK(contents("out") == "yes\nno\n");
  CHECK_THAT(zero.out, ContainsSubstring("no target of weight above 0 to compare with\n"));
  CHECK_FALSE(predicted("--metrics zero.csv model").contains("accuracy"));
  write("none.csv", "a,w\n6,\n0,x\n");  // without targets, nothing reads the weights
  CHECK(succeeds(LINEA_PREDICT, "none.csv model -").out == "yes\nno\n");
  write("bad.csv", "a,w,y\n6,,yes\n");
  refuses(LINEA_PREDICT, "bad.csv model -", "bad.csv:2: the weight is missing");
  // An unknown label of weight 0 hides no figure.
  write("some.csv", "a,w,y\n6,1,yes\n0,1,no\n0,1,yes\n5,0,maybe\n");
  const json some = predicted("--metrics some.csv model");
  CHECK(some["unknown_labels"] == 0);
  CHECK(some.contains("log_loss"));
  CHECK_THAT(succeeds(LINEA_PREDICT, "--metrics some.csv model").out,
             ContainsSubstring("33.3 % wrong (by weight; 1 of 3;"));
}
