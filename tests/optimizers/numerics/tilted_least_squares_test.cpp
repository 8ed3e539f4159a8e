// SPDX-License-Identifier: MIT
#include <linea/optimizers/numerics/tilted_least_squares.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

namespace {

/// The triangle of [A, b].
Matrix<double> triangle_of(const Matrix<double>& a, const Vector<double>& b) {
  Matrix<double> r = Matrix<double>::Zero(a.cols(), a.cols() + 1);
  Matrix<double> block(a.rows(), a.cols() + 1);
  block.leftCols(a.cols()) = a;
  block.col(a.cols()) = b;
  numerics::append_rows(r, block);
  return r;
}

}  // namespace

TEST_CASE("Tilted least squares: the gradient is 0 there, whatever the scale of the columns",
          "[optimizers]") {
  Matrix<double> a = synthetic::features(30, 4, 1);
  a.col(2) *= 1e8;
  a.col(3) *= 1e-8;
  const Vector<double> b = synthetic::features(30, 1, 2).col(0);
  const Vector<double> none = Vector<double>::Zero(4);
  const Vector<double> g = a.transpose() * synthetic::features(30, 1, 3).col(0);
  const numerics::TiltedLeastSquares<double> least(triangle_of(a, b), g, none, none, 1e-15);
  const Vector<double> gradient = a.transpose() * (a * least.point() - b) + g;
  for (Index j = 0; j < 4; ++j) CHECK(std::abs(gradient[j]) < 1e-12 * a.col(j).norm());
  CHECK(!least.is_endless());
}

TEST_CASE("Tilted least squares: a difference of 1e-11 of two columns has a weight of its own",
          "[optimizers]") {
  Matrix<double> a = synthetic::features(30, 3, 4);
  const Vector<double> hidden = a.col(1);
  a.col(1) = a.col(0) + 1e-11 * hidden;
  const Vector<double> b = a.col(2) + hidden;
  const Vector<double> none = Vector<double>::Zero(3);
  const Vector<double> noise = Vector<double>::Constant(3, 1e-14);
  const numerics::TiltedLeastSquares<double> least(triangle_of(a, b), none, noise, none, 1e-15);
  CHECK((a * least.point() - b).norm() < 1e-3 * b.norm());
  // As columns that are known to less than that it has none.
  const Vector<double> coarse = Vector<double>::Constant(3, 1e-9);
  const numerics::TiltedLeastSquares<double> blind(triangle_of(a, b), none, coarse, none, 1e-15);
  CHECK((a * blind.point() - b).norm() > 0.5 * hidden.norm());
  CHECK(!blind.is_endless());
}

TEST_CASE("Tilted least squares: without end where g leads along what A knows nothing of",
          "[optimizers]") {
  Matrix<double> a = synthetic::features(30, 3, 4);
  a.col(1) = -2 * a.col(0);
  const Matrix<double> r = triangle_of(a, Vector<double>::Ones(30));
  const Vector<double> noise = Vector<double>::Constant(3, 1e-13);
  Vector<double> g(3);
  g << 1, -2, 0.5;  // of the rows' span
  CHECK(!numerics::TiltedLeastSquares<double>(r, g, noise, noise, 1e-15).is_endless());
  g[1] += 1e-9;
  CHECK(numerics::TiltedLeastSquares<double>(r, g, noise, noise, 1e-15).is_endless());
}
