// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/activations.hpp>
#include <linea/losses.hpp>
#include <linea/models/classifiers.hpp>
#include <linea/models/regressors.hpp>
#include <linea/models/standardised.hpp>
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/interior_point.hpp>
#include <linea/optimizers/newton.hpp>
#include <type_traits>
#include <vector>

#include "golden/minima.hpp"
#include "golden/models.hpp"
#include "support/catch.hpp"
#include "support/shipped.hpp"
#include "support/synthetic.hpp"

namespace regressors_test {

using namespace linea;
using V = Vector<double>;

namespace {

/// Checks that F of the model is that of scikit-learn, within the model's gap.
template <class M>
void check_minimum(const M& model, double golden) {
  CHECK(model.status == Status::converged);
  REQUIRE(model.gap);
  CHECK(*model.gap <= 1e-6 * model.objective);
  CHECK(model.objective >= golden * (1 - 1e-9));
  CHECK(model.objective - *model.gap <= golden * (1 + 1e-9));
}

/// Draws Poisson counts with means exp(⟨w, x⟩ + b) for the rows of x, by Knuth's product of uniform
/// numbers.
V counts(const Matrix<double>& x, const V& w, double b, std::uint64_t seed) {
  Random random(seed);
  return ((x * w).array() + b).matrix().unaryExpr([&](double score) {
    double count = 0;
    for (double product = random.uniform(); product > std::exp(-std::exp(score));
         product *= random.uniform())
      ++count;
    return count;
  });
}

const GeneralisedLinearModel poisson{Poisson{}, Exponential{}, 1e-3};

}  // namespace

TEST_CASE("Regressors: agree with scikit-learn's minima", "[models]") {
  const auto& set = shipped::diabetes();
  const auto lasso = Lasso{.lambda = 1}.fit(set.x, set.y);
  check_minimum(lasso, golden::lasso_1);
  CHECK(static_cast<double>((lasso.weights.array() == 0).count()) == golden::lasso_1_zeros);
  check_minimum(ElasticNetRegression{.lambda = 1, .l1_ratio = 0.3}.fit(set.x, set.y),
                golden::elastic_net_1);
  const QuantileRegression quantile{.loss = {.level = 0.8}, .lambda = 0};
  check_minimum(quantile.with(InteriorPoint{.tolerance = 1e-6}).fit(set.x, set.y),
                golden::quantile_80);
  check_minimum(SupportVectorRegression{.loss = {.epsilon = 10}, .lambda = 1e-2}.fit(set.x, set.y),
                golden::support_vector_10);
  const auto model = PoissonRegression{.lambda = 1e-2}.fit(set.x, set.y);
  check_minimum(model, golden::poisson_1e2);
  CHECK((model.predict(set.x).array() > 0).all());
  // Targets are counts divided by exposures of 1 to 5, with the exposures as weights.
  const V exposure = V::NullaryExpr(set.y.size(), [](Index i) { return 1.0 + double(i % 5); });
  check_minimum(
      PoissonRegression{.lambda = 1e-2}.fit(set.x, set.y.cwiseQuotient(exposure).eval(), exposure),
      golden::poisson_rates);
}

TEST_CASE("HuberRegression: two optimizers agree, and with ridge regression for a large delta",
          "[models]") {
  const auto& set = shipped::diabetes();
  const HuberRegression recipe{.loss = {.delta = 20}, .lambda = 1e-3};
  const auto model = recipe.fit(set.x, set.y);
  REQUIRE(model.gap);
  const auto other = recipe.with(Newton{.tolerance = 1e-10}).fit(set.x, set.y);
  CHECK(other.optimizer == "Newton");
  CHECK(model.objective - *model.gap <= other.objective);
  CHECK_THAT(model.objective, WithinRel(other.objective, 1e-6));
  const auto wide =
      HuberRegression{.loss = {.delta = 1e6}, .lambda = 1e-3, .tolerance = 1e-12}.fit(set.x, set.y);
  const auto ridge = RidgeRegression{.lambda = 1e-3}.fit(set.x, set.y);
  CHECK((wide.weights - ridge.weights).norm() < 1e-5 * ridge.weights.norm());
  CHECK(model.loss == "huber (delta = 20)");
}

TEST_CASE("Regressors: options, weights, layouts, one sample", "[models]") {
  const auto x = synthetic::features(80, 5, 3);
  const auto y = synthetic::numbers(x, 4);
  const Eigen::VectorXi times = Eigen::VectorXi::LinSpaced(80, 0, 3);
  const auto check_layouts = [&](const auto& recipe) {
    const double objective = recipe.fit(x, y, times).objective;
    for (const double other : {recipe.fit(Eigen::MatrixXd(x), y, times).objective,
                               recipe.fit(synthetic::sparse(x), y, times).objective})
      CHECK_THAT(other, WithinRel(objective, 2e-6));
    CHECK_THAT(recipe.fit(Matrix<float>(x.cast<float>()), y).objective,
               WithinRel(recipe.fit(x, y).objective, 1e-4));
  };
  check_layouts(ElasticNetRegression{.lambda = 0.1});
  check_layouts(QuantileRegression{});
  const auto check = [&](const auto& recipe) {
    const auto model = recipe.fit(x, y, times);
    const auto repeated = recipe.fit(synthetic::repeated(x, times), synthetic::repeated(y, times));
    CHECK_THAT(model.objective, WithinRel(repeated.objective, 2e-6));
    CHECK(recipe.fit(x, std::vector<double>(y.begin(), y.end())).weights ==
          recipe.fit(x, y).weights);
    auto centred = recipe;
    centred.offset = false;
    CHECK(centred.fit(x, y).offset == 0);
    CHECK_THAT(model.predict_one(V(x.row(7))), WithinRel(model.predict(x)[7], 1e-12));
  };
  check(Lasso{.lambda = 0.1});
  check(ElasticNetRegression{.lambda = 0.1});
  check(HuberRegression{});
  check(QuantileRegression{});
  check(SupportVectorRegression{});
  CHECK_THROWS_WITH((ElasticNetRegression{.l1_ratio = 2}.fit(x, y)),
                    "ElasticNetRegression::fit: l1_ratio = 2, but must be from 0 to 1");
  CHECK_THROWS_WITH((HuberRegression{.loss = {.delta = -1}}.fit(x, y)),
                    ContainsSubstring("delta = -1"));
  // With l1_ratio = 1, the result is that of Lasso, and with l1_ratio = 0, that of ridge
  // regression.
  CHECK_THAT((ElasticNetRegression{.lambda = 0.1, .l1_ratio = 1}.fit(x, y).objective),
             WithinRel(Lasso{.lambda = 0.1}.fit(x, y).objective, 2e-6));
  CHECK_THAT((ElasticNetRegression{.lambda = 0.1, .l1_ratio = 0}.fit(x, y).objective),
             WithinRel(RidgeRegression{.lambda = 0.1}.fit(x, y).objective, 2e-6));
}

TEST_CASE("GeneralisedLinearModel: Poisson regression recovers the weights behind the counts",
          "[models]") {
  const auto x = synthetic::features(2000, 3, 1);
  const V truth = Eigen::Vector3d(0.5, -0.25, 0.1);
  const V y = counts(x, truth, 1, 2);
  const GeneralisedLinearModel recipe{Poisson{}, Exponential{}, 1e-4};
  const auto model = recipe.fit(x, y);
  // There are 2000 counts of mean about 3, so the standard error of a weight is about 1/√6000.
  CHECK((model.weights - truth).cwiseAbs().maxCoeff() < 0.05);
  const auto predicted = model.predict(x);
  CHECK((predicted.array().log().matrix() - model.scores(x)).norm() < 1e-12);
  CHECK_THAT(predicted.mean(), WithinRel(y.mean(), 0.01));  // because ∂F/∂b = 0
  const auto in_float = recipe.fit(Matrix<float>(x.cast<float>()), y);
  CHECK((in_float.weights.cast<double>() - model.weights).cwiseAbs().maxCoeff() < 0.003);
  const auto sparse = synthetic::sparse(x);
  CHECK((recipe.fit(sparse, y).predict(sparse) - predicted).norm() < 0.01 * predicted.norm());
}

TEST_CASE("GeneralisedLinearModel: with cross entropy and sigmoid it is logistic regression",
          "[models]") {
  const auto& [x, y] = shipped::breast_cancer();
  const V chances = (y.array() + 1) / 2;
  const auto logistic = LogisticRegression{.lambda = 1e-2}.fit(x, y);
  const auto model = GeneralisedLinearModel{CrossEntropy{}, Sigmoid{}, 1e-2}.fit(x, chances);
  CHECK(model.objective >= golden::log_1e2 * (1 - 1e-9));
  CHECK_THAT(model.objective, WithinRel(logistic.objective, 1e-6));
  CHECK((model.weights - logistic.weights).norm() < 1e-2 * logistic.weights.norm());
  CHECK((model.predict(x) - logistic.probabilities(x)).cwiseAbs().maxCoeff() < 1e-3);
}

TEST_CASE("GeneralisedLinearModel: fractions weighted by their number of trials equal the trials",
          "[models]") {
  const auto x = synthetic::features(300, 2, 3);
  Random random(4);
  Eigen::VectorXi trials(300), hits(300), times(600);
  for (Index i = 0; i < 300; ++i) {
    trials[i] = 1 + static_cast<int>(random.below(4));
    hits[i] = static_cast<int>(random.below(static_cast<std::uint64_t>(trials[i]) + 1));
  }
  times << hits, trials - hits;
  V outcomes = V::Ones(600);
  outcomes.tail(300).setZero();
  const GeneralisedLinearModel recipe{CrossEntropy{}, Sigmoid{}, 1e-3};
  const auto by_trials = recipe.fit(synthetic::repeated(Matrix<double>(x.replicate(2, 1)), times),
                                    synthetic::repeated(outcomes, times));
  const V shares = hits.cast<double>().cwiseQuotient(trials.cast<double>());
  const auto by_shares = recipe.fit(x, shares, trials);
  CHECK((by_shares.weights - by_trials.weights).norm() < 1e-3);
  CHECK_THAT(by_shares.offset, WithinAbs(by_trials.offset, 1e-3));
}

TEST_CASE("GeneralisedLinearModel: supports any loss and any differentiable activation",
          "[models]") {
  const auto x = synthetic::features(400, 2, 5);
  const V w = Eigen::Vector2d(1, -0.5), y = ((x * w).array() + 0.25).tanh();
  const auto model = GeneralisedLinearModel{Squared{}, Tanh{}, 0.0}.fit(x, y);
  CHECK(model.objective < 1e-6);
  CHECK((model.weights - w).norm() < 0.01);
  CHECK_THAT(model.offset, WithinAbs(0.25, 0.01));
  CHECK((model.predict(x) - y).cwiseAbs().maxCoeff() < 0.01);
  const GeneralisedLinearModel<Squared, Identity> named{.lambda = 0, .offset = false};
  const auto line = named.fit(x, V(x * w));
  CHECK((line.predict(x) - x * w).norm() < 0.01);
  CHECK(line.offset == 0);
}

TEST_CASE("GeneralisedLinearModel: passes its options and extras to the optimizer", "[models]") {
  const auto x = synthetic::features(60, 2, 6);
  const V y = counts(x, Eigen::Vector2d(0.3, 0.3), 0.5, 7);
  const auto found = poisson.fit(x, y);
  CHECK(found.optimizer == "Newton");
  CHECK(found.status == Status::converged);
  auto other = poisson;
  other.lambda = 1;
  CHECK(other.fit(x, y).weights.norm() < 0.8 * found.weights.norm());
  other = poisson;
  other.offset = false;
  CHECK(other.fit(x, y).offset == 0);
  const Sgd sgd{.epochs = 70, .tolerance = 0, .iterate = Iterate::average, .seed = 3};
  const auto model = poisson.with(sgd).fit(x, y);
  CHECK(model.epochs == 70);
  CHECK(model.status == Status::epoch_limit);
  CHECK(model.iterate == Iterate::average);
  const Objective objective{Composed{Poisson{}, Exponential{}}, L2{1e-3}};
  CHECK(model.weights == sgd.minimize(objective, x, y).weights);
  CHECK(other.with(sgd).fit(x, y).offset == 0);
  const auto stopped = poisson.with(sgd).fit(x, y, [](const Progress&) { return Control::stop; });
  CHECK(stopped.status == Status::stopped);
  CHECK(stopped.epochs == 1);
  CHECK_THROWS_WITH(
      poisson.fit(x.topRows(3), Eigen::Vector3d(1, -1, 0)),
      ContainsSubstring("y(1) = -1 is no target of poisson of exponential, which takes a number"));
  CHECK_THROWS_WITH(poisson.fit(x, Eigen::Vector2d(1, 2)),
                    ContainsSubstring("x has 60 rows but y has 2"));
}

namespace {

/// Checks that a fit to a matrix equals the fits to its columns, and sums up their F and gaps.
template <class Recipe, class X>
void check_columns(const Recipe& recipe, const X& x, const Matrix<typename X::Scalar>& y) {
  using T = typename X::Scalar;
  Vector<T> weights = Vector<T>::Ones(x.rows());
  weights.head(7).setConstant(3);
  const Extras<T> extras{.sample_weights = weights};
  const MultiTargetRegressor<T> all = recipe.fit(x, y, extras);
  REQUIRE(all.weights.cols() == y.cols());
  double objective = 0, gap = 0;
  Index updates = 0;
  for (Index k = 0; k < y.cols(); ++k) {
    const auto one = recipe.fit(x, y.col(k), extras);
    CHECK(all.weights.col(k) == one.weights);
    CHECK(all.offset[k] == one.offset);
    CHECK(all.predict(x).col(k) == one.predict(x));
    CHECK(all.status >= one.status);
    CHECK(all.epochs >= one.epochs);
    CHECK(all.optimizer == one.optimizer);
    objective += one.objective;
    gap += one.gap.value_or(0);
    updates += one.updates;
  }
  CHECK_THAT(all.objective, WithinRel(objective, 1e-14));
  CHECK_THAT(all.gap.value_or(0), WithinRel(gap, 1e-12));
  CHECK(all.updates == updates);
}

}  // namespace

TEST_CASE("Regression recipes: a matrix of targets is fitted column by column") {
  const auto x = synthetic::features(80, 4, 61);
  Matrix<double> y(80, 3);
  for (Index k = 0; k < 3; ++k)
    y.col(k) =
        x.col(k) - 2 * x.col(3) + synthetic::features(80, 1, 70 + static_cast<std::uint64_t>(k));
  check_columns(QuantileRegression{.loss = {.level = 0.8}, .lambda = 1e-2}, x, y);
  check_columns(SupportVectorRegression{.lambda = 1e-2}, synthetic::sparse(x), y);
  check_columns(HuberRegression{.lambda = 1e-2}.with(DualCoordinateAscent{}), x, y);
  check_columns(Standardised{Lasso{.lambda = 1e-2}}, x, y);
  check_columns(Standardised{ElasticNetRegression{.lambda = 1e-2}}.with(CoordinateDescent{}), x, y);
  check_columns(ElasticNetRegression{.lambda = 1e-2}, x.cast<float>().eval(), y.cast<float>());
  check_columns(HuberRegression{.lambda = 1e-2}.with(InteriorPoint{}), x, y);

  CHECK_THROWS_WITH(Lasso{}.fit(x, Matrix<double>(80, 0)), "fit: y has no columns");
  CHECK_THROWS_WITH(Lasso{}.fit(x, Matrix<double>(Matrix<double>::Zero(79, 2))),
                    ContainsSubstring("x has 80 rows but y has 79"));
  // Scores of these recipes are not predictions.
  const auto takes = [](const auto& recipe, const auto& targets) {
    return detail::TargetsOf<std::remove_cvref_t<decltype(targets)>,
                             std::remove_cvref_t<decltype(recipe)>>;
  };
  CHECK(!takes(PoissonRegression{}, y));
  CHECK(!takes(Standardised{LogisticRegression{}}, y));
  CHECK(takes(Standardised{Lasso{}}, y));
}

}  // namespace regressors_test
