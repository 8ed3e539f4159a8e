// SPDX-License-Identifier: MIT
// Tests several classes, probabilities, class weights, and the output of linea_predict.
#include <cmath>
#include <linea/io/libsvm.hpp>
#include <linea/io/model_file.hpp>
#include <linea/metrics/probabilities.hpp>
#include <linea/metrics/ranking.hpp>
#include <linea/models/classifiers.hpp>
#include <linea/models/softmax_regression.hpp>
#include <sstream>
#include <string>
#include <utility>

#include "programs/program_folder.hpp"
#include "support/catch.hpp"

using namespace linea::test;
using nlohmann::json;

namespace {

json metrics_of(const Folder& folder, const std::string& arguments) {
  return folder.predicted("--metrics " + arguments);
}

}  // namespace

TEST_CASE_METHOD(Folder, "linea_train: detects several classes from the labels") {
  const json one = trained(iris + "hinge");
  CHECK(one["multiclass"] == "one-vs-rest");
  CHECK(one["classes"] == 3);
  CHECK(one["optimizer"] == "auto");
  CHECK(one["status"] == "converged");
  CHECK(one["gap"] <= 1e-4 * one["objective"].get<double>());
  const json all = trained("--loss log " + iris + "softmax");
  CHECK(all["multiclass"] == "softmax");
  CHECK(trained("--loss log --multiclass one-vs-rest " + iris)["multiclass"] == "one-vs-rest");
  CHECK(trained("--multiclass softmax " + iris)["loss"] == "softmax");
  CHECK(trained("--optimizer sgd --epochs 9 --loss log " + iris)["multiclass"] == "one-vs-rest");
  for (const char* model : {"hinge", "softmax"}) {
    const json metrics = metrics_of(*this, iris + model);
    CHECK(metrics["accuracy"] > 0.95);
    CHECK(metrics["auc"] > 0.9);
    const auto& interval = metrics["accuracy_interval"];
    // At Wilson's bounds for the accuracy, (share - accuracy)^2 is 1.96^2 times the variance of the
    // share.
    for (const double bound : {interval.at(0).get<double>(), interval.at(1).get<double>()})
      CHECK_THAT(std::pow(bound - metrics["accuracy"].get<double>(), 2),
                 WithinRel(std::pow(1.959963984540054, 2) * bound * (1 - bound) / 150, 1e-9));
    CHECK(interval.at(0) < metrics["accuracy"]);
    CHECK(metrics["accuracy"] < interval.at(1));
    CHECK(metrics.contains("log_loss") == (std::string(model) == "softmax"));
    CHECK_FALSE(metrics.contains("r2"));
  }
}

TEST_CASE_METHOD(Folder,
                 "linea_predict: metrics and probabilities equal those of the library's models") {
  const auto set = linea::read_libsvm<double>(LINEA_SOURCE_DIR "/examples/data/iris.svm");
  const auto softmax =
      linea::SoftmaxRegression{.lambda = 1e-3, .tolerance = 1e-10}.fit(set.x, set.y);
  const auto chances = softmax.probabilities(set.x);
  trained("--loss log --lambda 1e-3 --tolerance 1e-10 " + iris + "model");
  const json metrics = metrics_of(*this, "--probabilities " + iris + "model out");
  CHECK_THAT(metrics["log_loss"],
             WithinRel(linea::log_loss(chances, set.y, softmax.labels.values()), 1e-6));
  CHECK_THAT(metrics["auc"],
             WithinRel(linea::roc_auc(chances, set.y, softmax.labels.values()), 1e-6));
  std::istringstream lines(contents("out"));
  std::string head;
  std::getline(lines, head);
  CHECK(head == "prediction 0 1 2");
  double label = 0;
  double p = 0;
  for (linea::Index i = 0; i < 150; ++i) {
    REQUIRE(lines >> label);
    for (linea::Index k = 0; k < 3; ++k) {
      REQUIRE(lines >> p);
      CHECK_THAT(p, WithinAbs(chances(i, k), 1e-4));
    }
  }

  const auto wdbc = linea::read_libsvm<double>(LINEA_SOURCE_DIR "/examples/data/wdbc.svm");
  const auto two = linea::LogisticRegression{.lambda = 1, .tolerance = 1e-10}.fit(wdbc.x, wdbc.y);
  trained("--loss log --lambda 1 --tolerance 1e-10 " + cancer + "two");
  const json of_two = metrics_of(*this, cancer + "two");
  CHECK_THAT(of_two["log_loss"],
             WithinRel(linea::log_loss(two.probabilities(wdbc.x), wdbc.y), 1e-6));
  CHECK_THAT(of_two["auc"], WithinRel(linea::roc_auc(two.scores(wdbc.x), wdbc.y), 1e-6));
}

