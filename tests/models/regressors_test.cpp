// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/activations.hpp>
#include <linea/losses.hpp>
#include <linea/models/classifiers.hpp>
#include <linea/models/regressors.hpp>
#include <linea/optimizers/interior_point.hpp>
#include <linea/optimizers/newton.hpp>
#include <vector>

#include "golden/minima.hpp"
#include "golden/models.hpp"
#include "support/catch.hpp"
#include "support/shipped.hpp"
#include "support/synthetic.hpp"

using namespace linea;

namespace regressors_test {

namespace {

/// Is the model's F what scikit-learn found, within the gap that it proves?
template <class M>
void check_minimum(const M& model, double golden) {
  CHECK(model.status == Status::converged);
  REQUIRE(model.gap);
  CHECK(*model.gap <= 1e-6 * model.objective);
  CHECK(model.objective >= golden * (1 - 1e-9));
  CHECK(model.objective - *model.gap <= golden * (1 + 1e-9));
}

}  // namespace

TEST_CASE("Regressors: scikit-learn's minima", "[models]") {
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
  const auto poisson = PoissonRegression{.lambda = 1e-2}.fit(set.x, set.y);
  check_minimum(poisson, golden::poisson_1e2);
  CHECK((poisson.predict(set.x).array() > 0).all());
}

TEST_CASE("HuberRegression: the same by two optimizers, and ridge regression for a large delta",
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
  Eigen::VectorXi counts = Eigen::VectorXi::LinSpaced(80, 0, 3);
  const auto repeated_x = synthetic::repeated(x, counts);
  const auto repeated_y = synthetic::repeated(y, counts);
  const auto check_layouts = [&](const auto& recipe) {
    const double objective = recipe.fit(x, y, counts).objective;
    for (const double other : {recipe.fit(Eigen::MatrixXd(x), y, counts).objective,
                               recipe.fit(synthetic::sparse(x), y, counts).objective})
      CHECK_THAT(other, WithinRel(objective, 2e-6));
    CHECK_THAT(recipe.fit(Matrix<float>(x.cast<float>()), y).objective,
               WithinRel(recipe.fit(x, y).objective, 1e-4));
  };
  check_layouts(ElasticNetRegression{.lambda = 0.1});
  check_layouts(QuantileRegression{});
  const auto check = [&](const auto& recipe) {
    const auto model = recipe.fit(x, y, counts);
    const auto repeated = recipe.fit(repeated_x, repeated_y);
    CHECK_THAT(model.objective, WithinRel(repeated.objective, 2e-6));
    CHECK(recipe.fit(x, std::vector<double>(y.begin(), y.end())).weights ==
          recipe.fit(x, y).weights);
    auto centred = recipe;
    centred.offset = false;
    CHECK(centred.fit(x, y).offset == 0);
    const Vector<double> sample = x.row(7);
    CHECK_THAT(model.predict_one(sample), WithinRel(model.predict(x)[7], 1e-12));
  };
  check(Lasso{.lambda = 0.1});
  check(ElasticNetRegression{.lambda = 0.1});
  check(HuberRegression{});
  check(QuantileRegression{});
  check(SupportVectorRegression{});
  CHECK_THROWS_WITH((ElasticNetRegression{.l1_ratio = 2}.fit(x, y)),
                    "ElasticNetRegression::fit: l1_ratio = 2, but it goes from 0 to 1");
  CHECK_THROWS_WITH((HuberRegression{.loss = {.delta = -1}}.fit(x, y)),
                    ContainsSubstring("delta = -1"));
  // l1_ratio 1 is the Lasso, 0 is ridge regression.
  CHECK_THAT((ElasticNetRegression{.lambda = 0.1, .l1_ratio = 1}.fit(x, y).objective),
             WithinRel(Lasso{.lambda = 0.1}.fit(x, y).objective, 2e-6));
  CHECK_THAT((ElasticNetRegression{.lambda = 0.1, .l1_ratio = 0}.fit(x, y).objective),
             WithinRel(RidgeRegression{.lambda = 0.1}.fit(x, y).objective, 2e-6));
}

}  // namespace regressors_test

