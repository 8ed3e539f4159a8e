// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/models/classifiers.hpp>
#include <linea/models/cross_validation.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <linea/models/regressors.hpp>
#include <linea/models/sparse_logistic_regression.hpp>
#include <linea/models/standard_errors.hpp>
#include <linea/models/standardised.hpp>
#include <linea/models/with_offset_column.hpp>
#include <linea/optimizers/sgd.hpp>
#include <string>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

namespace with_offset_column_test {

using namespace linea;
using V = Vector<double>;

namespace {

/// The counts 0, 1, 2, 2 of exposures 1, 1, 2, 2. x has a column of numbers, and a column of the
/// logarithms of the exposures.
struct Counts {
  Matrix<double> x{4, 2};
  V y{{0, 1, 2, 2}};

  Counts() {
    x.col(0) << 1, 1.5, 2, 3;
    x.col(1) << 0, 0, std::log(2.0), std::log(2.0);
  }
};

}  // namespace

TEST_CASE("WithOffsetColumn: counts with exposures have the weights of R's glm", "[models]") {
  // R 4.2.2: glm(N ~ x, offset = log(e), family = poisson)
  const Counts set;
  const WithOffsetColumn recipe{PoissonRegression{.lambda = 0, .tolerance = 1e-12}, 1};
  const auto check = [&](const auto& model) {
    CHECK_THAT(model.weights[0], WithinAbs(0.4114909, 1e-7));
    CHECK_THAT(model.weights[1], WithinRel(1.0, 1e-15));
    CHECK_THAT(model.offset, WithinAbs(-1.0845508, 1e-7));
    CHECK(model.optimizer == "Newton");
    // The prediction is a count, not a rate: twice the exposure gives twice the count.
    const Matrix<double> two{{1, 0}, {1, std::log(2.0)}};
    const V predicted = model.predict(two);
    CHECK_THAT(predicted[1], WithinRel(2 * predicted[0], 1e-14));
  };
  check(recipe.fit(set.x, set.y));
  check(recipe.fit(synthetic::sparse(set.x), set.y));
  check(Standardised{recipe}.fit(set.x, set.y));
  check(recipe.with(Newton{.tolerance = 1e-12}).fit(set.x, set.y));
}

TEST_CASE("WithOffsetColumn: standard errors are those of the rates weighted by the exposures",
          "[models]") {
  const Counts set;
  const V exposures = set.x.col(1).array().exp();
  const WithOffsetColumn recipe{PoissonRegression{.lambda = 0, .tolerance = 1e-14}, 1};
  const auto model = recipe.fit(set.x, set.y);
  const auto errors = standard_errors(recipe.objective(), model, set.x, set.y);
  const PoissonRegression of_rates{.lambda = 0, .tolerance = 1e-14};
  const Matrix<double> numbers = set.x.col(0);
  const V rates = set.y.cwiseQuotient(exposures);
  const auto right = standard_errors(of_rates.objective(), of_rates.fit(numbers, rates, exposures),
                                     numbers, rates, {.sample_weights = exposures});
  CHECK(errors.rank == 1);
  CHECK(errors.note.empty());
  const auto same = [](const Coefficient& one, const Coefficient& other) {
    CHECK_THAT(one.estimate, WithinRel(other.estimate, 1e-6));
    CHECK_THAT(one.standard_error, WithinRel(other.standard_error, 1e-6));
    CHECK_THAT(one.p_value, WithinRel(other.p_value, 1e-5));
  };
  same(errors.weights[0], right.weights[0]);
  same(errors.offset, right.offset);
  CHECK(errors.weights[1].estimate == 1);
  CHECK(errors.weights[1].standard_error == 0);
  CHECK(std::isnan(errors.weights[1].ratio));
  CHECK(std::isnan(errors.weights[1].p_value));
  CHECK(errors.covariance.col(1).isZero(0));
}

TEST_CASE("WithOffsetColumn: a column of least squares is subtracted from the targets",
          "[models]") {
  const Matrix<double> x = synthetic::features(50, 4, 3);
  const V y = synthetic::numbers(x, 4, 1.0);
  Matrix<double> rest(50, 3);
  rest << x.leftCols(1), x.rightCols(2);
  const V targets = y - x.col(1);
  const auto check = [&](const auto& plain, double tolerance) {
    const WithOffsetColumn recipe{plain, 1};
    const auto model = recipe.fit(x, y);
    const auto right = plain.fit(rest, targets);
    CHECK_THAT(model.objective, WithinRel(right.objective, tolerance));
    CHECK(model.weights[1] == 1);
    CHECK(std::abs(model.weights[0] - right.weights[0]) <= 1e-3);
  };
  check(Lasso{.lambda = 0.1, .tolerance = 1e-10}, 1e-9);
  check(ElasticNetRegression{.lambda = 0.1, .tolerance = 1e-10}, 1e-9);
  check(HuberRegression{.lambda = 0.1, .tolerance = 1e-10}, 1e-9);
  // Errors of least squares with a known weight, with and without a penalty.
  for (const double lambda : {0.0, 1e-12, 0.1}) {
    const Objective plain{Squared{}, L2{lambda}};
    const Objective held{Squared{}, PenaltyFactors<L2>{.penalty = {lambda}, .offset_column = 1}};
    const Newton newton{.tolerance = 1e-14};
    const auto s = newton.minimize(held, x, y), other = newton.minimize(plain, rest, targets);
    const auto errors = standard_errors(held, s, x, y);
    const auto right = standard_errors(plain, other, rest, targets);
    CHECK_THAT(errors.freedom, WithinRel(right.freedom, 1e-12));
    CHECK_THAT(errors.dispersion, WithinRel(right.dispersion, 1e-9));
    CHECK_THAT(errors.weights[3].standard_error, WithinRel(right.weights[2].standard_error, 1e-9));
    CHECK_THAT(errors.offset.standard_error, WithinRel(right.offset.standard_error, 1e-9));
    CHECK(errors.note == right.note);
  }
}

TEST_CASE("WithOffsetColumn: known numbers that separate the classes leave a finite minimum",
          "[models]") {
  // The score of each sample has the sign of its label, but the weight of column 0 is finite: its
  // sign differs within both classes.
  Matrix<double> x(6, 2);
  x << 1, 9, -1, 9, 0.5, 9, -1, -9, 1, -9, 0.2, -9;
  const V y{{1, 1, 1, -1, -1, -1}};
  const WithOffsetColumn recipe{LogisticRegression{.lambda = 0, .tolerance = 1e-12}, 1};
  const auto model = recipe.fit(x, y);
  const auto errors = standard_errors(recipe.objective(), model, x, y);
  CHECK(errors.note.empty());
  CHECK(std::isfinite(errors.weights[0].standard_error));
  // The samples with column 0 above 0 are of class 1, those of 0 of both classes: w[0] is infinite.
  Matrix<double> apart = x;
  apart.col(0) << 1, 0, 0, -1, 0, 0;
  const auto none = standard_errors(recipe.objective(), recipe.fit(apart, y), apart, y);
  CHECK(std::isnan(none.weights[0].standard_error));
  CHECK(std::isfinite(none.offset.standard_error));
  CHECK(none.weights[1].standard_error == 0);
  CHECK_THAT(none.note, ContainsSubstring("no finite estimate of w[0];"));
}

TEST_CASE("WithOffsetColumn: within other recipes", "[models]") {
  const Matrix<double> x = synthetic::features(60, 3, 7);
  const V y = synthetic::signs(x, 8, 1.0);
  const WithOffsetColumn recipe{LogisticRegression{.lambda = 0.1}, 2};
  CHECK(recipe.fit(x, y).weights[2] == 1);
  CHECK(recipe.with(Sgd{}).fit(x, y).weights[2] == 1);
  for (const auto& model : OneVsRest{recipe}.fit(x, y).models) CHECK(model.weights[2] == 1);
  const auto chosen = CrossValidation{.folds = 3}.choose(recipe, {1.0, 0.1}, x, y);
  CHECK(chosen.model.weights[2] == 1);
  // The list of λ is that of the problem with the larger label as +1: its w = 0 needs a small λ.
  Matrix<double> known = x;
  known.col(2) = 6 * y;
  const WithOffsetColumn sparse{SparseLogisticRegression{}, 2};
  CHECK_THAT(automatic_lambdas(sparse, known, y, Extras<double>{}).front(),
             WithinRel(lambda_max(sparse.objective(), known, y), 1e-12));
  // Standardised does not scale the column, whose numbers are part of the score as they are.
  Matrix<double> scaled = x;
  scaled.col(0) *= 100;
  const auto one = Standardised{recipe}.fit(x, y), other = Standardised{recipe}.fit(scaled, y);
  CHECK(one.weights[2] == 1);
  CHECK_THAT(one.weights[0], WithinRel(100 * other.weights[0], 1e-3));
  CHECK_THAT(one.objective, WithinRel(other.objective, 1e-6));
}

TEST_CASE("WithOffsetColumn: wrong calls are refused", "[models]") {
  const Counts set;
  CHECK_THROWS_WITH((WithOffsetColumn{PoissonRegression{}, 2}.fit(set.x, set.y)),
                    "Newton::minimize: offset_column = 2 of 2 features");
  const V labels{{0, 1, 0, 1}};
  CHECK_THROWS_WITH((WithOffsetColumn{LinearSvm{}, 1}.fit(set.x, labels)),
                    ContainsSubstring("call Sgd or, for a recipe, .with(Sgd{})"));
  CHECK((WithOffsetColumn{LinearSvm{}, 1}.with(Sgd{}).fit(set.x, labels).weights[1] == 1));
  const Objective uneven{Squared{}, PenaltyFactors<L2>{.penalty = {1}, .factors = V{{1, 2}}}};
  CHECK_THROWS_WITH(
      standard_errors(uneven, Newton{}.minimize(uneven, set.x, set.y), set.x, set.y),
      "standard_errors: penalty factor 1 is 2, but the errors are known for equal factors only: "
      "put their value into lambda, and use factors of 1");
}

}  // namespace with_offset_column_test
