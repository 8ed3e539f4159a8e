// SPDX-License-Identifier: MIT
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>  // sort
#include <cmath>
#include <linea/linear_algebra/spectral.hpp>
#include <numbers>

#include "support/catch.hpp"
#include "support/leave_one_out.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using namespace linea::test;

namespace {

Eigen::MatrixXd symmetric(std::uint64_t seed, Index n) {
  const Eigen::MatrixXd a = synthetic::features(n, n, seed);
  return a + a.transpose();
}

Eigen::MatrixXd dense_of(const detail::linear_algebra::Tridiagonal& form) {
  Eigen::MatrixXd t = form.diagonal.asDiagonal();
  for (Index k = 0; k < form.below.size(); ++k) t(k + 1, k) = t(k, k + 1) = form.below[k];
  return t;
}

Eigen::VectorXd sorted(Eigen::VectorXd v) {
  std::sort(v.data(), v.data() + v.size());
  return v;
}

/// Returns the eigenvalues, computed without eigenvectors.
Eigen::VectorXd values_of(Eigen::VectorXd diagonal, const Eigen::VectorXd& below) {
  Eigen::MatrixXd none;
  REQUIRE(detail::linear_algebra::diagonalise(diagonal, below, none));
  return diagonal;
}

/// Returns the eigenvalues of `a`. Checks that the eigenvectors are orthonormal, and that QΛQᵀ is
/// `a`.
Eigen::VectorXd eigenvalues_of(const Eigen::MatrixXd& a) {
  const Index n = a.rows();
  const detail::linear_algebra::Tridiagonal form(a);
  Eigen::MatrixXd q = form.basis();
  const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(n, n);
  CHECK((q.transpose() * q - identity).norm() <= 1e-13 * std::sqrt(n));
  CHECK((q * dense_of(form) * q.transpose() - a).norm() <= 1e-13 * a.norm());
  Eigen::VectorXd values = form.diagonal;
  REQUIRE(detail::linear_algebra::diagonalise(values, form.below, q));
  CHECK((q.transpose() * q - identity).norm() <= 1e-13 * std::sqrt(n));
  CHECK((q * values.asDiagonal() * q.transpose() - a).norm() <= 1e-13 * a.norm());

  CHECK(values_of(form.diagonal, form.below) == values);
  return sorted(values);
}

}  // namespace

TEST_CASE("Tridiagonal, diagonalise: eigenvalues and eigenvectors of symmetric matrices",
          "[optimizers]") {
  const Index n = GENERATE(1, 2, 3, 4, 7, 20, 61);
  const Eigen::MatrixXd a = symmetric(5, n);
  const Eigen::VectorXd values = eigenvalues_of(a);
  const Eigen::VectorXd expected = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(a).eigenvalues();
  CHECK((values - expected).norm() <= 1e-13 * a.norm());
}

TEST_CASE("Tridiagonal: does not read above the diagonal", "[optimizers]") {
  Eigen::MatrixXd a = symmetric(6, 9);
  const detail::linear_algebra::Tridiagonal whole(a);
  a.triangularView<Eigen::StrictlyUpper>().setConstant(std::nan(""));
  const detail::linear_algebra::Tridiagonal lower(a);
  CHECK(lower.diagonal == whole.diagonal);
  CHECK(lower.below == whole.below);
  CHECK(lower.basis() == whole.basis());
}

TEST_CASE("Tridiagonal, diagonalise: scaling by powers of two gives the same bits",
          "[optimizers]") {
  const Eigen::MatrixXd a = symmetric(7, 12);
  const detail::linear_algebra::Tridiagonal plain(a);
  const Eigen::VectorXd values = values_of(plain.diagonal, plain.below);
  for (const int exponent : {-990, -300, 300, 990}) {
    const double unit = std::ldexp(1.0, exponent);
    const detail::linear_algebra::Tridiagonal form(unit * a);
    CHECK(form.diagonal == unit * plain.diagonal);
    CHECK(form.below == unit * plain.below);
    CHECK(form.basis() == plain.basis());
    CHECK((values_of(form.diagonal, form.below) / unit - values).norm() <= 1e-13 * values.norm());
  }
}

TEST_CASE("Tridiagonal, diagonalise: zero, diagonal, of rank one, and with equal eigenvalues",
          "[optimizers]") {
  const Index n = 8;
  CHECK(eigenvalues_of(Eigen::MatrixXd::Zero(n, n)) == Eigen::VectorXd::Zero(n));
  const Eigen::VectorXd steps = Eigen::VectorXd::LinSpaced(n, 1, 8);
  CHECK(eigenvalues_of(Eigen::MatrixXd(steps.reverse().asDiagonal())) == steps);
  const Eigen::VectorXd one = eigenvalues_of(steps * steps.transpose());
  CHECK(std::abs(one[n - 1] - steps.squaredNorm()) <= 1e-13 * steps.squaredNorm());
  CHECK(one.head(n - 1).norm() <= 1e-13 * steps.squaredNorm());
  const Eigen::VectorXd unit = steps.normalized();
  const Eigen::VectorXd equal =
      eigenvalues_of(Eigen::MatrixXd::Identity(n, n) + 2 * unit * unit.transpose());
  CHECK((equal.head(n - 1) - Eigen::VectorXd::Ones(n - 1)).norm() <= 1e-14);
  CHECK(std::abs(equal[n - 1] - 3) <= 1e-14);
}

TEST_CASE("diagonalise: the second difference has the eigenvalues 2 - 2·cos(kπ/(n + 1))",
          "[optimizers]") {
  const Index n = 100;
  const Eigen::VectorXd values =
      sorted(values_of(Eigen::VectorXd::Constant(n, 2), Eigen::VectorXd::Constant(n - 1, -1)));
  for (Index k = 0; k < n; ++k) {
    const double angle = static_cast<double>(k + 1) * std::numbers::pi / static_cast<double>(n + 1);
    CHECK(std::abs(values[k] - (2 - 2 * std::cos(angle))) <= 1e-14);
  }
}

TEST_CASE("diagonalise: numbers that are not finite do not converge, and the loop ends",
          "[optimizers]") {
  Eigen::VectorXd values = Eigen::VectorXd::Constant(3, std::nan(""));
  Eigen::MatrixXd none;
  CHECK_FALSE(detail::linear_algebra::diagonalise(
      values, Eigen::VectorXd(Eigen::VectorXd::Constant(2, 1)), none));
}

TEST_CASE("orthogonalise_columns: norms are singular values, small ones accurate to their own size",
          "[optimizers]") {
  Eigen::MatrixXd m = synthetic::features(21, 20, 30);
  for (Index j = 0; j < 20; ++j) m.col(j) *= std::pow(10.0, -static_cast<double>(j) / 2);
  const Eigen::MatrixXd before = m;
  const Eigen::VectorXd lengths = detail::linear_algebra::orthogonalise_columns(m, 20, 1e-20);
  const Eigen::MatrixXd top = m.topRows(20);
  const Eigen::MatrixXd directions = top * lengths.cwiseInverse().asDiagonal();
  CHECK((directions.transpose() * directions - Eigen::MatrixXd::Identity(20, 20)).norm() < 1e-13);
  // The function rotates row 20, below the square part, in the same way.
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
