// SPDX-License-Identifier: MIT
#include <linea/models/one_vs_rest.hpp>
#include <linea/models/softmax_regression.hpp>
#include <linea/models/summary.hpp>
#include <sstream>
#include <vector>

#include "support/catch.hpp"

namespace summary_test {

using namespace linea;

namespace {

LinearModel<double> by_hand() {
  LinearModel<double> model;
  model.weights = Vector<double>{{0.5, -3, 0, 1, 0.25, 2, -2}};
  model.offset = 1.5;
  model.objective = 0.25;
  return model;
}

template <class M>
std::string text_of(const M& model) {
  std::ostringstream out;
  out << model;
  return out.str();
}

}  // namespace

TEST_CASE("Summary: prints the largest weights, by name if there are names", "[models]") {
  auto model = by_hand();
  CHECK(text_of(model) ==
        "linear model: 7 weights, 6 not 0; offset 1.5\n"
        "  largest: column 1 -3, column 5 2, column 6 -2, column 3 1, column 0 0.5\n");
  model.features = {"a", "b", "c", "d", "e", "f", "g"};
  model.loss = "hinge";
  model.penalty = "l2 (lambda = 0.5)";
  model.gap = 1e-3;
  model.optimizer = "Newton";
  model.reason = "it suits";
  model.status = Status::converged;
  CHECK(text_of(Regressor<double>{model}) ==
        "linear model: 7 weights, 6 not 0; offset 1.5\n"
        "  largest: b -3, f 2, g -2, d 1, a 0.5\n"
        "  hinge + l2 (lambda = 0.5): 0.25, at most 0.001 above the minimum\n"
        "  by Newton, converged: it suits\n");
  // Feature names of a wrong number are ignored. If all weights are 0, the line of weights is left
  // out.
  model.features.pop_back();
  model.weights.setZero();
  CHECK(text_of(model).starts_with("linear model: 7 weights, 0 not 0; offset 1.5\n  hinge + l2"));
}

TEST_CASE("Summary: classifiers print their labels", "[models]") {
  const ClassLabels labels(Eigen::Vector2d(-1, 20230101));
  const Classifier<double> two{by_hand(), labels};
  CHECK(text_of(two).starts_with("classifier: -1 or 20230101; linear model: 7 weights"));
  CHECK(text_of(ProbabilisticClassifier<double>{two}) == text_of(two));
  const OneVsRestClassifier<double, Classifier<double>> several{labels, {two, two}};
  const std::string text = text_of(several);
  CHECK(text.starts_with("classifier of 2 classes, each against the rest\nclass -1, linear model"));
  SoftmaxClassifier<double> softmax{{}, labels};
  softmax.weights = Matrix<double>::Identity(3, 2);
  softmax.weights(2, 1) = -2;
  softmax.features = {"age", "height", "weight"};
  softmax.objective = 0.5;
  softmax.optimizer = "SoftmaxNewton";
  softmax.penalty = "l2 (lambda = 1)";
  CHECK(text_of(softmax) ==
        "softmax classifier of 2 classes: 6 weights, 3 not 0\n"
        "  largest of -1: age 1\n"
        "  largest of 20230101: weight -2, height 1\n"
        "  softmax + l2 (lambda = 1): 0.5\n"
        "  by SoftmaxNewton, epoch-limit\n");
  CHECK(text.find("class 20230101, linear model: 7 weights") != std::string::npos);
}

}  // namespace summary_test
