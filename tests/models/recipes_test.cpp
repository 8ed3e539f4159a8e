// SPDX-License-Identifier: MIT
// The golden values are those of scikit-learn 1.2.1 on the shipped data, standardised, of n rows:
//   Ridge(alpha=n * 1e-2, solver="svd").fit(x, y), and its score and mean_absolute_error on x, y;
//   LinearRegression().fit(x, y).score(x, y);
//   LogisticRegression(C=1 / (n * 1e-2), tol=1e-12, max_iter=100000).fit(x, y), and its
//   predict_proba(x[:5]).
#include <array>
#include <linea/metrics/classification.hpp>
#include <linea/metrics/probabilities.hpp>
#include <linea/metrics/regression.hpp>
#include <linea/models/classifiers.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <linea/models/regressors.hpp>
#include <linea/models/softmax_regression.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "golden/minima.hpp"
#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/shipped.hpp"
#include "support/synthetic.hpp"

namespace recipes_test {

using namespace linea;
using namespace linea::test;
using V = Vector<double>;

TEST_CASE("LogisticRegression: is within 1 % of the minimum, with its probabilities", "[models]") {
  const auto& [x, y] = shipped::breast_cancer();
  const auto model = LogisticRegression{.lambda = 1e-2}.fit(x, y);
  CHECK(model.objective >= golden::log_1e2 * (1 - 1e-9));
  CHECK(model.objective < 1.01 * golden::log_1e2);
  const double golden[] = {2.116158407282693e-06, 0.0015576500690073557, 3.0911339999224754e-05,
                           0.005218725074559615, 0.0014459089258449032};
  const auto q = model.probabilities(x);
  for (Index i = 0; i < 5; ++i) CHECK_THAT(q[i], WithinAbs(golden[i], 2e-3));
  // Since ∂F/∂b = 0, the mean of the training probabilities is about the fraction of samples with
  // the larger label.
  CHECK_THAT(q.mean(), WithinAbs(357.0 / 569, 0.01));
  CHECK_THAT(log_loss(q, y),
             WithinRel(model.objective - 0.005 * model.weights.squaredNorm(), 1e-10));
}

TEST_CASE("Classifiers: labels that float cannot represent are predicted from float samples",
          "[models]") {
  const auto& set = shipped::breast_cancer();
  const Matrix<float> x = set.x.cast<float>();
  for (const auto& [small, large] : {std::pair{20230101.0, 20230102.0}, std::pair{0.1, 0.3}}) {
    const V y = (set.y.array() > 0).select(V::Constant(set.y.size(), large), small);
    CHECK(error_rate(LinearSvm{}.fit(x, y).predict(x), y) < 0.05);
    CHECK(error_rate(PerceptronClassifier{}.fit(x, y).predict(x), y) < 0.1);
    CHECK(error_rate(OneVsRest{LinearSvm{}}.fit(x, y).predict(x), y) < 0.05);
  }
}

TEST_CASE("Classifiers: refuse other than two classes", "[models]") {
  const auto x = synthetic::features(6, 3, 1);
  const auto y = synthetic::signs(x, 2);
  const std::string one = "two classes are needed, but all samples of weight above 0 are of class ";
  const auto check = [&](const std::string& name, const auto& recipe, bool takes_more) {
    CAPTURE(name);
    const auto refused = [&](const Matrix<double>& samples, const V& targets, const V& weights,
                             const std::string& why) {
      CHECK_THROWS_WITH(recipe.fit(samples, targets, weights), name + ": " + why);
    };
    V labels = V::Constant(6, 5), weights = V::Ones(6);
    refused(x, labels, {}, one + "5");
    labels[1] = 7;
    labels[4] = -1;
    if (!takes_more)
      refused(x, labels, {}, "two classes are needed, but y has 3; OneVsRest takes more than two");
    refused(x, y.head(4), {}, "x has 6 rows but y has 4");
    refused(Matrix<double>(0, 3), {}, {}, "x is empty (0 x 3)");
    weights[4] = 0;  // drops the only sample of label -1, so that two classes remain
    CHECK(recipe.fit(x, labels, weights).labels.values() == std::vector<double>{5, 7});
    weights[1] = 0;
    refused(x, labels, weights, one + "5");
    weights[2] = not_a_number;
    refused(x, y, weights, "sample weight 2 is nan");
    refused(x, y, V::Zero(6), "all sample weights are zero");
    refused(x, y, V::Ones(2), "2 sample weights but y has 6");
    auto one_sided = recipe;
    detail::innermost(one_sided).class_weights = {{1, 0}};
    CHECK_THROWS_WITH(one_sided.fit(x, y), name + ": " + one + "-1");
    labels[4] = not_a_number;
    CHECK_THROWS_WITH(recipe.fit(x, labels), ContainsSubstring("y(4) is not finite"));
    Matrix<double> broken = x;
    broken(2, 1) = infinity;
    CHECK_THROWS_WITH(recipe.fit(broken, y), ContainsSubstring("x(2, 1) is not finite"));
  };
  check("LogisticRegression::fit", LogisticRegression{.lambda = 1e-3}, false);
  check("PerceptronClassifier::fit", PerceptronClassifier{.average = true}, false);
  check("OneVsRest::fit", OneVsRest{PerceptronClassifier{}}, true);
  check("SoftmaxRegression::fit", SoftmaxRegression{}, true);
}

TEST_CASE("Recipes: an observer sees every epoch and can stop the run", "[models]") {
  const auto x = synthetic::features(60, 3, 1);
  const auto y = synthetic::signs(x, 2);
  const auto check = [&](const auto& recipe) {
    Index last = 0;
    const Extras<double> extras{.observer = [&](const Progress& progress) {
      last = progress.epoch;
      return progress.epoch == 2 ? Control::stop : Control::proceed;
    }};
    const auto model = recipe.fit(x, y, extras);
    CHECK(last == 2);
    CHECK(model.status == Status::stopped);
    // Newton's epochs are passes over the samples, several for each iteration.
    CHECK((model.optimizer == "Newton" ? model.epochs > 2 : model.epochs == 2));
  };
  check(PerceptronClassifier{});
  check(LinearSvm{.lambda = 1e-1});
  check(LogisticRegression{.lambda = 1e-1});
  check(LinearSvm{}.with(Sgd{}));
}

TEST_CASE("RidgeRegression: agrees with scikit-learn's Ridge for alpha = n lambda", "[models]") {
  const auto& [x, y] = shipped::diabetes();
  const double golden[] = {-0.3423518029893893, -11.156394579043065, 24.761874589705258,
                           15.245445205010078,  -18.103635259080214, 7.157825838062781,
                           -3.7381106241065236, 6.198334554964159,   28.17511915900477,
                           3.3835394858655037};
  const auto model = RidgeRegression{.lambda = 1e-2}.fit(x, y);
  CHECK((model.weights - Eigen::Map<const V>(golden, 10)).norm() < 1e-10);
  CHECK_THAT(model.offset, WithinRel(152.133484162896, 1e-12));
  const auto predicted = model.predict(x);
  CHECK_THAT(r2(predicted, y), WithinRel(0.5166278030298652, 1e-12));
  CHECK_THAT(mean_absolute_error(predicted, y), WithinRel(43.33994320416753, 1e-12));
  CHECK(RidgeRegression{.offset = false}.fit(x, y).offset == 0);
  CHECK_THAT(r2(LinearRegression{}.fit(x, y).predict(x), y), WithinRel(0.5177484222203499, 1e-12));
  // For data without noise the solution is exact.
  const auto few = synthetic::features(50, 4, 6);
  const V w = V::LinSpaced(4, -1, 2), exact = (few * w).array() + 3;
  const auto line = LinearRegression{}.fit(few, exact);
  CHECK((line.weights - w).norm() < 1e-14);
  CHECK_THAT(line.offset, WithinAbs(3, 1e-14));
  CHECK(r2(line.predict(few), exact) == 1);
}

TEST_CASE("RidgeRegression: a matrix of targets gives the predictions of its columns", "[models]") {
  const auto x = synthetic::features(50, 4, 1, 0.5);
  Matrix<double> y(50, 2);
  y << synthetic::numbers(x, 2), synthetic::numbers(x, 3);
  const auto both = RidgeRegression{.lambda = 0.1}.fit(x, y);
  REQUIRE(both.weights.rows() == 4);
  REQUIRE(both.status == Status::converged);
  const Matrix<double> predicted = both.predict(x);
  for (Index k = 0; k < 2; ++k) {
    const auto alone = RidgeRegression{.lambda = 0.1}.fit(x, y.col(k));
    REQUIRE((predicted.col(k) - alone.predict(x)).norm() < 1e-12);
  }
  REQUIRE((both.predict(synthetic::sparse(x)) - predicted).norm() < 1e-12);
  REQUIRE((LinearRegression{}.fit(x, y).weights - RidgeRegression{.lambda = 0}.fit(x, y).weights)
              .norm() < 1e-12);
  REQUIRE_THROWS_WITH(both.predict(Matrix<double>(1, 3)),
                      ContainsSubstring("x has 3 columns but the model has 4 weights a column"));
}

TEST_CASE("RidgeRegressionCv: fits with the penalty of the least leave-one-out error", "[models]") {
  const auto x = synthetic::features(30, 12, 41);
  const auto y = synthetic::numbers(x, 42, 3.0);
  const std::vector<double> lambdas{1e-4, 0.1, 100};
  REQUIRE(RidgePath{.lambdas = lambdas}.fit(x, y).best == 1);
  const auto chosen = RidgeRegressionCv{.lambdas = lambdas}.fit(x, y);
  const auto expected = RidgeRegression{.lambda = 0.1}.fit(x, y);
  CHECK((chosen.weights - expected.weights).norm() <= 1e-10 * expected.weights.norm());
  CHECK_THAT(chosen.offset, WithinRel(expected.offset, 1e-10));
  CHECK(chosen.reason == "the least leave-one-out error");
}

TEST_CASE("Recipes: many threads may share one recipe and one model", "[models]") {
  const auto& [x, y] = shipped::breast_cancer();
  const LogisticRegression recipe;
  const auto model = recipe.fit(x, y);
  const V expected = model.probabilities(x);
  std::array<bool, 4> same{};
  std::vector<std::thread> threads;
  for (bool& own : same)
    threads.emplace_back([&, &x = x, &y = y] {
      own = recipe.fit(x, y).weights == model.weights;
      for (int round = 0; round < 20; ++round) own = own && model.probabilities(x) == expected;
    });
  for (auto& thread : threads) thread.join();
  CHECK(same == std::array{true, true, true, true});
}

}  // namespace recipes_test
