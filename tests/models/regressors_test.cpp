// SPDX-License-Identifier: MIT
#include <linea/metrics/empirical_risk.hpp>
#include <linea/models/generalised_linear_model.hpp>
#include <linea/models/regressors.hpp>
#include <linea/optimizers/interior_point.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <vector>

#include "golden/models.hpp"
#include "support/catch.hpp"
#include "support/shipped.hpp"
#include "support/synthetic.hpp"

namespace regressors_test {

using namespace linea;

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
  const auto check = [&](const auto& recipe) {
    const auto model = recipe.fit(x, y, counts);
    const auto repeated = recipe.fit(repeated_x, repeated_y);
    CHECK_THAT(model.objective, WithinRel(repeated.objective, 2e-6));
    CHECK_THAT(recipe.fit(Eigen::MatrixXd(x), y, counts).objective,
               WithinRel(model.objective, 2e-6));
    CHECK_THAT(recipe.fit(synthetic::sparse(x), y, counts).objective,
               WithinRel(model.objective, 2e-6));
    CHECK_THAT(recipe.fit(Matrix<float>(x.cast<float>()), y).objective,
               WithinRel(recipe.fit(x, y).objective, 1e-4));
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
