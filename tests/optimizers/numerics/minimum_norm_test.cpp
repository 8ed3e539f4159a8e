// SPDX-License-Identifier: MIT
#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <linea/optimizers/numerics/minimum_norm.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

TEST_CASE("append_rows: R of blocks taken in one by one is that of all rows", "[optimizers]") {
  const Matrix<double> a = synthetic::features(40, 7, 21);
  Matrix<double> r = Matrix<double>::Zero(5, 7);
  for (const Index first : {0, 3, 20}) {
    Matrix<double> block = a.middleRows(first, first == 0 ? 3 : first == 3 ? 17 : 20);
    numerics::append_rows(r, block);
  }
  const Eigen::MatrixXd left = a.leftCols(5);
  const Eigen::MatrixXd triangle = r.leftCols(5).triangularView<Eigen::Upper>();
  CHECK((triangle.transpose() * triangle - left.transpose() * left).norm() <
        1e-13 * a.squaredNorm());
  CHECK((triangle.transpose() * r.rightCols(2) - left.transpose() * a.rightCols(2)).norm() <
        1e-13 * a.squaredNorm());
}

TEST_CASE("Minimum norm: agrees with the complete orthogonal decomposition, whatever the rank",
          "[optimizers]") {
  for (const Index rank : {0, 1, 4, 9, 30})
    for (const Index rows : {30, 45}) {
      CAPTURE(rank, rows);
      const Eigen::MatrixXd a =
          synthetic::features(rows, rank, 22) * synthetic::features(30, rank, 23).transpose();
      const Eigen::VectorXd b = synthetic::features(rows, 1, 24);
      const numerics::MinimumNorm<> factor(a, 1e-10);
      REQUIRE(factor.rank() == rank);
      Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> eigen;
      eigen.setThreshold(1e-10);
      eigen.compute(a);
      const Eigen::VectorXd expected = eigen.solve(b);
      CHECK((factor.solve(b) - expected).norm() <= 1e-9 * expected.norm());

      const Eigen::VectorXd along = a.transpose() * b;  // in the row space
      const Eigen::VectorXd beyond =
          along + (Eigen::VectorXd::Ones(30) - eigen.solve(a * Eigen::VectorXd::Ones(30)));
      CHECK((factor.solve_squared(beyond, 0) - expected).norm() <= 1e-7 * expected.norm());
      const Eigen::MatrixXd squared = a.transpose() * a + 0.5 * Eigen::MatrixXd::Identity(30, 30);
      const Eigen::VectorXd ridge = squared.ldlt().solve(along);
      CHECK((factor.solve_squared(beyond, 0.5) - ridge).norm() <= 1e-9 * ridge.norm());
    }
}
