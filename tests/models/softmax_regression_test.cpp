// SPDX-License-Identifier: MIT
// The golden values are those of scikit-learn 1.2.1 on the shipped iris data, standardised:
//   LogisticRegression(C=1 / (150 * 1e-2), tol=1e-12, max_iter=1000, solver="newton-cg",
//     multi_class="multinomial").fit(x, y), its predict_proba, decision_function and score.
#include <linea/metrics/classification.hpp>
#include <linea/models/cross_validation.hpp>
#include <linea/models/softmax_regression.hpp>
#include <linea/models/standardised.hpp>
#include <type_traits>

#include "golden/softmax.hpp"
#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/shipped.hpp"
#include "support/synthetic.hpp"

namespace softmax_regression_test {

using namespace linea;
using namespace linea::test;
using V = Vector<double>;

TEST_CASE(
    "SoftmaxRegression: agrees with scikit-learn's scores, probabilities and labels of the iris "
    "data",
    "[models]") {
  const auto& [x, y] = shipped::iris();
  const auto model = SoftmaxRegression{.lambda = 1e-2, .tolerance = 1e-12}.fit(x, y);
  CHECK(model.status == Status::converged);
  CHECK_THAT(model.objective, WithinRel(golden::softmax_iris_1e2, 1e-10));
  CHECK(model.labels.values() == std::vector<double>{0, 1, 2});
  const Eigen::Matrix3d scores{{6.059768587173011, 2.230559174318333, -8.290327761491358},
                               {-1.1053035348332523, 2.422798902965608, -1.3174953681323591},
                               {-5.311922164053868, 0.9967579250969086, 4.315164238956963}};
  const Eigen::Matrix3d chances{{0.9787346680987562, 0.021264758448925374, 5.734523184022056e-07},
                                {0.027879937468496842, 0.9495705035203649, 0.022549559011138382},
                                {6.361124347965609e-05, 0.03494289121089393, 0.9649934975456265}};
  const auto found = model.scores(x);
  const auto probabilities = model.probabilities(x);
  for (Index i = 0; i < 3; ++i) {  // compare rows 0, 60 and 120
    CHECK((found.row(60 * i) - scores.row(i)).norm() < 1e-4);
    CHECK((probabilities.row(60 * i) - chances.row(i)).norm() < 1e-5);
  }
  CHECK((probabilities.rowwise().sum().array() - 1).abs().maxCoeff() < 1e-15);
  CHECK(probabilities.minCoeff() >= 0);
  CHECK(accuracy(model.predict(x), y) == 144 / 150.0);
}

TEST_CASE("SoftmaxRegression: sparse x, floats and single samples agree", "[models]") {
  const auto& x = shipped::iris().x;
  const V y = (10 - 7 * shipped::iris().y.array()).matrix();  // the labels 10, 3 and -4
  const auto model = SoftmaxRegression{}.fit(x, y);
  CHECK(model.labels.values() == std::vector<double>{-4, 3, 10});
  CHECK(accuracy(model.predict(x), y) >= 0.96);
  const auto scores = model.scores(x);
  const V of_one = scores.row(70);
  const auto agrees = [&](const auto& other) {
    CHECK((model.scores(other) - scores).cwiseAbs().maxCoeff() < 1e-12);
    CHECK((model.score(other.row(70)) - of_one).norm() < 1e-12);
    CHECK(model.predict(other) == model.predict(x));
    CHECK(model.scores(other, 3) == model.scores(other));
  };
  agrees(x);
  agrees(synthetic::sparse(x));

  const Matrix<float> floats = x.cast<float>();
  const auto of_floats = SoftmaxRegression{}.fit(floats, y);
  static_assert(std::is_same_v<decltype(of_floats.probabilities(floats)), Matrix<float>>);
  CHECK(of_floats.status == Status::converged);
  CHECK_THAT(of_floats.objective, WithinRel(model.objective, 2e-6));
  CHECK(of_floats.predict(floats) == model.predict(x));
  CHECK((of_floats.probabilities(floats).rowwise().sum().array() - 1).abs().maxCoeff() < 1e-6);

  const auto without = SoftmaxRegression{.offset = false}.fit(x, y);
  CHECK(without.offset.isZero(0));
  CHECK(without.objective > model.objective);
}

TEST_CASE("SoftmaxRegression: ties, rows that are not finite, and scores beyond the range of exp",
          "[models]") {
  SoftmaxClassifier<double> model{{}, ClassLabels(V{{5, 7, 9}})};
  model.weights = Matrix<double>{{0, 1, 1}};
  model.offset = V::Zero(3);
  const Matrix<double> x{{1}, {-1}, {1e4}, {0}};
  CHECK(model.predict(x) == V{{7, 5, 7, 5}});
  const auto chances = model.probabilities(x);
  CHECK(chances(2, 0) == 0);
  CHECK(chances(2, 1) == 0.5);
  CHECK_THAT(chances(3, 2), WithinAbs(1.0 / 3, 1e-15));
  CHECK(model.scores(Matrix<double>(0, 1)).rows() == 0);
  const Matrix<double> broken{{1}, {not_a_number}};
  CHECK_THROWS_WITH(model.predict(broken), "SoftmaxClassifier::predict: row 1 of x is not finite");
  CHECK(std::isnan(model.probabilities(broken)(1, 2)));
  model.offset[1] = -infinity;
  model.weights *= 1e10;
  CHECK_THROWS_WITH(model.predict(Matrix<double>{{0}, {1e308}}),
                    "SoftmaxClassifier::predict: the score of row 1 of x is not a number, though "
                    "the row is finite");
}

TEST_CASE("SoftmaxRegression: refuses invalid input", "[models]") {
  const auto x = synthetic::features(4, 2, 3);
  const V y{{1, 2, 3, 1}};
  CHECK_THROWS_WITH(SoftmaxRegression{.lambda = -1}.fit(x, y), ContainsSubstring("lambda = -1"));
  CHECK_THROWS_WITH(SoftmaxRegression{.tolerance = -1}.fit(x, y),
                    ContainsSubstring("tolerance = -1"));
  CHECK_THROWS_WITH(SoftmaxRegression{.threads = 0}.fit(x, y), ContainsSubstring("0 threads"));
  const auto model = SoftmaxRegression{}.fit(x, y);
  CHECK_THROWS_WITH(
      model.scores(synthetic::features(3, 5, 4)),
      "SoftmaxClassifier::scores: x has 5 columns but the model has 2 weights a column");
  CHECK_THROWS_WITH(model.scores(x, 0),
                    "SoftmaxClassifier::scores: 0 threads, but there must be 1 to 1024");
  for (const Index d : {1, 3}) {
    CHECK_THROWS_WITH(model.score(V(V::Ones(d))),
                      ContainsSubstring("SoftmaxClassifier::score: a sample of"));
    CHECK_THROWS_WITH(model.predict_one(std::vector<double>(static_cast<std::size_t>(d))),
                      ContainsSubstring("SoftmaxClassifier::predict_one: a sample of"));
  }
  CHECK_THROWS_WITH(model.score(Matrix<double>(Matrix<double>::Ones(2, 2))),
                    "SoftmaxClassifier::score: a sample is one row, but x has 2");
}

TEST_CASE("SoftmaxRegression: class weights multiply sample weights, and y may be a list",
          "[models]") {
  const auto& [x, y] = shipped::iris();
  const SoftmaxRegression plain{.lambda = 1e-2};
  const auto weighted = SoftmaxRegression{.lambda = 1e-2, .class_weights = {{1, 4}}}.fit(
      x, std::vector<double>(y.begin(), y.end()));
  const V s = 1 + 3 * (y.array() == 1).cast<double>();
  CHECK(weighted.weights == plain.fit(x, y, s).weights);
  CHECK(weighted.penalty == "l2 (lambda = 0.01)");
  // The three classes have equal sizes, so balanced class weights have no effect.
  const SoftmaxRegression even{.lambda = 1e-2, .class_weights = balanced};
  CHECK((even.fit(x, y).weights - plain.fit(x, y).weights).norm() < 1e-9);
  // A class whose weights are tiny still counts.
  V light = V::Ones(150);
  light.tail(50).setConstant(1e-320);
  const auto model = plain.fit(x, y, light);
  CHECK(model.labels.size() == 3);
  CHECK(model.weights.cols() == 3);
}

TEST_CASE("SoftmaxRegression: standardised, and chosen by cross-validation", "[models]") {
  const auto& [x, y] = shipped::iris();
  Matrix<double> raw = x;
  raw.col(0) = raw.col(0).array() * 1000 + 5e3;
  const auto model = Standardised{SoftmaxRegression{.lambda = 1e-2}}.fit(raw, y);
  const auto expected = SoftmaxRegression{.lambda = 1e-2}.fit(x, y);
  CHECK_THAT(model.objective, WithinRel(expected.objective, 1e-9));
  CHECK((model.probabilities(raw) - expected.probabilities(x)).norm() < 1e-6);
  const auto chosen =
      CrossValidation{}.choose(Standardised{SoftmaxRegression{}}, {10, 1e-2}, raw, y);
  CHECK(chosen.best == 1);
  CHECK(chosen.mean[1] < 0.1);
}

}  // namespace softmax_regression_test