TEST_CASE_METHOD(Folder,
                 "linea_predict: metrics are correct in any unit, and if probabilities underflow") {
  linea::SoftmaxClassifier<double> sure{{}, linea::ClassLabels(Eigen::Vector3d(0, 1, 2))};
  sure.weights = Eigen::RowVector3d(-500, 500, 0);
  sure.offset.setZero(3);
  linea::write_model(at("sure"), sure);
  write("two", "0 1:1\n1 1:1\n");
  CHECK(metrics_of(*this, "two sure")["log_loss"] == 500);  // the mean of the losses 1000 and 0

  linea::Regressor<double> identity;
  identity.weights = linea::Vector<double>::Ones(1);
  linea::write_model(at("identity"), identity);
  for (const char* unit : {"e-140", "e0", "e140"}) {
    std::string text;
    for (const auto& [y, p] : {std::pair("1", "1"), {"2", "2"}, {"3.3", "3"}})
      text += y + std::string(unit) + " 1:" + p + unit + '\n';
    write("numbers", text);
    const json found = metrics_of(*this, "numbers identity");
    CHECK_THAT(found["r2"], WithinRel(0.96616541353383456, 1e-12));
    CHECK_THAT(found["mean_absolute_error"],
               WithinRel(std::stod("0.1" + std::string(unit)), 1e-12));
  }
}

TEST_CASE_METHOD(Folder, "linea_predict: reports only defined metrics") {
  trained("--loss hinge " + cancer + "hinge");
  const json hinge = metrics_of(*this, cancer + "hinge");
  CHECK(hinge.contains("auc"));
  CHECK_FALSE(hinge.contains("log_loss"));
  write("one", "1 1:17.99 2:10.38\n");
  const json one = metrics_of(*this, "one hinge");
  CHECK(one.contains("accuracy"));
  CHECK_FALSE(one.contains("auc"));
  refuses(LINEA_PREDICT, "--probabilities " + cancer + "hinge", "train with --loss log");
  trained(diabetes + "numbers");  // without --loss, these targets are taken as numbers
  const json numbers = metrics_of(*this, diabetes + "numbers");
  CHECK_THAT(numbers["r2"], WithinAbs(0.5177, 1e-3));  // summary(lm) of R prints 0.5177
  CHECK(numbers["mean_squared_error"] > 0);
  const auto& interval = numbers["mean_squared_error_interval"];
  CHECK_THAT((interval.at(0).get<double>() + interval.at(1).get<double>()) / 2,
             WithinRel(numbers["mean_squared_error"], 1e-12));
  CHECK(interval.at(0) < interval.at(1));
  CHECK_FALSE(numbers.contains("accuracy"));
  // The spread of a single squared error is not known. That of a share of mistakes is.
  CHECK(one.contains("accuracy_interval"));
  write("single", "151 1:0.04 2:0.05\n");
  const json single = metrics_of(*this, "single numbers");
  CHECK(single.contains("mean_squared_error"));
  for (const char* figure : {"mean_squared_error_interval", "r2"})
    CHECK_FALSE(single.contains(figure));
  CHECK_THAT(succeeds(LINEA_PREDICT, "--metrics single numbers").out,
             !ContainsSubstring("interval") && ContainsSubstring("root mean squared error"));
  // The squared errors 1 and 9 of the predictions 0 have mean 5 and standard error 4.
  linea::Regressor<double> zero;
  zero.weights = linea::Vector<double>::Zero(1);
  linea::write_model(at("zero"), zero);
  write("pair", "1 1:1\n3 1:2\n");
  CHECK_THAT(metrics_of(*this, "pair zero")["mean_squared_error_interval"].at(1),
             WithinRel(5 + 1.959963984540054 * 4, 1e-12));
  write("huge", "1 1:1e308 2:1e308 3:1e308 4:1e308 5:1e308\n");
  refuses(LINEA_PREDICT, "huge numbers", "huge: row 1: the prediction is not finite");
}

TEST_CASE_METHOD(Folder, "linea_train: a fold may lack a class with a single sample") {
  const std::string plenty = "1:1\n1 1:2\n1 1:3\n1 1:4\n3 1:5\n3 1:6\n3 1:7\n3 1:8\n";
  write("last", "1 " + plenty + "5 1:9\n");
  write("middle", "1 " + plenty + "2 1:9\n");
  for (const std::string file : {"last", "middle"})
    CHECK(trained("--folds 3 --lambda 1,0.1 --loss log " + file)["classes"] == 3);
}

TEST_CASE_METHOD(Folder, "linea_train: class weights count as repeated samples") {
  const std::string rows = "1 1:1 2:3\n1 1:2 2:1\n-1 1:-1\n-1 1:1.5 2:2\n-1 2:-1\n";
  write("plain", rows);
  write("twice", rows + "1 1:1 2:3\n1 1:2 2:1\n");
  const std::string how = "--loss log --lambda 0.1 --tolerance 1e-10 ";
  const auto objective = [&](const std::string& arguments) {
    return trained(how + arguments)["objective"].get<double>();
  };
  CHECK_THAT(objective("--class-weights 1:2 plain"), WithinRel(objective("twice"), 1e-9));
  CHECK_THAT(objective("--class-weights 1:2,-1:2 plain"), WithinRel(objective("plain"), 1e-9));
  // scikit-learn's balanced weights n/(k·count) are 5/4 and 5/6
  CHECK_THAT(objective("--class-weights balanced plain"),
             WithinRel(objective("--class-weights 1:1.25,-1:0.8333333333333334 plain"), 1e-9));
  for (const char* wrong : {"7:2", "1:x", "1", "1:-1"})
    refuses(LINEA_TRAIN, std::string("--class-weights ") + wrong + " plain model",
            "--class-weights");
}
