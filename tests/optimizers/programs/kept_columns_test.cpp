// SPDX-License-Identifier: MIT
#include <Eigen/Cholesky>
#include <cmath>
#include <linea/optimizers/programs/kept_columns.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using programs::KeptColumns;

namespace {

Matrix<double> random_rows(Index n, Index d, Random& random) {
  Matrix<double> x(n, d);
  for (double& entry : x.reshaped()) entry = synthetic::normal(random);
  return x;
}

}  // namespace

TEST_CASE("Kept columns: no weights make more of sums than their scores allow", "[optimizers]") {
  Random random(3);
  for (int trial = 0; trial < 50; ++trial) {
    const Index n = 150;  // more than one block of the decomposition
    Matrix<double> x = random_rows(n, 4, random);
    x.col(2) = x.col(0) + 1e-5 * x.col(2);
    Eigen::VectorXd roots(n);
    for (double& root : roots) root = random.uniform() < 0.2 ? 0.0 : random.uniform();
    const KeptColumns<> kept(x, roots, Eigen::VectorXd::Constant(4, 1e-13), n);
    for (Index j = 0; j < 4; ++j) CHECK(!kept.is_dropped(j));
    const Eigen::MatrixXd weighted = roots.asDiagonal() * x;
    Eigen::VectorXd sums(4);
    for (double& sum : sums) sum = synthetic::normal(random);
    // The q that makes most of them: q = (XᵀX)⁻¹·sums.
    const Eigen::VectorXd best = (weighted.transpose() * weighted).ldlt().solve(sums);
    const double most = kept.most(sums, (weighted * best).norm());
    CHECK_THAT(sums.dot(best), WithinRel(most, 1e-5));
    for (int k = 0; k < 10; ++k) {
      Eigen::VectorXd q(4);
      for (double& entry : q) entry = synthetic::normal(random);
      if (k % 2 == 0) q[2] = -q[0] + 1e-4 * q[2];
      CHECK(std::abs(sums.dot(q)) <= kept.most(sums, (weighted * q).norm()) * (1 + 1e-5));
    }
    Eigen::VectorXd with_offset(5);
    with_offset << sums, 3;
    const double of_offset = 3 / std::sqrt(static_cast<double>(n));
    CHECK_THAT(kept.most(with_offset, 2),
               WithinRel(std::hypot(kept.most(sums, 2), 2 * of_offset), 1e-12));
  }
}

TEST_CASE("Kept columns: what rounding could have made of others is dropped, and nothing else",
          "[optimizers]") {
  Random random(4);
  for (int trial = 0; trial < 50; ++trial) {
    Matrix<double> x = random_rows(6, 5, random);
    // The first 0, the third the second but for 1e-14 of a direction that only the last has.
    const Eigen::VectorXd apart = x.col(4);
    x.col(0).setZero();
    x.col(2) = x.col(1) + 1e-14 * apart;
    x.col(4) = 0.5 * x.col(1) + 2 * x.col(3) + apart;
    const Eigen::VectorXd ones = Eigen::VectorXd::Ones(6);
    const KeptColumns<> kept(x, ones, Eigen::VectorXd::Constant(5, 1e-13), 6);
    CHECK(kept.is_dropped(0));
    CHECK(!kept.is_dropped(1));
    CHECK(kept.is_dropped(2));
    CHECK(!kept.is_dropped(3));
    CHECK(!kept.is_dropped(4));
    // What is left is decomposed as if the others had not been there.
    const Matrix<double> rest = x(Eigen::indexing::all, {1, 3, 4});
    const KeptColumns<> alone(rest, ones, Eigen::VectorXd::Constant(3, 1e-13), 6);
    CHECK_THAT(kept.most(Eigen::VectorXd{{9, 1, 9, -2, 3}}, 1),
               WithinRel(alone.most(Eigen::VectorXd{{1, -2, 3}}, 1), 1e-9));
    // Numbers known to 1e-3 do not tell a column from another that is nearer.
    x.col(2) = x.col(1) + 1e-4 * apart;
    CHECK(KeptColumns<>(x, ones, Eigen::VectorXd::Constant(5, 1e-3), 6).is_dropped(2));
    CHECK(!KeptColumns<>(x, ones, Eigen::VectorXd::Constant(5, 1e-7), 6).is_dropped(2));
  }
  // Both columns are known to 1e-6, so that they may differ by 2e-6 of their length and be one.
  Matrix<double> two = random_rows(100, 2, random);
  const Eigen::VectorXd apart = two.col(1) / two.col(1).norm() * two.col(0).norm();
  const Eigen::VectorXd of_100 = Eigen::VectorXd::Ones(100);
  for (const double rest : {1.5e-6, 3e-6}) {
    two.col(1) = two.col(0) + rest * apart;
    const KeptColumns<> kept(two, of_100, Eigen::VectorXd::Constant(2, 1e-6), 100);
    CHECK(kept.is_dropped(1) == (rest < 2e-6));
  }
  // A direction of the third that is that of the second's remainder is not lost with it.
  Matrix<double> x(3, 3);
  x << 1, 1, 1, 0, 1e-14, 1, 2, 2, 2;
  const KeptColumns<> kept(x, Eigen::VectorXd::Ones(3), Eigen::VectorXd::Constant(3, 1e-13), 3);
  CHECK(kept.is_dropped(1));
  CHECK(!kept.is_dropped(2));
}
