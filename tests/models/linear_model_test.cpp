// SPDX-License-Identifier: MIT
#include <limits>
#include <linea/activations/hard_threshold.hpp>
#include <linea/activations/sigmoid.hpp>
#include <linea/activations/tanh.hpp>
#include <linea/models/linear_model.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <linea/rows/in_double.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/predictions.hpp"
#include "support/synthetic.hpp"

namespace linear_model_test {

using namespace linea;
using namespace linea::test;

namespace {

LinearModel<double> linear(std::initializer_list<double> weights, double offset) {
  LinearModel<double> model;
  model.weights = vector(weights);
  model.offset = offset;
  return model;
}

const ClassLabels three_or_eight(Eigen::Vector3d(8, 3, 8));

/// Returns a classifier of one feature, whose score is the feature.
template <class T = double>
ProbabilisticClassifier<T> identity() {
  LinearModel<T> model;
  model.weights.setOnes(1);
  return {{model, three_or_eight}};
}

Vector<float> floats(std::initializer_list<double> values) { return vector(values).cast<float>(); }

}  // namespace

TEST_CASE("LinearModel: a score is the inner product plus the offset", "[models]") {
  const auto x = synthetic::features(40, 3, 1, 0.6);
  const auto model = linear({1.5, -2, 0.25}, 7);
  const V expected = (x * model.weights).array() + 7;
  const auto check = [&](const auto& samples) {
    CHECK(model.scores(samples).isApprox(expected, 1e-14));
    CHECK_THAT(model.score(samples.row(5)), WithinRel(expected[5], 1e-14));
  };
  check(x);
  check(Eigen::MatrixXd(x));
  check(synthetic::sparse(x));
  CHECK(Regressor<double>{model}.predict(x) == model.scores(x));
  CHECK(model.scores(x.topRows(0)).size() == 0);
  const V sample = x.row(5);
  CHECK_THAT(model.score(sample), WithinRel(expected[5], 1e-14));
  CHECK_THAT(model.score(Eigen::SparseVector<double>(sample.sparseView())),
             WithinRel(expected[5], 1e-14));
  CHECK(linear({2}, 1).score(sample.row(0)) == 2 * sample[0] + 1);
  // Floats are read in double.
  const Matrix<float> narrow = x.cast<float>();
  CHECK(model.scores(in_double(narrow)) == model.scores(Matrix<double>(narrow.cast<double>())));
  const Vector<float> narrow_sample = narrow.row(5);
  CHECK_THAT(model.score(in_double(narrow_sample)),
             WithinRel(model.scores(in_double(narrow))[5], 1e-12));
}

TEST_CASE("One sparse sample is scored from its pairs of column and value", "[models]") {
  const LinearModel<double> model = linear({2, -3, 0.5, 7}, 0.25);
  const Vector<double> dense{{0, 2, 0, -1}};
  const std::vector<std::pair<int, float>> pairs{{3, -1.0F}, {1, 2.0F}};
  CHECK(model.score(pairs) == model.score(dense));
  CHECK(model.score(std::map<Index, double>{{1, 2}, {3, -1}}) == model.score(dense));
  CHECK(model.score(std::map<Index, double>{}) == 0.25);
  const ProbabilisticClassifier<double> classifier{{model, three_or_eight}};
  CHECK(classifier.probability(pairs) == classifier.probability(dense));
  CHECK(classifier.predict_one(pairs) == classifier.predict_one(dense));
  const OneVsRestClassifier<double, ProbabilisticClassifier<double>> all{three_or_eight,
                                                                         {classifier, classifier}};
  CHECK(all.predict_one(pairs) == 3);
  CHECK_THROWS_WITH(model.score(std::map<Index, double>{{4, 1}}),
                    "rows_from: row 0 names column 4 of 4");
}

TEST_CASE("ActivatedModel: applies the activation to the score of every row of x", "[models]") {
  ActivatedModel<double, HardThreshold> decision{linear({1, -2}, 0.5), {}};
  const Matrix<double> x{{1, 0}, {0, 1}, {-0.5, 0}, {not_a_number, 0}};
  const auto predicted = decision.predict(x);
  CHECK(predicted.head(3) == Eigen::Vector3d(1, 0, 1));
  CHECK(std::isnan(predicted[3]));
  CHECK(decision.predict(synthetic::sparse(Matrix<double>(x.topRows(3)))) == predicted.head(3));
  ActivatedModel<float, Tanh> squashed;
  squashed.weights = Vector<float>::Constant(1, 2);
  CHECK(squashed.predict(Matrix<float>(Matrix<float>::Ones(1, 1)))[0] == std::tanh(2.0F));
}

TEST_CASE("LinearModel: refuses samples of another size, longer or shorter", "[models]") {
  const auto model = linear({1, 2}, 0);
  const ProbabilisticClassifier<double> classifier{{model, three_or_eight}};
  const ActivatedModel<double, Sigmoid> activated{model, {}};
  const std::string message = "LinearModel::scores: x has 3 columns but the model has 2 weights";
  const Matrix<double> x = Matrix<double>::Ones(4, 3);
  REQUIRE_THROWS_WITH(model.scores(synthetic::sparse(x)), message);
  REQUIRE_THROWS_WITH(model.scores(Matrix<double>(0, 3)), message);
  const auto check = [&](const auto& sample) {
    const std::string tail =
        ": a sample of " + std::to_string(sample.size()) + " numbers, but the model has 2 weights";
    CHECK_THROWS_WITH(model.score(sample), "LinearModel::score" + tail);
    CHECK_THROWS_WITH(Regressor<double>{model}.predict_one(sample),
                      "Regressor::predict_one" + tail);
    CHECK_THROWS_WITH(activated.predict_one(sample), "ActivatedModel::predict_one" + tail);
    CHECK_THROWS_WITH(classifier.predict_one(sample), "Classifier::predict_one" + tail);
    CHECK_THROWS_WITH(classifier.probability(sample),
                      "ProbabilisticClassifier::probability" + tail);
  };
  check(V(V::Ones(3)));
  check(V(V::Ones(1)));
  check(Eigen::RowVectorXd(Eigen::RowVectorXd::Ones(3)));
  check(Eigen::SparseVector<double>(V(V::Ones(3)).sparseView()));
  // This sample has the required number of entries, but two rows.
  const Matrix<double> two = Matrix<double>::Ones(2, 1);
  CHECK_THROWS_WITH(model.score(two), "LinearModel::score: a sample is one row, but x has 2");
}

TEST_CASE("Classifier: the larger label for scores from 0 on, the smaller below", "[models]") {
  const double least = std::numeric_limits<double>::denorm_min();
  CHECK(identity().predict(vector({-5, -least, -0.0, 0, least, 5, infinity, -infinity})) ==
        vector({3, 3, 8, 8, 8, 8, 8, 3}));
  CHECK(identity<float>().predict(floats({-1, 0, 1})) == vector({3, 8, 8}));
}

TEST_CASE("Classifier: a row with a score of NaN has no class", "[models]") {
  const V x = vector({1, -1, not_a_number, 2});
  REQUIRE_THROWS_AS(identity().predict(x), std::invalid_argument);
  REQUIRE_THROWS_WITH(identity().predict(x), "Classifier::predict: row 2 of x is not finite");
  REQUIRE_THROWS_WITH(identity().predict_one(x.row(2)),
                      "Classifier::predict_one: the sample is not finite");
  CHECK(std::isnan(identity().probabilities(x)[2]));
  auto model = linear({}, 0);
  model.weights.resize(64);  // the sum will have terms of both signs that overflow
  for (Index j = 0; j < 64; ++j) model.weights[j] = j % 2 == 0 ? 1e300 : -1e300;
  const Classifier<double> classifier{model, three_or_eight};
  Matrix<double> huge = Matrix<double>::Constant(2, 64, 1e300);
  huge.row(0).setZero();
  const std::string tail = " is not a number, though the row is finite";
  CHECK_THROWS_WITH(classifier.predict(huge),
                    "Classifier::predict: the score of row 1 of x" + tail);
  CHECK_THROWS_WITH(classifier.predict_one(huge.row(1)),
                    "Classifier::predict_one: the score of the sample" + tail);
}

TEST_CASE("Probabilities: from 0 to 1 at any score, with the score as their log-odds", "[models]") {
  const V scores = vector({-30, -3, -0.1, 0, 1e-9, 0.7, 2, 5});
  const V q = identity().probabilities(scores), rest = identity().probabilities(V(-scores));
  CHECK(q[3] == 0.5);
  for (Index i = 0; i < scores.size(); ++i) {
    CAPTURE(scores[i]);
    CHECK_THAT(std::log(q[i]) - std::log(rest[i]),
               WithinAbs(scores[i], 1e-14 * (1 + std::abs(scores[i]))));
    CHECK_THAT(q[i] + rest[i], WithinRel(1.0, 1e-15));
  }
  const V far = identity().probabilities(vector({-1000, -700, 700, 1000, -infinity, infinity}));
  CHECK(far[0] == 0);  // the probability underflows
  CHECK_THAT(far[1], WithinRel(std::exp(-700.0), 1e-15));
  CHECK(far.tail(4) == vector({1, 1, 0, 1}));
  const auto narrow = identity<float>().probabilities(floats({-1000, -80, 80, 1000}));
  CHECK_THAT(narrow[1], WithinRel(std::exp(-80.0F), 1e-6F));
  CHECK(narrow[0] == 0);
  CHECK(narrow.tail(2) == floats({1, 1}));
}

TEST_CASE("OneVsRestClassifier: the highest score wins, the smaller of two equal labels",
          "[models]") {
  // A classifier of ten classes 10, 20, … and ten features: the scores of a sample are the sample
  // itself.
  OneVsRestClassifier<double, LinearModel<double>> classifier{
      ClassLabels(V(V::LinSpaced(10, 10, 100))), {}};
  for (Index k = 0; k < 10; ++k) {
    classifier.models.emplace_back();
    classifier.models.back().weights = V::Unit(10, k);
  }
  Matrix<double> x = Matrix<double>::Zero(4, 10);
  x(0, 6) = 1;
  x.row(1).setConstant(-2);
  x(2, 9) = x(2, 3) = x(2, 8) = 5;
  x.row(3).setConstant(-infinity);
  x(3, 1) = -1e300;
  CHECK(classifier.scores(x.topRows(3)) == x.topRows(3));
  CHECK(classifier.predict(x.topRows(3)) == vector({70, 10, 40}));
  x(2, 5) = not_a_number;
  CHECK_THROWS_WITH(classifier.predict(x),
                    "OneVsRestClassifier::predict: row 2 of x is not finite");
}

TEST_CASE("OneVsRestClassifier: probabilities are normalised, also if all underflow", "[models]") {
  OneVsRestClassifier<double, ProbabilisticClassifier<double>> classifier{
      ClassLabels(Eigen::Vector3d(0, 1, 2)), {}};
  for (const double slope : {1.0, -1.0, 2.0})
    classifier.models.push_back({{linear({slope}, -1000), three_or_eight}});
  const auto shares = classifier.probabilities(vector({1000, 0, not_a_number}));
  REQUIRE(shares.rows() == 3);
  REQUIRE(shares.cols() == 3);
  // Row 0: the probabilities 1/2, 0 and 1 are normalised to 1/3, 0 and 2/3. Row 1: all scores
  // are −1000. Row 2: the sample is NaN.
  CHECK((shares.row(0) - Eigen::RowVector3d(1, 0, 2) / 3).norm() < 1e-15);
  CHECK((shares.row(1) - Eigen::RowVector3d(1, 1, 1) / 3).norm() < 1e-15);
  CHECK(shares.row(2).array().isNaN().all());
  // All sigmoids underflow, but class 1 is certain.
  for (std::size_t k = 0; k < 3; ++k) classifier.models[k].weights.setZero();
  classifier.models[0].offset = -1000;
  classifier.models[1].offset = -800;
  classifier.models[2].offset = -800 - std::log(3);
  const Matrix<double> chances = classifier.probabilities(vector({0}));
  CHECK((chances - Eigen::RowVector3d(0, 0.75, 0.25)).norm() < 1e-12);
  // Below and above a largest score of -40 the probabilities are the same.
  for (const double top : {-41.0, -39.0, 3.0}) {
    classifier.models[0].offset = top - 1;
    classifier.models[1].offset = top;
    classifier.models[2].offset = top - 2;
    Eigen::RowVector3d q;
    for (int k = 0; k < 3; ++k)
      q[k] = 1 / (1 + std::exp(-classifier.models[static_cast<std::size_t>(k)].offset));
    CHECK((classifier.probabilities(vector({0})) - q / q.sum()).norm() < 1e-15);
  }
}

TEST_CASE("Predictions: the same bits with any number of threads", "[models]") {
  const auto x = synthetic::features(9001, 5, 1, 0.4);
  const ProbabilisticClassifier<double> model{
      {linear({-1, -0.5, 0, 0.5, 1}, 0.25), three_or_eight}};
  MultiTargetRegressor<double> targets;
  targets.weights = synthetic::features(5, 3, 2);
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
  same(synthetic::sparse(x));
  same(Matrix<double>(x.topRows(3)));
  CHECK(((model.scores(x, 2) - x * model.weights).array() - 0.25).abs().maxCoeff() < 1e-13);
  REQUIRE(model.scores(Matrix<double>(0, 5), 2).size() == 0);
  for (const Index threads : {0, 1025}) {
    const std::string tail =
        ": " + std::to_string(threads) + " threads, but there must be 1 to 1024";
    REQUIRE_THROWS_WITH(model.predict(x, threads), "LinearModel::scores" + tail);
    REQUIRE_THROWS_WITH(classes.scores(x, threads), "LinearModel::scores" + tail);
    REQUIRE_THROWS_WITH(classes.predict(x, threads), "LinearModel::scores" + tail);
    REQUIRE_THROWS_WITH(classes.probabilities(x, threads), "LinearModel::scores" + tail);
    REQUIRE_THROWS_WITH(targets.predict(x, threads), "MultiTargetRegressor::predict" + tail);
  }
}

}  // namespace linear_model_test
