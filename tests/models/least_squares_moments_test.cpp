// SPDX-License-Identifier: MIT
#include <linea/losses/squared.hpp>
#include <linea/models/least_squares_moments.hpp>
#include <linea/models/regressors.hpp>
#include <linea/models/ridge_regression.hpp>
#include <linea/models/standard_errors.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/penalties/none.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

namespace least_squares_moments_test {

using namespace linea;
using V = Vector<double>;

namespace {

struct Samples5 {
  Matrix<double> x = synthetic::features<double>(400, 5, 3).array() + 2;
  V y = x * V{{1, -2, 0, 3, 0.5}} + synthetic::features<double>(400, 1, 4);
};

LeastSquaresMoments all_of(const Matrix<double>& x, const V& y, bool offset = true) {
  LeastSquaresMoments moments(x.cols(), offset);
  for (Index i = 0; i < x.rows(); ++i) moments.add(x.row(i), y[i]);
  return moments;
}

void check_same(const MomentsSolution& found, const auto& expected, double tolerance) {
  CHECK((found.weights - expected.weights).norm() <= tolerance * expected.weights.norm());
  CHECK_THAT(found.offset, WithinAbs(expected.offset, tolerance));
}

}  // namespace

TEST_CASE("LeastSquaresMoments: solves as Ridge does, with any λ, offset and weights", "[models]") {
  const Samples5 s;
  const bool offset = GENERATE(true, false);
  const double lambda = GENERATE(0, 0.1, 10);
  V weights = V::LinSpaced(400, 0, 3);
  LeastSquaresMoments rows(5, offset), block(5, offset), parts(5, offset), half(5, offset);
  const auto sparse = synthetic::sparse(s.x);
  for (Index i = 0; i < 400; ++i) rows.add(sparse.row(i), s.y[i], weights[i]);
  block.add_block(s.x, s.y, weights);
  parts.add_block(s.x.topRows(150), s.y.head(150), weights.head(150));
  half.add_block(s.x.bottomRows(250), s.y.tail(250), weights.tail(250));
  parts.add(half);
  parts.add(LeastSquaresMoments(5, offset));
  const auto expected =
      Ridge{.offset = offset}.minimize(Objective{Squared{}, L2{lambda}}, s.x, s.y, weights);
  for (const auto* moments : {&rows, &block, &parts}) {
    const auto found = moments->solve(lambda);
    CHECK(found.status == Status::converged);
    check_same(found, expected, 1e-11);
    CHECK_THAT(found.objective, WithinRel(expected.objective, 1e-11));
    CHECK_THAT(moments->weight(), WithinRel(weights.sum(), 1e-13));
  }
}

TEST_CASE("LeastSquaresMoments: a window that rolls equals a new fit of its rows", "[models]") {
  const Samples5 s;
  const double unit = GENERATE(1, 1e6);  // far means, as of prices
  Matrix<double> x = s.x;
  x.col(2).array() += unit;
  LeastSquaresMoments window(5);
  for (Index i = 0; i < 400; ++i) {
    window.add(x.row(i), s.y[i], 2);
    if (i >= 50) window.remove(x.row(i - 50), s.y[i - 50], 2);
    if (i % 70 != 69) continue;
    const Matrix<double> rows = x.middleRows(i - 49, 50);
    const V y = s.y.segment(i - 49, 50);
    const auto found = window.solve();
    const auto expected = LinearRegression{}.fit(rows, y);
    CHECK(found.status == Status::converged);
    CHECK((found.weights - expected.weights).norm() <= 1e-8 * expected.weights.norm());
    CHECK_THAT(found.offset + found.weights.dot(rows.row(3)),
               WithinAbs(rows.row(3).dot(expected.weights) + expected.offset, 1e-8));
    CHECK_THAT(window.weight(), WithinRel(100.0, 1e-12));
  }
}

TEST_CASE("LeastSquaresMoments: standard errors, R² and variance", "[models]") {
  const Samples5 s;
  const auto found = all_of(s.x, s.y).solve();
  const auto fit = LinearRegression{}.fit(s.x, s.y);
  const auto errors = standard_errors(Objective{Squared{}, NoPenalty{}}, fit, s.x, s.y);
  for (Index j = 0; j < 5; ++j)
    CHECK_THAT(found.standard_errors[j],
               WithinRel(errors.weights[static_cast<std::size_t>(j)].standard_error, 1e-9));
  CHECK_THAT(found.offset_error, WithinRel(errors.offset.standard_error, 1e-9));
  const V residuals = s.y - s.x * fit.weights - V::Constant(400, fit.offset);
  CHECK_THAT(found.residual_variance, WithinRel(residuals.squaredNorm() / (400 - 6), 1e-9));
  CHECK_THAT(
      found.r_squared,
      WithinRel(1 - residuals.squaredNorm() / (s.y.array() - s.y.mean()).square().sum(), 1e-9));
}

TEST_CASE("LeastSquaresMoments: forgetting is a weight that falls by a factor", "[models]") {
  const Samples5 s;
  LeastSquaresMoments recursive(5);
  V weights(400);
  for (Index i = 0; i < 400; ++i) {
    recursive.forget(0.98);
    recursive.add(s.x.row(i), s.y[i]);
    weights[i] = std::pow(0.98, static_cast<double>(399 - i));
  }
  const auto expected = Ridge{}.minimize(Objective{Squared{}, L2{0.01}}, s.x, s.y, weights);
  check_same(recursive.solve(0.01), expected, 1e-10);
}

TEST_CASE("LeastSquaresMoments: says when the sums cannot give the weights", "[models]") {
  const Samples5 s;
  LeastSquaresMoments few(5);
  for (Index i = 0; i < 4; ++i) few.add(s.x.row(i), s.y[i]);
  CHECK(few.solve().status == Status::precision_limit);
  CHECK(few.solve(0.1).status == Status::converged);

  // A huge sample leaves its rounding error when it is removed.
  auto after = all_of(s.x, s.y);
  const V huge = V::Constant(5, 1e9).cwiseProduct(V{{1, 2, -1, 3, 1}});
  after.add(huge, 1e9);
  after.remove(huge, 1e9);
  CHECK(after.solve().status == Status::precision_limit);
  CHECK(all_of(s.x, s.y).solve().status == Status::converged);

  // A huge target hides the residuals when it is removed.
  after = all_of(s.x, s.y);
  const V row = s.x.row(0);
  after.add(row, 1e9);
  after.remove(row, 1e9);
  CHECK(after.solve().status == Status::precision_limit);
  CHECK(std::isnan(after.solve().r_squared));
  CHECK(std::isnan(after.solve().standard_errors[0]));

  // Without samples there is nothing left, to the bit.
  LeastSquaresMoments empty(5);
  for (Index i = 0; i < 7; ++i) empty.add(s.x.row(i), s.y[i]);
  for (Index i = 0; i < 7; ++i) empty.remove(s.x.row(i), s.y[i]);
  CHECK(empty.weight() == 0);
  CHECK_THROWS_WITH(empty.solve(), "LeastSquaresMoments::solve: there are no samples");

  Matrix<double> constant = s.x;
  constant.col(1).setConstant(0.1);
  LeastSquaresMoments block(5);
  block.add_block(constant, s.y);
  for (const auto& found : {all_of(constant, s.y).solve(), block.solve()}) {
    CHECK(found.status == Status::converged);
    CHECK(found.weights[1] == 0);
    CHECK(std::isnan(found.standard_errors[1]));
  }
}

TEST_CASE("LeastSquaresMoments: refuses invalid input and changes nothing", "[models]") {
  const Samples5 s;
  auto moments = all_of(s.x.topRows(20), s.y.head(20));
  const auto before = moments.solve(0.1).weights;
  CHECK_THROWS_WITH(moments.add(V(V::Ones(4)), 1), Catch::Contains("a sample of 4 numbers"));
  CHECK_THROWS_WITH(moments.add(V(V::Constant(5, 1e200)), 1), Catch::Contains("x(0, 0)"));
  CHECK_THROWS_WITH(moments.add(V(V::Ones(5)), 1, -1), Catch::Contains("the sample weight"));
  CHECK_THROWS_WITH(moments.remove(s.x.row(0), s.y[0], 21),
                    "LeastSquaresMoments::remove: a weight of 21 is more than the sum of the "
                    "weights, 20");
  CHECK_THROWS_WITH(moments.add_block(s.x.leftCols(3), s.y),
                    "LeastSquaresMoments::add_block: x has 3 columns, but the moments have 5");
  CHECK_THROWS_WITH(
      moments.add(LeastSquaresMoments(4)),
      "LeastSquaresMoments::add: moments of 4 features with offset, not of 5 with offset");
  CHECK_THROWS_WITH(moments.add(LeastSquaresMoments(5, false)),
                    "LeastSquaresMoments::add: moments of 5 features without offset, not of 5 with "
                    "offset");
  CHECK_THROWS_WITH(moments.forget(0), "LeastSquaresMoments::forget: factor = 0 is not in (0, 1]");
  CHECK_THROWS_WITH(moments.solve(-1), "LeastSquaresMoments::solve: lambda = -1 is not >= 0");
  CHECK_THROWS_WITH(LeastSquaresMoments(0), "LeastSquaresMoments: 0 features");
  CHECK(moments.solve(0.1).weights == before);
}

}  // namespace least_squares_moments_test
