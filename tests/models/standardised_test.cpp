// SPDX-License-Identifier: MIT
#include <linea/metrics.hpp>
#include <linea/models/classifiers.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <linea/models/regressors.hpp>
#include <linea/models/standardised.hpp>
#include <linea/optimizers/sgd.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

namespace standardised_test {

using namespace linea;

namespace {

/// Columns of size 1, 1000, 1e-3 and mean up to 1e4.
Matrix<double> raw_columns(Index n) {
  Matrix<double> x = synthetic::features(n, 4, 11);
  x.col(1) = x.col(1).array() * 1000 + 1e4;
  x.col(2) *= 1e-3;
  x.col(3).array() += 5;
  return x;
}

}  // namespace

TEST_CASE("Standardised: the fitted value takes raw columns", "[models]") {
  const Matrix<double> x = raw_columns(120);
  const auto y = synthetic::signs(synthetic::features(120, 4, 11), 12);
  const auto scaling = standardise(x);
  const Matrix<double> scaled = scaling.apply(x);
  const auto check = [&](const auto& recipe, const auto& targets) {
    const auto inner = recipe.fit(scaled, targets);
    const auto model = Standardised{recipe}.fit(x, targets);
    CHECK((model.scores(x) - inner.scores(scaled)).norm() < 1e-9 * inner.scores(scaled).norm());
    CHECK(model.predict(x) == inner.predict(scaled));
    return model;
  };
  CHECK(*check(LogisticRegression{.lambda = 1e-2}, y).gap >= 0);
  check(LinearSvm{.lambda = 1e-2}, y);
  check(PerceptronClassifier{}, y);
  check(LinearSvm{}.with(Sgd{.epochs = 3}), y);
  check(OneVsRest{LogisticRegression{}}, y);
  const Vector<double> numbers = synthetic::numbers(scaled, 13);
  const auto inner = Lasso{.lambda = 0.05}.fit(scaled, numbers);
  const auto lasso = Standardised{Lasso{.lambda = 0.05}}.fit(x, numbers);
  CHECK((lasso.predict(x) - inner.predict(scaled)).norm() < 1e-9 * numbers.norm());
  CHECK(lasso.objective == inner.objective);
  CHECK((lasso.weights.array() == 0).count() == (inner.weights.array() == 0).count());
  // Several targets at once.
  Matrix<double> both(120, 2);
  both << numbers, -2 * numbers;
  const auto pair = Standardised{RidgeRegression{}}.fit(x, both);
  CHECK((pair.predict(x) - RidgeRegression{}.fit(scaled, both).predict(scaled)).norm() <
        1e-9 * both.norm());
  // Classes each with its own scaling, which is the same.
  CHECK(OneVsRest{Standardised{LogisticRegression{}}}.fit(x, y).predict(x) ==
        Standardised{OneVsRest{LogisticRegression{}}}.fit(x, y).predict(x));
}

TEST_CASE("Standardised: without an offset nothing is moved, and zeros of sparse x stay",
          "[models]") {
  const Matrix<double> x = raw_columns(120);
  const auto y = synthetic::signs(synthetic::features(120, 4, 11), 12);
  const LogisticRegression through_zero{.lambda = 1e-2, .offset = false};
  const auto model = Standardised{through_zero}.fit(x, y);
  CHECK(model.offset == 0);
  auto scaling = standardise(x);
  scaling.mean.setZero();
  CHECK_THAT(model.objective, WithinRel(through_zero.fit(scaling.apply(x), y).objective, 1e-12));
  CHECK(Standardised{OneVsRest{through_zero}}.fit(x, y).models[0].offset == 0);
  const SparseMatrix<double> sparse = synthetic::sparse(x);
  const auto thin = Standardised{LogisticRegression{.lambda = 1e-2}}.fit(sparse, y);
  const auto expected =
      LogisticRegression{.lambda = 1e-2}.fit(standardise(sparse).apply(sparse), y);
  CHECK(thin.objective == expected.objective);
  CHECK(thin.offset == expected.offset);
}

TEST_CASE("Standardised: sample weights enter the scaling, and weight 0 is not felt", "[models]") {
  Matrix<double> x = raw_columns(60);
  auto y = synthetic::signs(synthetic::features(60, 4, 11), 12);
  const auto alone = Standardised{LogisticRegression{.lambda = 1e-2, .tolerance = 1e-14}}.fit(x, y);
  Matrix<double> more(62, 4);
  more << x, Matrix<double>::Constant(2, 4, 1e9);
  Vector<double> targets(62);
  targets << y, 1, -1;
  Vector<double> weights = Vector<double>::Ones(62);
  weights.tail(2).setZero();
  const auto weighted = Standardised{LogisticRegression{.lambda = 1e-2, .tolerance = 1e-14}}.fit(
      more, targets, weights);
  CHECK((weighted.scores(x) - alone.scores(x)).norm() < 1e-6 * alone.scores(x).norm());
}

TEST_CASE("Standardised: an optimizer without offset makes a recipe without one", "[models]") {
  const Matrix<double> x = raw_columns(60);
  const auto y = synthetic::signs(synthetic::features(60, 4, 11), 12);
  const auto by_sgd = LinearSvm{.lambda = 1e-2}.with(Sgd{.epochs = 3, .offset = false});
  CHECK(Standardised{by_sgd}.fit(x, y).offset == 0);
  CHECK(by_sgd.fit(x, y).offset == 0);
  const auto through_zero = LinearSvm{.lambda = 1e-2, .offset = false}.with(Sgd{.epochs = 3});
  CHECK(Standardised{through_zero}.fit(x, y).offset == 0);
}

}  // namespace standardised_test
