// SPDX-License-Identifier: MIT
#include <Eigen/LU>
#include <Eigen/SVD>
#include <cmath>
#include <linea/optimizers/numerics/one_sided_jacobi.hpp>

#include "support/catch.hpp"
#include "support/leave_one_out.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using namespace linea::test;

TEST_CASE("orthogonalise_columns: lengths are singular values, small ones to their own digits",
          "[optimizers]") {
  Eigen::MatrixXd m = synthetic::features(21, 20, 30);
  for (Index j = 0; j < 20; ++j) m.col(j) *= std::pow(10.0, -static_cast<double>(j) / 2);
  const Eigen::MatrixXd before = m;
  numerics::orthogonalise_columns(m, 20, 1e-20);
  const Eigen::MatrixXd top = m.topRows(20);
  const Eigen::VectorXd lengths = top.colwise().norm().transpose();
  const Eigen::MatrixXd directions = top * lengths.cwiseInverse().asDiagonal();
  CHECK((directions.transpose() * directions - Eigen::MatrixXd::Identity(20, 20)).norm() < 1e-13);
  // The rotation is the same for the row below.
  const Eigen::MatrixXd upper = before.topRows(20);
  const Eigen::VectorXd row = upper.transpose().fullPivLu().solve(before.row(20).transpose());
  CHECK((top.transpose() * row - m.row(20).transpose()).norm() < 1e-9 * m.row(20).norm());
  const Eigen::VectorXd expected =
      Eigen::JacobiSVD<Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>>(
          upper.cast<long double>())
          .singularValues()
          .cast<double>();
  for (Index j = 0; j < 20; ++j) CHECK(relative(lengths[j], expected[j]) < 1e-12);
}
