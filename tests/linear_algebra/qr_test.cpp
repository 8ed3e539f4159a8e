// SPDX-License-Identifier: MIT
#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <linea/linear_algebra/qr.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using detail::linear_algebra::PivotedQr;

TEST_CASE("PivotedQr: columns within the noise count as 0", "[optimizers]") {
  const detail::ColumnMatrix<double> x = synthetic::features(12, 3, 1);
  const Vector<double> noise = Vector<double>::Constant(3, 1e-6);
  const auto qr = [&](const detail::ColumnMatrix<double>& a, const Vector<double>& known_to) {
    return PivotedQr<>(a, known_to, 3);
  };
  CHECK(qr(x, noise).rank() == 3);

  detail::ColumnMatrix<double> small = x;
  small.col(1) *= 1e-8;
  CHECK(qr(small, noise).rank() == 2);
  CHECK(qr(small, Vector<double>::Constant(3, 1e-12)).rank() == 3);

  detail::ColumnMatrix<double> dependent = x;
  dependent.col(2) = x.col(0) + x.col(1) + 1e-9 * x.col(2);
  CHECK(qr(dependent, noise).rank() == 2);

  detail::ColumnMatrix<double> empty = x;  // will have a column of zeros
  empty.col(0).setZero();
  CHECK(qr(empty, noise).rank() == 2);
  CHECK(qr(empty, noise).origin(2) == 0);

  // The first column is far less accurate than the second, which is nearly a multiple of the first.
  detail::ColumnMatrix<double> multiple = x.leftCols(2);
  multiple.col(1) = 0.5 * x.col(0) + 1e-8 * x.col(1);
  CHECK(qr(multiple, Vector<double>{{1e-3, 1e-15}}).rank() == 1);
  CHECK(qr(multiple, Vector<double>{{1e-12, 1e-15}}).rank() == 2);
}

TEST_CASE("append_rows: R of appended blocks is that of all rows", "[optimizers]") {
  const Matrix<double> a = synthetic::features(40, 7, 21);
  Matrix<double> r = Matrix<double>::Zero(5, 7);
  for (const Index first : {0, 3, 20}) {
    Matrix<double> block = a.middleRows(first, first == 0 ? 3 : first == 3 ? 17 : 20);
    detail::linear_algebra::append_rows(r, block);
  }
  const Eigen::MatrixXd left = a.leftCols(5);
  const Eigen::MatrixXd triangle = r.leftCols(5).triangularView<Eigen::Upper>();
  CHECK((triangle.transpose() * triangle - left.transpose() * left).norm() <
        1e-13 * a.squaredNorm());
  CHECK((triangle.transpose() * r.rightCols(2) - left.transpose() * a.rightCols(2)).norm() <
        1e-13 * a.squaredNorm());
}

TEST_CASE("CompleteOrthogonal: agrees with Eigen's decomposition for any rank", "[optimizers]") {
  for (const Index rank : {0, 1, 4, 9, 30})
    for (const Index rows : {30, 45}) {
      CAPTURE(rank, rows);
      const Eigen::MatrixXd a =
          synthetic::features(rows, rank, 22) * synthetic::features(30, rank, 23).transpose();
      const Eigen::VectorXd b = synthetic::features(rows, 1, 24);
      const detail::linear_algebra::CompleteOrthogonal<> factor(PivotedQr<>(a, 1e-10));
      REQUIRE(factor.rank() == rank);
      Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> eigen;
      eigen.setThreshold(1e-10);
      eigen.compute(a);
      const Eigen::VectorXd expected = eigen.solve(b);
      double beyond_span = 0;
      CHECK((factor.solve(b, 0, beyond_span) - expected).norm() <= 1e-9 * expected.norm());
      CHECK_THAT(beyond_span, WithinAbs((b - a * expected).squaredNorm(), 1e-12 * b.squaredNorm()));

      const Eigen::VectorXd along = a.transpose() * b;  // lies in the row space
      const Eigen::VectorXd shortest = eigen.pseudoInverse().transpose() * along;
      CHECK((factor.solve_transposed(along) - shortest).norm() <= 1e-9 * shortest.norm());
      const Eigen::MatrixXd squared = a.transpose() * a + 0.5 * Eigen::MatrixXd::Identity(30, 30);
      const Eigen::VectorXd ridge = squared.ldlt().solve(along);
      CHECK((factor.solve(b, 0.5, beyond_span) - ridge).norm() <= 1e-9 * ridge.norm());
    }
}
