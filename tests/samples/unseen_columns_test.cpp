// SPDX-License-Identifier: MIT
#include <linea/losses.hpp>
#include <linea/optimizers/interior_point.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/optimizers/ridge_path.hpp>
#include <linea/optimizers/softmax_newton.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/samples/unseen_columns.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

namespace {

bool has_unseen(const Matrix<double>& x, bool offset, const Vector<double>& weights = {}) {
  const auto set = samples::admit_samples("test", x, x.rows(), weights);
  const Eigen::SparseMatrix<double, Eigen::RowMajor> sparse = x.sparseView(0.0, 0.0);
  const auto same = samples::admit_samples("test", sparse, x.rows(), weights);
  const bool answer = samples::has_unseen_columns(set, offset);
  CHECK(samples::has_unseen_columns(same, offset) == answer);
  return answer;
}

/// Samples of two classes that columns of size `scale` separate, except for some samples.
struct Sized {
  Matrix<double> x;
  Vector<double> y;
  Sized(Index n, Index d, double scale) : x(n, d), y(n) {
    Random random(5);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < d; ++j) x(i, j) = synthetic::normal(random);
      y[i] = x(i, 0) + 0.7 * synthetic::normal(random) > 0.3 ? 1 : -1;
    }
    x *= scale;
  }
};

}  // namespace

TEST_CASE("has_unseen_columns: finds columns whose squared variation underflows") {
  Matrix<double> x = Matrix<double>::Zero(200, 3);
  x.col(0).setLinSpaced(-1, 1);
  x.col(1).setConstant(1e-170);
  CHECK_FALSE(has_unseen(x, true));  // a constant column is redundant beside an offset,
  CHECK(has_unseen(x, false));       // but not without one
  x(150, 2) = 1e-160;                // comes after the first rows, which do not decide
  CHECK(has_unseen(x, true));
  Vector<double> weights = Vector<double>::Ones(200);
  weights[150] = 0;
  CHECK_FALSE(has_unseen(x, true, weights));
  x(199, 2) = 1e-150;  // the square of this entry is a normal number
  CHECK_FALSE(has_unseen(x, true));
  // The function finds one of more than 65536 columns, at its position.
  Matrix<double> wide = Matrix<double>::Random(3, 70000);
  CHECK_FALSE(has_unseen(wide, true));
  wide.col(69999) *= 1e-165;
  CHECK(has_unseen(wide, true));
}

TEST_CASE("If squares of columns underflow, the best constant is not reported as converged") {
  const Sized plain(40, 2, 1);
  const Sized tiny(40, 2, 1e-165);
  const Objective squared{Squared{}, L2{}};
  REQUIRE(Ridge{}.minimize(squared, plain.x, plain.y).objective < 0.3);
  CHECK(Ridge{}.minimize(squared, plain.x, plain.y).status == Status::converged);
  CHECK(Ridge{}.minimize(squared, tiny.x, tiny.y).status == Status::precision_limit);
  const auto path = RidgePath{.lambdas = {0, 1}}.fit(tiny.x, tiny.y);
  CHECK(path.statuses[0] == Status::precision_limit);
  CHECK(path.statuses[1] == Status::converged);  // the penalty keeps the weights at 0
  CHECK(path.status == Status::precision_limit);
  // Without a penalty, or with a tiny one, Newton's method and L-BFGS have no bound.
  CHECK(Newton{}.minimize(Objective{Log{}, L2{1}}, tiny.x, tiny.y).status == Status::converged);
  const Vector<int> classes = ((tiny.y.array() + 1) / 2).cast<int>();
  for (const double lambda : {0.0, 1e-300}) {
    const Objective objective{Log{}, L2{lambda}};
    CHECK(Newton{}.minimize(objective, tiny.x, tiny.y).status != Status::converged);
    CHECK(Lbfgs{}.minimize(objective, tiny.x, tiny.y).status != Status::converged);
    CHECK(SoftmaxNewton{}.minimize(L2{lambda}, tiny.x, classes).status != Status::converged);
  }
}

TEST_CASE("InteriorPoint solves columns of any size if there are fewer than samples") {
  const Objective hinge{Hinge{}, L2{}};
  const auto wanted = InteriorPoint{}.minimize(hinge, Sized(40, 2, 1).x, Sized(40, 2, 1).y);
  REQUIRE(wanted.status == Status::converged);
  for (const double scale : {1e-158, 1e-165, 1e-250}) {
    CAPTURE(scale);
    const Sized tiny(40, 2, scale);
    const auto found = InteriorPoint{}.minimize(hinge, tiny.x, tiny.y);
    CHECK(found.status == Status::converged);
    CHECK_THAT(found.objective, WithinRel(wanted.objective, 1e-8));
  }
  const Sized wide(10, 20, 1e-165);  // the minimum of F is 0
  const auto found = InteriorPoint{}.minimize(hinge, wide.x, wide.y);
  CHECK(found.status == Status::precision_limit);
  CHECK(found.gap == found.objective);
}
