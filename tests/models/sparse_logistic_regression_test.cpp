// SPDX-License-Identifier: MIT
// The golden values are those of scikit-learn 1.2.1 on the standardised breast cancer data, up to
// 1e-11 of F: LogisticRegression(penalty='elasticnet', l1_ratio=..., C=1/(0.05 n), solver='saga',
// tol=1e-13).
#include <limits>
#include <linea/features/standardise.hpp>
#include <linea/models/cross_validation.hpp>
#include <linea/models/logistic_regression.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <linea/models/sparse_logistic_regression.hpp>
#include <linea/models/standardised.hpp>
#include <vector>

#include "support/catch.hpp"
#include "support/shipped.hpp"

using namespace linea;

namespace sparse_logistic_regression_test {

TEST_CASE("SparseLogisticRegression: agrees with scikit-learn's minima, with zero weights",
          "[models]") {
  const auto& set = shipped::breast_cancer();
  const Matrix<double> x = standardise(set.x).apply(set.x);
  const auto check = [&](double l1_ratio, double golden) {
    const SparseLogisticRegression recipe{.lambda = 0.05, .l1_ratio = l1_ratio};
    const auto model = recipe.fit(x, set.y);
    CHECK(model.status == Status::converged);
    CHECK(model.is_proven(recipe.tolerance));
    CHECK(model.optimizer == "CoordinateDescent");
    CHECK(model.objective >= golden * (1 - 1e-10));
    CHECK(model.objective - *model.gap <= golden * (1 + 1e-10));
    CHECK(model.probabilities(x).minCoeff() >= 0);
    const SparseMatrix<float> sparse = x.cast<float>().sparseView();
    const auto single = recipe.fit(sparse, set.y);
    CHECK_THAT(single.objective, WithinRel(golden, 1e-5));
    return (model.weights.array() == 0).count();
  };
  CHECK(check(1, 0.33013681113173166) > 20);
  CHECK(check(0.4, 0.2483519237181177) > 5);

  const LogisticRegression squared{.lambda = 0.05, .tolerance = 1e-10};
  const SparseLogisticRegression same{.lambda = 0.05, .l1_ratio = 0, .tolerance = 1e-10};
  CHECK_THAT(same.fit(x, set.y).objective, WithinRel(squared.fit(x, set.y).objective, 1e-9));
}

TEST_CASE("SparseLogisticRegression: a recipe like the others", "[models]") {
  const auto& iris = shipped::iris();
  const SparseLogisticRegression recipe{.lambda = 1e-2};
  const auto several = OneVsRest{recipe}.fit(iris.x, iris.y);
  CHECK(several.is_proven(recipe.tolerance));

  const auto& set = shipped::breast_cancer();
  const auto scaled = Standardised{recipe}.fit(set.x, set.y);
  const auto by_hand = recipe.fit(standardise(set.x).apply(set.x), set.y);
  CHECK_THAT(scaled.objective, WithinRel(by_hand.objective, 2e-6));
  const Vector<double> heavy =
      (set.y.array() > 0).select(Vector<double>::Constant(set.y.size(), 3), 1.0);
  const SparseLogisticRegression weighted{.lambda = 1e-2, .class_weights = {{1, 3}}};
  CHECK(weighted.fit(set.x, set.y).weights == recipe.fit(set.x, set.y, heavy).weights);

  const auto chosen = CrossValidation{.folds = 3}.choose(
      Standardised{recipe}, std::vector<double>{1e-1, 1e-3}, set.x, set.y);
  CHECK(chosen.model.is_proven(1e-5));

  Matrix<double> columns(set.y.size(), 2);
  columns << set.y, -set.y;
  const auto each = recipe.fit_each(set.x, columns);
  CHECK(each[0].weights == recipe.fit(set.x, set.y).weights);

  const SparseLogisticRegression wrong{.l1_ratio = std::numeric_limits<double>::quiet_NaN()};
  CHECK_THROWS_WITH(wrong.fit(set.x, set.y),
                    ContainsSubstring("SparseLogisticRegression::fit: l1_ratio = "));
}

}  // namespace sparse_logistic_regression_test
