// SPDX-License-Identifier: MIT
#include <Eigen/LU>
#include <linea/optimizers/interior_point/box_newton.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

TEST_CASE("Box Newton: both factors solve Newton's equations, QR where Cholesky has no digits left",
          "[optimizers]") {
  const Index n = 12;
  interior_point::BoxProgram<> program(n, 5, true);
  program.rows = synthetic::features(n, 5, 29);
  program.strengths.head(3).setOnes();
  for (const double spread : {1.0, 1e12}) {
    Eigen::VectorXd d = Eigen::VectorXd::Ones(n);
    d.head(3).setConstant(spread);
    const Eigen::VectorXd e = synthetic::features(n, 1, 30).cwiseQuotient(d);
    const Eigen::VectorXd f = synthetic::features(5, 1, 31);
    Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(n + 5, n + 5);
    whole.topLeftCorner(n, n) = d.cwiseInverse().asDiagonal();
    whole.topRightCorner(n, 5) = program.rows;
    whole.bottomLeftCorner(5, n) = program.rows.transpose();
    whole.bottomRightCorner(5, 5).diagonal().head(3).setConstant(-1);
    Eigen::VectorXd right(n + 5);
    right << e, f;
    const Eigen::VectorXd solution = whole.fullPivLu().solve(right);
    for (const interior_point::BoxFactor factor :
         {interior_point::BoxFactor::cholesky, interior_point::BoxFactor::qr}) {
      const auto step = interior_point::BoxNewton(program, d, factor).solve(e, -f);
      CHECK(step.accurate);
      CHECK((step.multipliers - solution.head(n)).norm() < 1e-9 * solution.norm());
      CHECK((step.primal - solution.tail(5)).norm() < 1e-9 * solution.norm());
    }
  }
  // Two rows that all but cancel, and enormous: what they leave to the rest is lost in E + GᵀDG.
  interior_point::BoxProgram<> hard = program;
  hard.rows.row(1) = -hard.rows.row(0);
  hard.rows(1, 0) += 1e-6;
  Eigen::VectorXd d = Eigen::VectorXd::Constant(n, 1e-3);
  d.head(2).setConstant(1e16);
  const Eigen::VectorXd e = Eigen::VectorXd::Unit(n, 0);
  CHECK_FALSE(interior_point::BoxNewton(hard, d, interior_point::BoxFactor::cholesky)
                  .solve(e, -Eigen::VectorXd::Ones(5))
                  .accurate);
  CHECK(interior_point::BoxNewton(hard, d, interior_point::BoxFactor::qr)
            .solve(e, -Eigen::VectorXd::Ones(5))
            .accurate);
}
