// SPDX-License-Identifier: MIT
#include <limits>
#include <linea/models/linear_model.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <string>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/synthetic.hpp"

namespace linear_model_test {

using namespace linea;
using namespace linea::test;

namespace {

template <class T = double>
LinearModel<T> linear(std::initializer_list<double> weights, double offset) {
  LinearModel<T> model;
  model.weights =
      Eigen::Map<const Eigen::VectorXd>(weights.begin(), static_cast<Index>(weights.size()))
          .template cast<T>();
  model.offset = static_cast<T>(offset);
  return model;
}

const ClassLabels three_or_eight(Eigen::Vector3d(8, 3, 8));

/// A classifier of one feature whose score is that feature.
template <class T = double>
ProbabilisticClassifier<T> identity() {
  return {{linear<T>({1}, 0), ClassLabels(Eigen::Vector2d(3, 8))}};
}

template <class T>
Vector<T> column(std::initializer_list<double> values) {
  return Eigen::Map<const Eigen::VectorXd>(values.begin(), static_cast<Index>(values.size()))
      .template cast<T>();
}

}  // namespace

TEST_CASE("LinearModel: a score is the inner product plus the offset", "[models]") {
  const auto x = synthetic::features(40, 3, 1, 0.6);
  const auto model = linear({1.5, -2, 0.25}, 7);
  const Vector<double> expected = (x * model.weights).array() + 7;
  const double rounding = 1e-14 * expected.norm();
  CHECK((model.scores(x) - expected).norm() < rounding);
  CHECK((model.scores(Eigen::MatrixXd(x)) - expected).norm() < rounding);
  const auto sparse = synthetic::sparse(x);
  CHECK((model.scores(sparse) - expected).norm() < rounding);
  CHECK((Regressor<double>{model}.predict(x) - expected).norm() < rounding);
  CHECK(model.scores(x.topRows(0)).size() == 0);

  // One sample, however it is held.
  const Vector<double> sample = x.row(5);
  const Eigen::SparseVector<double> few = sample.sparseView();
  CHECK_THAT(model.score(sample), WithinAbs(expected[5], rounding));
  CHECK_THAT(model.score(x.row(5)), WithinAbs(expected[5], rounding));
  CHECK_THAT(model.score(Eigen::MatrixXd(x).row(5)), WithinAbs(expected[5], rounding));
  CHECK_THAT(model.score(sparse.row(5)), WithinAbs(expected[5], rounding));
  CHECK_THAT(model.score(few), WithinAbs(expected[5], rounding));
  CHECK(linear({2}, 1).score(sample.row(0)) == 2 * sample[0] + 1);
}

TEST_CASE("LinearModel: refuses another number of columns", "[models]") {
  const auto model = linear({1, 2}, 0);
  const std::string message = "LinearModel::scores: x has 3 columns but the model has 2 weights";
  const Matrix<double> x = Matrix<double>::Ones(4, 3);
  REQUIRE_THROWS_AS(model.scores(x), std::invalid_argument);
  REQUIRE_THROWS_WITH(model.scores(x), message);
  REQUIRE_THROWS_WITH(model.scores(synthetic::sparse(x)), message);
  REQUIRE_THROWS_WITH(Regressor<double>{model}.predict(x), message);
  const Classifier<double> classifier{model, three_or_eight};
  REQUIRE_THROWS_WITH(classifier.predict(x), message);
  REQUIRE_THROWS_WITH((ProbabilisticClassifier<double>{classifier}.probabilities(x)), message);
  REQUIRE_THROWS_WITH(model.scores(Matrix<double>(0, 3)), message);
}

TEST_CASE("LinearModel: one sample of another size is refused, longer or shorter", "[models]") {
  const auto check = [](const auto& model, const auto& sample) {
    const std::string tail =
        ": a sample of " + std::to_string(sample.size()) + " numbers, but the model has 2 weights";
    const ProbabilisticClassifier<double> classifier{{model, three_or_eight}};
    const ActivatedModel<double, Sigmoid> activated{model, {}};
    CHECK_THROWS_WITH(model.score(sample), "LinearModel::score" + tail);
    CHECK_THROWS_WITH(classifier.score(sample), "LinearModel::score" + tail);
    CHECK_THROWS_WITH(Regressor<double>{model}.predict_one(sample),
                      "Regressor::predict_one" + tail);
    CHECK_THROWS_WITH(activated.predict_one(sample), "ActivatedModel::predict_one" + tail);
    CHECK_THROWS_WITH(classifier.predict_one(sample), "Classifier::predict_one" + tail);
    CHECK_THROWS_WITH(classifier.probability(sample),
                      "ProbabilisticClassifier::probability" + tail);
  };
  const auto model = linear({1, 2}, 0);
  const Vector<double> longer = Vector<double>::Ones(3);
  const Eigen::SparseVector<double> sparse = longer.sparseView();
  check(model, longer);
  check(model, Vector<double>(Vector<double>::Ones(1)));
  check(model, Eigen::RowVectorXd(longer.transpose()));
  check(model, sparse);
  const Matrix<double> two = Matrix<double>::Ones(2, 1);  // as many numbers, but two rows
  CHECK_THROWS_WITH(model.score(two), "LinearModel::score: a sample is one row, but x has 2");
}

TEST_CASE("Classifier: a finite row whose score overflows has no class, and is called finite",
          "[models]") {
  auto model = linear({0.0}, 0);
  model.weights.resize(64);  // terms beyond the largest double, of both signs
  for (Index j = 0; j < 64; ++j) model.weights[j] = j % 2 == 0 ? 1e300 : -1e300;
  const Classifier<double> classifier{model, three_or_eight};
  Matrix<double> x = Matrix<double>::Constant(2, 64, 1e300);
  x.row(0).setZero();
  CHECK_THROWS_WITH(classifier.predict(x),
                    "Classifier::predict: the score of row 1 of x is not a number, though the row "
                    "is finite");
  CHECK_THROWS_WITH(classifier.predict_one(x.row(1)),
                    "Classifier::predict_one: the score of the sample is not a number, though the "
                    "row is finite");
}

TEST_CASE("Classifier: the larger label from score 0 on, the smaller below", "[models]") {
  const double least = std::numeric_limits<double>::denorm_min();
  const auto predicted =
      identity().predict(column<double>({-5, -least, -0.0, 0, least, 5, infinity, -infinity}));
  CHECK(predicted == column<double>({3, 3, 8, 8, 8, 8, 8, 3}));
  CHECK(identity<float>().predict(column<float>({-1, 0, 1})) == column<double>({3, 8, 8}));
}

TEST_CASE("Classifier: a row that is not a number has no class", "[models]") {
  const auto x = column<double>({1, -1, not_a_number, 2});
  REQUIRE_THROWS_AS(identity().predict(x), std::invalid_argument);
  REQUIRE_THROWS_WITH(identity().predict(x), "Classifier::predict: row 2 of x is not finite");
  REQUIRE_THROWS_WITH(identity().predict_one(x.row(2)),
                      "Classifier::predict_one: the sample is not finite");
  CHECK(std::isnan(identity().probabilities(x)[2]));
}

TEST_CASE("Probabilities: their log-odds are the score", "[models]") {
  const auto scores = column<double>({-30, -3, -0.1, 0, 1e-9, 0.7, 2, 5});
  const auto q = identity().probabilities(scores);
  const auto rest = identity().probabilities(Vector<double>(-scores));
  CHECK(q[3] == 0.5);
  for (Index i = 0; i < scores.size(); ++i) {
    CAPTURE(scores[i]);
    CHECK_THAT(std::log(q[i]) - std::log(rest[i]),
               WithinAbs(scores[i], 1e-14 * (1 + std::abs(scores[i]))));
    CHECK_THAT(q[i] + rest[i], WithinRel(1.0, 1e-15));
  }
}

TEST_CASE("Probabilities: stay from 0 to 1 at any score, and keep their digits near 0",
          "[models]") {
  const auto q =
      identity().probabilities(column<double>({-1000, -700, 700, 1000, -infinity, infinity}));
  CHECK(q[0] == 0);  // below the smallest double
  CHECK_THAT(q[1], WithinRel(std::exp(-700.0), 1e-15));
  CHECK(q.tail(4) == column<double>({1, 1, 0, 1}));
  const auto narrow = identity<float>().probabilities(column<float>({-1000, -80, 80, 1000}));
  CHECK_THAT(narrow[1], WithinRel(std::exp(-80.0F), 1e-6F));
  CHECK(narrow[0] == 0);
  CHECK(narrow.tail(2) == column<float>({1, 1}));
}

TEST_CASE("OneVsRestClassifier: the highest score wins, the smaller label of two equal ones",
          "[models]") {
  // Ten classes 10, 20, … of one feature each: the scores of a sample are the sample.
  OneVsRestClassifier<double, LinearModel<double>> classifier{
      ClassLabels(Vector<double>(Vector<double>::LinSpaced(10, 10, 100))), {}};
  for (Index k = 0; k < 10; ++k) {
    auto model = linear({0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 0);
    model.weights[k] = 1;
    classifier.models.push_back(model);
  }
  Matrix<double> x = Matrix<double>::Zero(4, 10);
  x(0, 6) = 1;
  x.row(1).setConstant(-2);
  x(2, 9) = x(2, 3) = x(2, 8) = 5;
  x.row(3).setConstant(-infinity);
  x(3, 1) = -1e300;
  CHECK(classifier.scores(x.topRows(3)) == x.topRows(3));
  CHECK(classifier.predict(x.topRows(3)) == column<double>({70, 10, 40}));
  x(2, 5) = not_a_number;
  CHECK_THROWS_WITH(classifier.predict(x),
                    "OneVsRestClassifier::predict: row 2 of x is not finite");
}

TEST_CASE("OneVsRestClassifier: probabilities are shares, of nothing equal ones", "[models]") {
  OneVsRestClassifier<double, ProbabilisticClassifier<double>> classifier{
      ClassLabels(Eigen::Vector3d(0, 1, 2)), {}};
  for (const double slope : {1.0, -1.0, 2.0})
    classifier.models.push_back({{linear({slope}, -1000), three_or_eight}});
  const auto shares = classifier.probabilities(column<double>({1000, 0, not_a_number}));
  REQUIRE(shares.rows() == 3);
  REQUIRE(shares.cols() == 3);
  // Of 1/2, 0 and 1 the shares are 1/3, 0 and 2/3; at 0 every model gives its class no chance at
  // all.
  CHECK((shares.row(0) - Eigen::RowVector3d(1, 0, 2) / 3).norm() < 1e-15);
  CHECK((shares.row(1) - Eigen::RowVector3d(1, 1, 1) / 3).norm() < 1e-15);
  CHECK(shares.row(2).array().isNaN().all());
}

TEST_CASE("Predictions: the same bits with any number of threads", "[models]") {
  const auto x = synthetic::features(9001, 5, 1);
  const Eigen::MatrixXd columns = x;
  const auto sparse = synthetic::sparse(synthetic::features(9001, 5, 2, 0.4));
  const ProbabilisticClassifier<double> model{
      {linear({-1, -0.5, 0, 0.5, 1}, 0.25), ClassLabels(Eigen::Vector2d(3, 7))}};
  MultiTargetRegressor<double> targets;
  targets.weights = Matrix<double>::Random(5, 3);
  targets.offset = Eigen::Vector3d(1, 2, 3);
  OneVsRestClassifier<double, ProbabilisticClassifier<double>> classes{
      ClassLabels(Eigen::Vector3d(1, 2, 3)), {model, model, model}};
  classes.models[0].weights.reverseInPlace();
  classes.models[2].offset = -0.25;
  const auto same = [&](const auto& samples) {
    for (const Index threads : {2, 3, 64}) {
      CHECK(model.scores(samples, threads) == model.scores(samples));
      CHECK(model.predict(samples, threads) == model.predict(samples));
      CHECK(model.probabilities(samples, threads) == model.probabilities(samples));
      CHECK(targets.predict(samples, threads) == targets.predict(samples));
      CHECK(classes.scores(samples, threads) == classes.scores(samples));
      CHECK(classes.predict(samples, threads) == classes.predict(samples));
      CHECK(classes.probabilities(samples, threads) == classes.probabilities(samples));
    }
  };
  same(x);
  same(columns);
  same(sparse);
  same(Matrix<double>(x.topRows(3)));
  CHECK(((model.scores(x, 2) - x * model.weights).array() - 0.25).abs().maxCoeff() < 1e-13);
  REQUIRE(model.scores(Matrix<double>(0, 5), 2).size() == 0);
  REQUIRE_THROWS_WITH(model.predict(x, 0),
                      "LinearModel::scores: 0 threads, but from 1 to 1024 can be had");
  for (const Index threads : {0, 1025}) {
    const std::string message = "LinearModel::scores: " + std::to_string(threads) +
                                " threads, but from 1 to 1024 can be had";
    REQUIRE_THROWS_WITH(classes.scores(x, threads), message);
    REQUIRE_THROWS_WITH(classes.predict(x, threads), message);
    REQUIRE_THROWS_WITH(classes.probabilities(x, threads), message);
  }
  REQUIRE_THROWS_WITH(targets.predict(x, 1025),
                      "MultiTargetRegressor::predict: 1025 threads, but from 1 to 1024 can be had");
}

}  // namespace linear_model_test