namespace generalised_linear_model_test {

namespace {

/// A count of mean m, by Knuth's product of uniform draws.
double poisson_draw(Random& random, double mean) {
  const double floor = std::exp(-mean);
  double product = random.uniform();
  double count = 0;
  for (; product > floor; product *= random.uniform()) ++count;
  return count;
}

/// Counts whose mean is exp(⟨w, x⟩ + b).
Vector<double> counts(const Matrix<double>& x, const Vector<double>& w, double b,
                      std::uint64_t seed) {
  Random random(seed);
  Vector<double> y = (x * w).array() + b;
  for (double& value : y) value = poisson_draw(random, std::exp(value));
  return y;
}

const Composed poisson_regression{Poisson{}, Exponential{}};

}  // namespace

TEST_CASE("GeneralisedLinearModel: Poisson regression finds what made the counts", "[models]") {
  const auto x = synthetic::features(2000, 3, 1);
  const Vector<double> truth = Eigen::Vector3d(0.5, -0.25, 0.1);
  const Vector<double> y = counts(x, truth, 1, 2);
  const GeneralisedLinearModel recipe{Poisson{}, Exponential{}, 1e-4};
  const auto model = recipe.fit(x, y);
  // 2000 counts of mean about 3: the standard error of a weight is about 1/√6000.
  CHECK((model.weights - truth).cwiseAbs().maxCoeff() < 0.05);

  const auto predicted = model.predict(x);
  CHECK((predicted.array().log().matrix() - model.scores(x)).norm() < 1e-12);
  CHECK_THAT(predicted.mean(), WithinRel(y.mean(), 0.01));  // ∂F/∂b = 0

  const auto in_float = recipe.fit(Matrix<float>(x.cast<float>()), y);
  CHECK((in_float.weights.cast<double>() - model.weights).cwiseAbs().maxCoeff() < 0.003);
  const auto sparse = synthetic::sparse(x);
  CHECK((recipe.fit(sparse, y).predict(sparse) - predicted).norm() < 0.01 * predicted.norm());
}

TEST_CASE("GeneralisedLinearModel: with cross entropy and sigmoid it is logistic regression",
          "[models]") {
  const auto& x = shipped::breast_cancer().x;
  const auto& y = shipped::breast_cancer().y;
  const Vector<double> chances = (y.array() + 1) / 2;
  const auto logistic = LogisticRegression{.lambda = 1e-2}.fit(x, y);
  const auto model = GeneralisedLinearModel{CrossEntropy{}, Sigmoid{}, 1e-2}.fit(x, chances);
  CHECK(model.objective >= golden::log_1e2 * (1 - 1e-9));
  CHECK_THAT(model.objective, WithinRel(logistic.objective, 1e-6));
  CHECK((model.weights - logistic.weights).norm() < 1e-2 * logistic.weights.norm());
  CHECK((model.predict(x) - logistic.probabilities(x)).cwiseAbs().maxCoeff() < 1e-3);
}

TEST_CASE("GeneralisedLinearModel: shares of trials, weighted by their number, are the trials",
          "[models]") {
  // 300 places with 1 to 4 trials each, of which some succeed.
  const auto x = synthetic::features(300, 2, 3);
  Random random(4);
  Vector<double> shares(300);
  Vector<double> trials(300);
  std::vector<Index> place;
  std::vector<double> outcome;
  for (Index i = 0; i < 300; ++i) {
    trials[i] = 1 + static_cast<double>(random.below(4));
    double successes = 0;
    for (int trial = 0; trial < static_cast<int>(trials[i]); ++trial) {
      const double success = random.uniform() < Sigmoid{}.value(x(i, 0) - 0.5) ? 1 : 0;
      place.push_back(i);
      outcome.push_back(success);
      successes += success;
    }
    shares[i] = successes / trials[i];
  }
  const auto all = static_cast<Index>(place.size());
  Matrix<double> repeated(all, 2);
  for (Index i = 0; i < all; ++i) repeated.row(i) = x.row(place[static_cast<std::size_t>(i)]);
  const Vector<double> single = Eigen::Map<const Vector<double>>(outcome.data(), all);

  const GeneralisedLinearModel recipe{CrossEntropy{}, Sigmoid{}, 1e-3};
  const auto by_trials = recipe.fit(repeated, single);
  const auto by_shares = recipe.fit(x, shares, {.sample_weights = trials});
  CHECK((by_shares.weights - by_trials.weights).norm() < 1e-3);
  CHECK_THAT(by_shares.offset, WithinAbs(by_trials.offset, 1e-3));
}

TEST_CASE("GeneralisedLinearModel: any loss and any differentiable activation", "[models]") {
  const auto x = synthetic::features(400, 2, 5);
  const Vector<double> w = Eigen::Vector2d(1, -0.5);
  const Vector<double> y = ((x * w).array() + 0.25).tanh();
  const auto model = GeneralisedLinearModel{Squared{}, Tanh{}, 0.0}.fit(x, y);
  CHECK(model.objective < 1e-6);
  CHECK((model.weights - w).norm() < 0.01);
  CHECK_THAT(model.offset, WithinAbs(0.25, 0.01));
  CHECK((model.predict(x) - y).cwiseAbs().maxCoeff() < 0.01);

  const GeneralisedLinearModel<Squared, Identity> named{.lambda = 0, .offset = false};
  const auto line = named.fit(x, Vector<double>(x * w));
  CHECK((line.predict(x) - x * w).norm() < 0.01);
  CHECK(line.offset == 0);
}

TEST_CASE("GeneralisedLinearModel: hands its options and extras to the optimizer", "[models]") {
  const auto x = synthetic::features(60, 2, 6);
  const Vector<double> y = counts(x, Eigen::Vector2d(0.3, 0.3), 0.5, 7);
  const GeneralisedLinearModel recipe{Poisson{}, Exponential{}, 1e-3};
  CHECK(recipe.fit(x, y).optimizer == "Newton");
  CHECK(recipe.fit(x, y).status == Status::converged);
  CHECK(recipe.fit(x, y).weights == recipe.fit(x, y).weights);
  auto other = recipe;
  other.lambda = 1;
  CHECK(other.fit(x, y).weights.norm() < 0.8 * recipe.fit(x, y).weights.norm());
  other = recipe;
  other.offset = false;
  CHECK(other.fit(x, y).offset == 0);
  const Sgd sgd{.epochs = 70, .tolerance = 0, .iterate = Iterate::average, .seed = 3};
  const auto by_descent = recipe.with(sgd);
  const auto model = by_descent.fit(x, y);
  CHECK(model.epochs == 70);
  CHECK(model.status == Status::epoch_limit);
  CHECK(model.iterate == Iterate::average);
  const auto expected = sgd.minimize(Objective{poisson_regression, L2{1e-3}}, x, y);
  CHECK(model.weights == expected.weights);
  CHECK(other.with(sgd).fit(x, y).offset == 0);
  const auto stopped =
      by_descent.fit(x, y, {.observer = [](const Progress&) { return Control::stop; }});
  CHECK(stopped.status == Status::stopped);
  CHECK(stopped.epochs == 1);
}

TEST_CASE("GeneralisedLinearModel: refuses targets that the loss does not take", "[models]") {
  const auto x = synthetic::features(3, 2, 8);
  const Vector<double> y = Eigen::Vector3d(1, -1, 0);
  CHECK_THROWS_AS((GeneralisedLinearModel{Poisson{}, Exponential{}}.fit(x, y)),
                  std::invalid_argument);
  CHECK_THROWS_WITH(
      (GeneralisedLinearModel{Poisson{}, Exponential{}}.fit(x, y)),
      ContainsSubstring("y(1) = -1 is no target of poisson of exponential, which takes a number"));
  CHECK_THROWS_WITH(
      (GeneralisedLinearModel{Poisson{}, Exponential{}}.fit(x, Eigen::Vector2d(1, 2))),
      ContainsSubstring("x has 3 rows but y has 2"));
}

TEST_CASE("ActivatedModel: the activation of the score, for every row of x", "[models]") {
  ActivatedModel<double, HardThreshold> decision;
  decision.weights = Eigen::Vector2d(1, -2);
  decision.offset = 0.5;
  Matrix<double> x(4, 2);
  x << 1, 0, 0, 1, -0.5, 0, std::numeric_limits<double>::quiet_NaN(), 0;
  const auto predicted = decision.predict(x);
  CHECK(predicted.head(3) == Eigen::Vector3d(1, 0, 1));
  CHECK(std::isnan(predicted[3]));
  CHECK(decision.predict(synthetic::sparse(Matrix<double>(x.topRows(3)))) == predicted.head(3));
  CHECK_THROWS_WITH(decision.predict(Matrix<double>(2, 3)),
                    "LinearModel::scores: x has 3 columns but the model has 2 weights");

  ActivatedModel<float, Tanh> squashed;
  squashed.weights = Vector<float>::Constant(1, 2);
  CHECK(squashed.predict(Matrix<float>(Matrix<float>::Ones(1, 1)))[0] == std::tanh(2.0F));
}

}  // namespace generalised_linear_model_test
