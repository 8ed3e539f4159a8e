// SPDX-License-Identifier: MIT
// The golden values are those of scikit-learn 1.2.1 on the shipped iris data, standardised:
//   RidgeClassifier(alpha=150 * 1e-2, solver="svd").fit(x, y), its decision_function and predict;
//   OneVsRestClassifier(LogisticRegression(C=1 / (150 * 1e-2), tol=1e-12, max_iter=100000))
//     .fit(x, y).predict_proba.
#include <linea/metrics/classification.hpp>
#include <linea/models/classifiers.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <linea/models/regressors.hpp>
#include <linea/models/softmax_regression.hpp>
#include <type_traits>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/shipped.hpp"
#include "support/synthetic.hpp"

namespace one_vs_rest_test {

using namespace linea;

namespace {

/// A user's recipe whose only member is `fit`.
template <class Recipe>
struct Plain {
  Recipe recipe{};

  template <Samples X, VectorLike Y>
  auto fit(const X& x, const Y& y, const Extras<scalar_t<X>>& extras = {}) const {
    return recipe.fit(x, y, extras);
  }
};

}  // namespace

TEST_CASE("OneVsRest: gap, status and proof are the worst of the models", "[models]") {
  const auto& [x, y] = shipped::iris();
  auto model = OneVsRest{LogisticRegression{.lambda = 1e-2}}.fit(x, y);
  CHECK(model.is_proven(1e-6));
  CHECK(model.status() == Status::converged);
  model.models[1].gap = 0.25;
  model.models[1].status = Status::stopped;
  CHECK(model.gap() == 0.25);
  CHECK(model.status() == Status::stopped);
  model.models[1].gap = test::not_a_number;
  CHECK_FALSE(model.gap());
  model.models[1].gap.reset();
  CHECK_FALSE(model.gap());
  CHECK_FALSE(model.is_proven(1));
  model.models.clear();
  CHECK_FALSE(model.is_proven(1));
  CHECK(SoftmaxRegression{.lambda = 1e-2}.fit(x, y).is_proven(1e-6));
}

TEST_CASE("OneVsRest: classifies the iris data with any recipe", "[models]") {
  const auto& [x, y] = shipped::iris();
  const auto share = [&x = x, &y = y](const auto& recipe) {
    const auto model = OneVsRest{recipe}.fit(x, y);
    CHECK(model.labels.values() == std::vector<double>{0, 1, 2});
    const auto scores = model.scores(x);
    REQUIRE(model.models.size() == 3);
    REQUIRE(scores.cols() == 3);
    for (Index k = 0; k < 3; ++k)
      CHECK(scores.col(k) == model.models[static_cast<std::size_t>(k)].scores(x));
    // Every recipe separates setosa, the first 50 samples, from the other species.
    CHECK((scores.col(0).array() > 0).head(50).all());
    CHECK((scores.col(0).array() < 0).tail(100).all());
    CHECK_THROWS_WITH(
        model.predict_one(std::vector<double>{1}),
        "OneVsRestClassifier::predict_one: a sample of 1 numbers, but the model has 4 weights");
    return accuracy(model.predict(x), y);
  };
  CHECK(share(LogisticRegression{.lambda = 1e-3}) >= 0.94);  // 0.96 at the minimum of F
  CHECK(share(LinearSvm{.lambda = 1e-3}) >= 0.92);           // 0.947 at the minimum of F
  CHECK(share(PerceptronClassifier{.average = true}) >= 0.85);
  CHECK(share(RidgeRegression{.lambda = 1e-2}) == 127 / 150.0);  // the accuracy of scikit-learn
  CHECK(share(LinearRegression{}) >= 0.8);
}

TEST_CASE("OneVsRest: scikit-learn's scores of ridge and probabilities of logistic regression",
          "[models]") {
  const auto& [x, y] = shipped::iris();
  const auto ridge = OneVsRest{RidgeRegression{.lambda = 1e-2}}.fit(x, y).scores(x);
  const auto found =
      OneVsRest{LogisticRegression{.lambda = 1e-2, .tolerance = 1e-6}}.fit(x, y).probabilities(x);
  const Eigen::Matrix3d scores{{0.9466008112447992, -0.7435251068399324, -1.203075704404866},
                               {-0.8167739787674737, 0.7177752951885095, -0.901001316421036},
                               {-1.1514840794303218, -0.6710302925729239, 0.8225143720032453}};
  const Eigen::Matrix3d shares{{0.9061875405208271, 0.09377855303500782, 3.390644416493946e-05},
                               {0.03399992931706765, 0.9368023622572321, 0.02919770842570026},
                               {0.000757161063225846, 0.15620728313897117, 0.843035555797803}};
  CHECK((found.rowwise().sum().array() - 1).abs().maxCoeff() < 1e-15);
  CHECK(found.minCoeff() >= 0);
  for (Index i = 0; i < 3; ++i) {  // compare rows 0, 60 and 120
    CHECK((ridge.row(60 * i) - scores.row(i)).norm() < 1e-12);
    // F of each model is within 1e-6·F of its minimum, but F is flat there.
    CHECK((found.row(60 * i) - shares.row(i)).norm() < 0.02);
  }
}

TEST_CASE("OneVsRest: for two classes it agrees with the recipe alone", "[models]") {
  const auto x = synthetic::features(80, 3, 1);
  const Vector<double> y = (synthetic::signs(x, 2).array() + 4).matrix();  // the labels 3 and 5
  const auto agrees = [&](const auto& recipe) {
    const auto alone = recipe.fit(x, y);
    const auto both = OneVsRest{recipe}.fit(x, y);
    // The two models mirror each other, except for rounding in the offset at which they start.
    const auto scores = both.scores(x);
    CHECK((scores.col(1) - alone.scores(x)).norm() == 0);
    CHECK((scores.col(0) + scores.col(1)).norm() < 1e-6 * scores.norm());
    CHECK(both.predict(x) == alone.predict(x));
    if constexpr (requires { alone.probabilities(x); })
      CHECK((both.probabilities(x).col(1) - alone.probabilities(x)).norm() < 1e-6);
  };
  agrees(LinearSvm{.lambda = 1e-2});
  agrees(LogisticRegression{.lambda = 1e-2});
  agrees(PerceptronClassifier{.epochs = 5});
}

TEST_CASE("OneVsRest: one pass for all classes gives the bits of separate fits", "[models]") {
  const auto& [x, y] = shipped::iris();
  const auto check = [&y = y](auto recipe, const auto& samples, const auto& extras) {
    const auto alone = OneVsRest{Plain<decltype(recipe)>{recipe}}.fit(samples, y, extras);
    for (const Index threads : {1, 2, 3}) {
      detail::innermost(recipe).threads = threads;
      const auto model = OneVsRest{recipe}.fit(samples, y, extras);
      static_assert(std::is_same_v<decltype(model), decltype(alone)>);
      REQUIRE(model.models.size() == 3);
      for (std::size_t k = 0; k < 3; ++k) {
        const auto &one = model.models[k], &other = alone.models[k];
        CHECK(one.weights == other.weights);
        CHECK(one.offset == other.offset);
        CHECK(one.objective == other.objective);
        CHECK(one.epochs == other.epochs);
        CHECK(one.updates == other.updates);
        CHECK(one.status == other.status);
        CHECK(one.iterate == other.iterate);
        CHECK(one.labels.values() == other.labels.values());
      }
      CHECK(model.predict(samples) == alone.predict(samples));
    }
  };
  const auto by_sgd = LinearSvm{.lambda = 1e-3}.with(Sgd{.epochs = 30});
  check(by_sgd, synthetic::sparse(x), Extras<double>{});
  for (const Extras<double>& extras :
       {Extras<double>{}, Extras<double>{.sample_weights = Vector<double>::LinSpaced(150, 1, 2)}}) {
    check(by_sgd, x, extras);
    check(LinearSvm{.lambda = 1e-3}, x, extras);
    check(LogisticRegression{.lambda = 1e-3, .seed = 4}, x, extras);
  }
}

TEST_CASE("Recipes: columns of any two labels are fitted as if alone", "[models]") {
  const auto x = synthetic::features(80, 3, 1);
  Eigen::MatrixXi y(80, 2);
  y.col(0) = (synthetic::signs(x, 2).array() + 4).cast<int>();
  y.col(1) = (3 * synthetic::signs(x, 3)).cast<int>();
  const auto check = [&](auto recipe) {
    const auto models = recipe.fit_each(x, y);
    REQUIRE(models.size() == 2);
    for (Index k = 0; k < 2; ++k) {
      const auto alone = recipe.fit(x, y.col(k));
      const auto& model = models[static_cast<std::size_t>(k)];
      CHECK(model.weights == alone.weights);
      CHECK(model.predict(x) == alone.predict(x));
    }
    detail::innermost(recipe).threads = 0;
    CHECK_THROWS_WITH(recipe.fit(x, y.col(0)), ContainsSubstring("::fit: 0 threads"));
  };
  check(LinearSvm{}.with(Sgd{.epochs = 5}));
  check(LinearSvm{});
  check(LogisticRegression{});
  REQUIRE_THROWS_WITH(LinearSvm{}.fit_each(x, Eigen::MatrixXi(80, 0)),
                      "LinearSvm::fit_each: y has no columns");
  y.col(1).setZero();
  REQUIRE_THROWS_WITH(
      LogisticRegression{}.fit_each(x, y),
      "LogisticRegression::fit_each: two classes are needed, but all samples of weight above 0 "
      "are of class 0");
}

}  // namespace one_vs_rest_test
