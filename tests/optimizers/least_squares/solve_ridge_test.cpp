// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/optimizers/least_squares/solve_ridge.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/optimizers/ridge_path.hpp>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/least_norm.hpp"
#include "support/leave_one_out.hpp"
#include "support/synthetic.hpp"

namespace solve_ridge_test {

using namespace linea;
using namespace linea::test;

TEST_CASE("Ridge: with enough parameters it interpolates with the least norm", "[optimizers]") {
  const Matrix<double> x{{1997, 2.4, 3.1, 5.5}, {1992, 9.8, 4.3, 3.7}, {2007, 3.6, 3.3, 5.7}};
  const WideProblem p{x, Eigen::Vector3d(9, 4.5, 1.7)};
  const auto check = [](const WideProblem& q) {
    CAPTURE(q.x.rows(), q.x.cols(), q.offset);
    const auto expected = wide_minimum(q, 0);
    const Vector<double> w = expected.weights.cast<double>();
    const Ridge fit{.offset = q.offset};
    const auto dense = fit.minimize(ridge(0), q.x, q.y, q.weights);
    const auto sparse = fit.minimize(ridge(0), synthetic::sparse(q.x), q.y, q.weights);
    const auto path = RidgePath{.lambdas = {0}, .offset = q.offset, .leave_one_out = false}.fit(
        q.x, q.y, q.weights);
    for (const Solution<double>& answer :
         {Solution<double>(dense), Solution<double>(sparse), path.at(0)}) {
      CHECK(answer.status == Status::converged);
      CHECK((answer.weights - w).norm() <= 1e-7 * w.norm());
      CHECK(answer.objective <= 1e-15 * static_cast<double>(expected.without_features));
    }
    CHECK(dense.rank == expected.rank);
  };
  check(p);
  for (const auto& [n, d] : {std::pair<Index, Index>{5, 5}, {5, 9}, {9, 9}, {2, 1}})
    for (const bool offset : {true, false})
      for (const bool weighted : {true, false})
        for (const double mean : {0.0, 1e3, 1e6}) {
          if (n > d && !offset) continue;
          WideProblem q{
              synthetic::features(n, d, 31), synthetic::features(n, 1, 32).col(0), {}, offset};
          q.x.col(0).array() += mean;
          // The first sample has weight 0.
          if (weighted) q.weights = Vector<double>::LinSpaced(n, 0, 3);
          check(q);
        }
}

TEST_CASE("Ridge: QR with more than one block of features", "[optimizers]") {
  WideProblem p;
  p.x = synthetic::features(8, 700, 36);
  p.x.row(3) = p.x.row(5);
  p.y = synthetic::features(8, 1, 37).col(0);
  for (const double lambda : {0.0, 1e-13, 0.1}) {
    // λ = 1e-13 has no effect in double.
    const auto expected = wide_minimum(p, lambda < 1e-9 ? 0 : lambda);
    const detail::samples::TrainingSet<decltype(rows_of(p.x))> set{rows_of(p.x), {}, {}};
    const auto equations = detail::least_squares::normal_equations(set, true, p.y);
    const detail::ColumnMatrix<double> y = p.y;
    const detail::least_squares::RidgeAnswers answers(equations, y, false);
    const auto fit = detail::least_squares::RidgeByQr(equations, answers).solve(lambda, 0, 7);
    CHECK(fit.rank == 6);
    CHECK(fit.status == Status::converged);
    const Vector<double> w = expected.weights.cast<double>();
    CHECK((fit.weights - w).norm() < 1e-9 * w.norm());
    CHECK_THAT(fit.objective, WithinRel(static_cast<double>(expected.objective), 1e-12));
  }
}

TEST_CASE("Ridge: the units of columns and targets do not matter", "[optimizers]") {
  // y = 2·x₀ − x₁ + 3 without noise: the minimum of F is 0.
  const Matrix<double> x{{1, 0.5}, {-1, 2}, {0, -1}, {2, 0}};
  const Vector<double> y{{4.5, -1, 4, 7}};
  const auto converges = [&](double first, double second, double lambda, double unit = 1) {
    CAPTURE(first, second, lambda, unit);
    const Matrix<double> scaled = x * Eigen::Vector2d(first, second).asDiagonal();
    const Matrix<double> wide = scaled.topRows(3).rowwise().replicate(2);
    const Vector<double> t = unit * y;
    const auto path = RidgePath{.lambdas = {lambda}, .leave_one_out = false};
    CHECK(Ridge{}.minimize(ridge(lambda), scaled, t).status == Status::converged);
    CHECK(Ridge{}.minimize(ridge(lambda), synthetic::sparse(scaled), t).status ==
          Status::converged);
    // Products of samples with each other lose a column that is far shorter than another.
    const auto of_wide = Ridge{}.minimize(ridge(lambda), wide, Vector<double>(t.head(3))).status;
    CHECK((of_wide == Status::converged || (first != second && second != 0)));
    CHECK(path.fit(scaled, t).status == Status::converged);
  };
  for (const double size : {1.0, 1e-149, 1e-100, 1e100, 1e149}) {
    converges(size, size, 0);
    converges(1, size, 0);
    converges(1, size, 0.1);
    converges(1, 1, 0, size);
  }
  converges(1, 0, 0);  // a column of zeros has no effect
}

TEST_CASE("Ridge: refuses numbers out of range", "[optimizers]") {
  const auto refused = [&](double entry, const auto& y, const std::string& what) {
    const Matrix<double> x{{1, 2}, {3, entry}, {2, 5}};
    CHECK_THROWS_WITH(Ridge{}.minimize(ridge(0), x, y), "Ridge::minimize: " + what);
  };
  refused(1e200, Eigen::Vector3d(1, 2, 3), "x(1, 1) is 1e+200" + test::above);
  refused(0, Eigen::Vector3d(1, 2, -1e200), "y(2, 0) is -1e+200" + test::above);
  refused(0, Eigen::Vector3d(0, 0, 1e-200), "the largest magnitude of y is 1e-200" + test::below);
  refused(0, Matrix<double>{{1, 0}, {2, 1e-200}, {0, 0}},
          "the largest magnitude of a column of y is 1e-200" + test::below);
  refused(0, Matrix<double>{{1, 0}, {2, 1e200}, {0, 0}}, "y(1, 1) is 1e+200" + test::above);
}

}  // namespace solve_ridge_test
