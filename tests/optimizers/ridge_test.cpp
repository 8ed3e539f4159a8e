// SPDX-License-Identifier: MIT
#include <Eigen/SVD>
#include <cmath>
#include <linea/losses/squared.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/penalties.hpp>
#include <utility>

#include "support/catch.hpp"
#include "support/gradient.hpp"
#include "support/leave_one_out.hpp"
#include "support/synthetic.hpp"

namespace ridge_test {

using namespace linea;
using namespace linea::test;

namespace {

const Objective unpenalised{Squared{}, NoPenalty{}};

}  // namespace

TEST_CASE("Ridge: the gradient vanishes for every shape, layout, weighting and λ", "[optimizers]") {
  for (const auto& [n, d] :
       {std::pair<Index, Index>{60, 7}, {7, 60}, {20, 20}, {600, 3}, {1, 4}, {5, 1}})
    for (const double lambda : {0.0, 1e-12, 1e-3, 10.0})
      for (const bool offset : {true, false}) {
        CAPTURE(n, d, lambda, offset);
        const auto x = synthetic::features(n, d, 1, 0.6);
        const auto y = synthetic::numbers(x, 2);
        const auto weights = synthetic::weights(n, 3);
        const double scale = 1 + y.norm();
        const Ridge fit{.offset = offset};
        const auto rows = fit.minimize(ridge(lambda), x, y, weights);
        const auto sparse = fit.minimize(ridge(lambda), synthetic::sparse(x), y, weights);
        const auto columns = fit.minimize(ridge(lambda), Eigen::MatrixXd(x), y, weights);
        CHECK(rows.status == Status::converged);
        for (const Solution<double>& s : {rows, sparse})
          CHECK(gradient_of(ridge(lambda), s, x, y, weights, offset).norm() < 1e-12 * scale);
        CHECK((rows.weights - columns.weights).norm() <= 1e-9 * (1 + rows.weights.norm()));
        const double value = objective_value(ridge(lambda), rows, x, y, weights);
        CHECK_THAT(rows.objective, WithinAbs(value, 1e-12 * scale * scale));
      }
}

TEST_CASE("Ridge: with dependent columns and λ = 0 the solution of smallest norm", "[optimizers]") {
  for (const Index n : {40, 700}) {  // less than one block of rows, and several blocks
    const auto base = synthetic::features(n, 4, 4);
    Matrix<double> x(n, 7);
    x << base, base.col(0) + base.col(1), Vector<double>::Zero(n), Vector<double>::Constant(n, 0.1);
    const auto y = synthetic::numbers(base, 5);
    for (const bool offset : {true, false}) {
      const auto solution = Ridge{.offset = offset}.minimize(unpenalised, x, y);
      CHECK(solution.factorization == Factorization::qr);
      CHECK(solution.rank == (offset ? 4 : 5));
      CHECK(solution.weights[5] == 0);              // the samples do not determine this weight
      if (offset) CHECK(solution.weights[6] == 0);  // nor the weight of a constant column
      Eigen::MatrixXd centred = x;
      Vector<double> target = y;
      if (offset) {
        centred.rowwise() -= centred.colwise().mean().eval();
        target.array() -= target.mean();
      }
      Eigen::JacobiSVD<Eigen::MatrixXd> svd(centred, Eigen::ComputeThinU | Eigen::ComputeThinV);
      svd.setThreshold(1e-12);
      CHECK((solution.weights - svd.solve(target)).norm() < 1e-12 * solution.weights.norm());
      // As λ falls to 0, the ridge solution tends to that of least norm.
      const auto near = Ridge{.offset = offset}.minimize(ridge(1e-9), x, y);
      if (offset) CHECK((near.weights - solution.weights).norm() < 1e-7 * solution.weights.norm());
    }
  }
}

TEST_CASE("Ridge: an ill-conditioned problem uses QR and keeps its digits", "[optimizers]") {
  const Matrix<double> x = uneven_columns();
  const Vector<double> truth = Vector<double>::LinSpaced(5, 1, 5);
  const auto s = Ridge{.offset = false}.minimize(unpenalised, x, Vector<double>(x * truth));
  CHECK(s.factorization == Factorization::qr);
  CHECK(s.reciprocal_condition < 2.3e-8);
  CHECK(s.rank == 5);
  // κ(x) = 1e7, so that κ·ε is 2e-9. The bound is about 45·κ·ε.
  CHECK((s.weights - truth).norm() < 1e-7 * truth.norm());
  // If the normal equations are only moderately ill-conditioned, Cholesky factorisation with
  // refinement keeps the digits.
  Matrix<double> near = synthetic::features(50, 4, 1);
  near.col(1) = near.col(0) + 1e-3 * near.col(1);
  const Vector<double> w{{1, 2, 3, 4}};
  const auto refined = Ridge{}.minimize(unpenalised, near, Vector<double>(near * w));
  CHECK(refined.factorization == Factorization::cholesky);
  CHECK((refined.weights - w).norm() < 1e-12);
}

TEST_CASE("Ridge: threads change only rounding", "[optimizers]") {
  const auto check = [](const auto& x, Index n, Index threads) {
    CAPTURE(x.rows(), x.cols(), threads);
    const auto y = synthetic::numbers(Matrix<double>(synthetic::features(n, 6, 3)), 4, 0.5);
    Vector<double> weights = Vector<double>::LinSpaced(n, 0, 2);
    const Objective objective{Squared{}, L2{1e-3}};
    const auto by = [&](Index count) {
      return Ridge{.threads = count}.minimize(objective, x, y, weights);
    };
    const auto found = by(threads);
    const auto alone = by(1);
    CHECK((found.weights - alone.weights).norm() <= 1e-10 * alone.weights.norm());
    CHECK(found.offset == Approx(alone.offset).epsilon(1e-10));
    CHECK(found.objective == Approx(alone.objective).epsilon(1e-12));
    CHECK(found.weights == by(threads).weights);
  };
  for (const Index threads : {2, 3, 64}) {
    const Matrix<double> x = synthetic::features(700, 20, 2).array() + 5;
    check(x, 700, threads);
    check(detail::ColumnMatrix<double>(x), 700, threads);
    check(Matrix<double>(synthetic::features(90, 400, 2)), 90, threads);
    check(SparseMatrix<double>(x.sparseView()), 700, threads);
  }
}

TEST_CASE("Ridge: a constant column has no effect, for every form and layout", "[optimizers]") {
  for (const auto& [n, d] : {std::pair<Index, Index>{30, 4}, {5, 12}})
    for (const double lambda : {0.0, 1e-12, 0.1}) {
      Matrix<double> x = synthetic::features(n, d, 1);
      x.col(2).setZero();
      const auto y = synthetic::numbers(x, 2);
      const auto without = Ridge{}.minimize(ridge(lambda), x, y);
      for (const double constant : {0.1, 1e8 + 0.1}) {
        CAPTURE(n, d, lambda, constant);
        x.col(2).setConstant(constant);
        for (const auto& s : {Ridge{}.minimize(ridge(lambda), x, y),
                              Ridge{}.minimize(ridge(lambda), synthetic::sparse(x), y)}) {
          CHECK(std::abs(s.weights[2]) < 1e-14);
          CHECK((s.weights - without.weights).norm() < (constant < 1 ? 1e-10 : 1e-9));
          CHECK(s.rank == without.rank);
          CHECK_THAT(s.offset, WithinAbs(without.offset, 1e-6));
        }
      }
    }
}

TEST_CASE("Ridge: means of distant columns and targets keep their digits", "[optimizers]") {
  Matrix<double> x = synthetic::features(3000, 2, 1);
  const Vector<double> y = 1e12 + (x * Eigen::Vector2d(1, 2)).array();
  x.array() += 1e9;
  const auto s = Ridge{}.minimize(Objective{Squared{}, NoPenalty{}}, x, y);
  REQUIRE(std::abs(((x * s.weights).array() + s.offset - y.array()).mean()) < 1e-2);
  REQUIRE(s.objective < 1e-8);
}

}  // namespace ridge_test
