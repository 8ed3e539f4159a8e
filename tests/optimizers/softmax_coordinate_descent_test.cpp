// SPDX-License-Identifier: MIT
#include <linea/models/sparse_softmax_regression.hpp>
#include <linea/models/standardised.hpp>
#include <linea/optimizers/softmax_coordinate_descent.hpp>
#include <linea/penalties.hpp>

#include "golden/softmax.hpp"
#include "support/catch.hpp"
#include "support/shipped.hpp"

namespace softmax_coordinate_descent_test {

using namespace linea;

TEST_CASE("SoftmaxCoordinateDescent: scikit-learn's minima", "[optimizers]") {
  const auto& [x, y] = shipped::iris();
  const auto check = [&, &x = x, &y = y](const auto& penalty, double golden, double zeros) {
    const auto s = SoftmaxCoordinateDescent{.tolerance = 1e-10}.minimize(penalty, x, y);
    CHECK(s.status == Status::converged);
    CHECK_THAT(s.objective, WithinRel(golden, 1e-9));
    CHECK(static_cast<double>((s.weights.array() == 0).count()) == zeros);
  };
  check(L1{1e-2}, golden::softmax_iris_l1, golden::softmax_iris_l1_zeros);
  check(ElasticNet{5e-3, 5e-3}, golden::softmax_iris_net, golden::softmax_iris_net_zeros);
  check(L2{1e-2}, golden::softmax_iris_1e2, 0);
}

TEST_CASE("SparseSoftmaxRegression: labels, probabilities, options", "[models]") {
  const auto& [x, classes] = shipped::iris();
  const Vector<double> y = 10 * classes.array().cast<double>() + 5;
  const auto model = SparseSoftmaxRegression{.lambda = 1e-2}.fit(x, y);
  CHECK(model.status == Status::converged);
  CHECK_THAT(model.objective, WithinRel(golden::softmax_iris_l1, 1e-6));
  CHECK(model.labels[2] == 25);
  CHECK((model.predict(x).array() == y.array()).cast<double>().mean() > 0.9);
  CHECK_THAT(model.probabilities(x).row(7).sum(), WithinAbs(1, 1e-12));
  CHECK(model.penalty == "elastic-net (l1 = 0.01, l2 = 0)");
  // Standardised takes a start for the raw columns.
  const Standardised recipe{SparseSoftmaxRegression{.lambda = 1e-2}};
  const Matrix<double> raw = 10 * x.array() + 3;
  const auto scaled = recipe.fit(raw, y);
  CHECK_THAT(scaled.objective, WithinRel(golden::softmax_iris_l1, 1e-6));
  const auto again = recipe.fit(raw, y, {.start_weights = scaled.weights.reshaped()});
  CHECK(again.iterations <= 1);
  CHECK_THAT(again.objective, WithinRel(scaled.objective, 1e-6));
  CHECK_THROWS_WITH((SparseSoftmaxRegression{.l1_ratio = 2}.fit(x, y)),
                    "SparseSoftmaxRegression::fit: l1_ratio = 2, but must be from 0 to 1");
}

}  // namespace softmax_coordinate_descent_test
