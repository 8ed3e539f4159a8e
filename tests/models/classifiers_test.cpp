// SPDX-License-Identifier: MIT
#include <linea/models/classifiers.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <linea/models/softmax_regression.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/interior_point.hpp>
#include <linea/optimizers/sgd.hpp>
#include <mutex>
#include <vector>

#include "golden/models.hpp"
#include "support/catch.hpp"
#include "support/shipped.hpp"
#include "support/synthetic.hpp"

namespace classifiers_test {

using namespace linea;
using V = Vector<double>;

namespace {

struct Problem {
  Matrix<double> x = synthetic::features(60, 4, 1);
  V y = synthetic::signs(x, 2);
};

}  // namespace

TEST_CASE("Classifiers: minimise to a proven tolerance, and report the optimizer and the reason",
          "[models]") {
  const auto& set = shipped::breast_cancer();
  const auto check = [&](const auto& recipe) {
    const auto model = recipe.fit(set.x, set.y);
    CHECK(model.status == Status::converged);
    REQUIRE(model.gap);
    CHECK(model.is_proven(recipe.tolerance));
    CHECK_FALSE(model.optimizer.empty());
    CHECK_FALSE(model.reason.empty());
    CHECK(model.penalty == "l2 (lambda = 0.01)");
    // A run with a smaller tolerance has an F within the gap, and makes the same predictions.
    auto tighter = recipe;
    tighter.tolerance = 1e-10;
    const auto exact = tighter.fit(set.x, set.y);
    CHECK(exact.objective >= model.objective - *model.gap);
    CHECK(exact.objective <= model.objective);
    CHECK(exact.predict(set.x) == model.predict(set.x));
    return model;
  };
  CHECK(check(LinearSvm{.lambda = 1e-2}).loss == "hinge");
  (void)check(LogisticRegression{.lambda = 1e-2});
  const auto unpenalised = LinearSvm{.lambda = 0}.with(InteriorPoint{}).fit(set.x, set.y);
  CHECK(unpenalised.status == Status::converged);
  // Sgd computes no bound, so its solution has no gap. LinearSvm with λ = 0 throws unless an
  // optimizer is given, and the message names InteriorPoint.
  const auto run = LogisticRegression{.lambda = 0}.with(Sgd{.epochs = 1}).fit(set.x, set.y);
  REQUIRE_FALSE(run.gap);
  CHECK_FALSE(run.is_proven(1));
  CHECK(run.optimizer == "Sgd");
  CHECK_THROWS_AS((LinearSvm{.lambda = 0}.fit(set.x, set.y)), NoProof);
  CHECK_THROWS_WITH((LinearSvm{.lambda = 0}.fit(set.x, set.y)),
                    ContainsSubstring("lambda = 0") && ContainsSubstring(".with(InteriorPoint{})"));
}

TEST_CASE("Classifiers: class weights agree with scikit-learn", "[models]") {
  const auto& set = shipped::breast_cancer();
  const auto check = [&](auto recipe, const ClassWeights& weights, double golden) {
    recipe.lambda = 1e-2;
    recipe.class_weights = weights;
    const auto model = recipe.fit(set.x, set.y);
    // The tolerance of scikit-learn is 1e-13 for the gradient of the log loss, and 1e-10 for SVC.
    CHECK_THAT(model.objective, WithinRel(golden, 1.1e-6));
    CHECK(model.objective >= golden * (1 - 1e-8));
    // Class weights multiply the sample weights.
    const V s = weights.times("test", model.labels, model.labels.indices_of(set.y), V());
    recipe.class_weights = {};
    CHECK(recipe.fit(set.x, set.y, s).weights == model.weights);
    CHECK(recipe.fit(set.x, set.y).weights != model.weights);
  };
  check(LogisticRegression{}, balanced, golden::log_balanced);
  check(LogisticRegression{}, {{-1, 3}, {1, 1}}, golden::log_3_to_1);
  check(LinearSvm{}, balanced, golden::hinge_balanced);
  check(LinearSvm{}, {{-1, 3}}, golden::hinge_3_to_1);
  // With OneVsRest, class weights refer to the labels in y, not to the ±1 targets of each model.
  const auto& iris = shipped::iris();
  const V s = 1 + 4 * (iris.y.array() == 1).cast<double>();
  const auto weighted =
      OneVsRest{LogisticRegression{.class_weights = {{1, 5}}}}.fit(iris.x, iris.y);
  CHECK(weighted.scores(iris.x) ==
        OneVsRest{LogisticRegression{}}.fit(iris.x, iris.y, s).scores(iris.x));
  CHECK_THROWS_WITH((LinearSvm{.class_weights = {{0, 2}}}.fit(set.x, set.y)),
                    "LinearSvm::fit: class weights name label 0, which is not in y");
}

TEST_CASE("Classifiers: one sample is scored and predicted, in any form", "[models]") {
  const auto [x, y] = Problem{};
  const auto check = [&x = x](const auto& model) {
    const V predicted = model.predict(x);
    for (const Index i : {0, 17, 59}) {
      const V sample = x.row(i);
      CHECK(model.predict(x.row(i)) == V::Constant(1, predicted[i]));
      CHECK(model.predict_one(x.row(i)) == predicted[i]);
      CHECK(model.predict_one(sample) == predicted[i]);
      CHECK(model.predict_one(std::vector<double>(sample.begin(), sample.end())) == predicted[i]);
      CHECK(model.predict_one(Eigen::SparseVector<double>(sample.sparseView())) == predicted[i]);
    }
  };
  const auto model = LogisticRegression{.lambda = 1e-2}.fit(x, y);
  check(model);
  check(OneVsRest{LogisticRegression{.lambda = 1e-2}}.fit(x, y));
  check(SoftmaxRegression{}.fit(x, y));
  CHECK_THAT(model.probability(x.row(17)), WithinRel(model.probabilities(x)[17], 1e-12));
  CHECK_THROWS_WITH(model.predict_one(std::vector<double>{1, 2}),
                    "Classifier::predict_one: a sample of 2 numbers, but the model has 4 weights");
}

TEST_CASE("Classifiers: threads divide columns, and an observer sees them one by one", "[models]") {
  const auto& iris = shipped::iris();
  Index calls = 0;
  std::mutex mutex;
  // With an observer, dual ascent evaluates F after every epoch. This changes the last digits.
  const auto watched = [&](Index threads) {
    return OneVsRest{LinearSvm{.lambda = 1e-3, .threads = threads}}.fit(
        iris.x, iris.y, [&](const Progress&) {
          CHECK(mutex.try_lock());  // the observer is never called twice at a time
          ++calls;
          mutex.unlock();
        });
  };
  const auto alone = watched(1);
  for (const Index threads : {2, 3, 8})
    CHECK(watched(threads).scores(iris.x) == alone.scores(iris.x));
  CHECK(calls >= 12);
}

TEST_CASE("Classifiers: a label whose samples or class have weight 0 is ignored", "[models]") {
  const auto [x, two] = Problem{};
  V y = two, s = V::Ones(60);
  Matrix<double> wild = x;
  for (Index i = 5; i < 60; i += 10) {
    y[i] = i % 20 == 5 ? 7 : -3;  // further labels, only with weight 0
    s[i] = 0;
    wild.row(i).setConstant(1e150);
  }
  const auto check = [&, &x = x, &two = two](const auto& recipe, const auto& unseen) {
    const auto expected = recipe.fit(x, two, s);
    for (const auto& model : {recipe.fit(wild, y, s), unseen.fit(x, y, s)}) {
      CHECK(model.labels.values() == std::vector<double>{-1, 1});
      CHECK(model.scores(x) == expected.scores(x));
      CHECK(model.predict(x) == expected.predict(x));
    }
  };
  const LogisticRegression recipe{.lambda = 1e-3};
  check(recipe, recipe);
  const LogisticRegression even{.lambda = 1e-3, .class_weights = balanced};
  check(even, even);
  check(PerceptronClassifier{.epochs = 5}, PerceptronClassifier{.epochs = 5});
  const auto check_more = [&, &x = x, &two = two](auto plain) {
    auto unseen = plain;
    detail::innermost(unseen).class_weights = {{7, 0}, {-3, 0}};
    check(plain, unseen);
    const auto by_class = unseen.fit(x, y);
    CHECK(by_class.labels.values() == std::vector<double>{-1, 1});
    CHECK(by_class.scores(x) == plain.fit(x, two, s).scores(x));
  };
  check_more(OneVsRest{recipe});
  check_more(SoftmaxRegression{.lambda = 1e-3});

  Matrix<double> columns(60, 2);
  columns << y, -two;
  const auto each = recipe.fit_each(x, columns, s);
  CHECK(each[0].weights == recipe.fit(x, two, s).weights);
  CHECK(each[0].labels.values() == std::vector<double>{-1, 1});
  const auto by_sgd = recipe.with(Sgd{.epochs = 3});
  CHECK(by_sgd.fit_each(x, columns, s)[0].weights == by_sgd.fit(x, two, s).weights);
  s[5] = 1e-3;
  CHECK_THROWS_WITH(recipe.fit(x, y, s), ContainsSubstring("y has 3; OneVsRest takes"));
}

TEST_CASE("Classifiers: an optimizer takes the options that only the recipe sets", "[models]") {
  const LinearSvm recipe{.tolerance = 1e-3, .seed = 7, .threads = 2};
  const auto by = [&](const Sgd& sgd) { return recipe.with(sgd).optimizer; };
  CHECK((by({}).seed == 7 && by({}).threads == 2));
  CHECK((by({.seed = 9}).seed == 9 && by({.threads = 3}).threads == 3));
  // Sgd keeps its own tolerance, which does not bound F − F* like the tolerance of the recipe.
  CHECK(by({}).tolerance == Sgd{}.tolerance);
  CHECK(recipe.with(DualCoordinateAscent{}).optimizer.tolerance == 1e-3);
  CHECK(recipe.with(DualCoordinateAscent{.tolerance = 0}).optimizer.tolerance == 0);
}

}  // namespace classifiers_test
