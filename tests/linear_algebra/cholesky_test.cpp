// SPDX-License-Identifier: MIT
#include <Eigen/Cholesky>
#include <limits>
#include <linea/linear_algebra/cholesky.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

TEST_CASE("Cholesky: solves as Eigen's does, at every size around that of its blocks",
          "[optimizers]") {
  for (const Index n : {1, 2, 5, 47, 48, 49, 96, 150, 203}) {
    CAPTURE(n);
    const Eigen::MatrixXd z = synthetic::features(2 * n + 3, n, 11);
    const Eigen::MatrixXd a = z.transpose() * z + 0.1 * Eigen::MatrixXd::Identity(n, n);
    const Eigen::VectorXd b = synthetic::features(n, 1, 12);
    Eigen::MatrixXd lower = a;
    lower.triangularView<Eigen::StrictlyUpper>().setConstant(
        std::numeric_limits<double>::quiet_NaN());  // never read
    const linear_algebra::Cholesky<> factor(lower);
    REQUIRE(factor.is_positive());
    Eigen::VectorXd x = b;
    factor.solve(x.data());
    const Eigen::LLT<Eigen::MatrixXd> eigen(a);
    CHECK((x - eigen.solve(b)).norm() <= 1e-12 * x.norm());
    CHECK_THAT(factor.reciprocal_condition(), Catch::Matchers::WithinRel(eigen.rcond(), 1e-9));
  }
}

TEST_CASE("Cholesky: the condition is that of the matrix, and 0 where it is not positive definite",
          "[optimizers]") {
  Eigen::MatrixXd a = Eigen::MatrixXd::Identity(60, 60);
  a(59, 59) = 1e-9;
  CHECK_THAT(linear_algebra::Cholesky<>(a).reciprocal_condition(),
             Catch::Matchers::WithinRel(1e-9, 1e-12));
  for (const double pivot : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()})
    for (const Index at : {0, 30, 59}) {
      a(at, at) = pivot;
      const linear_algebra::Cholesky<> factor(a);
      CHECK_FALSE(factor.is_positive());
      CHECK(factor.reciprocal_condition() == 0);
      a(at, at) = 1;
    }
}
