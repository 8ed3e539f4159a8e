// SPDX-License-Identifier: MIT
#include <linea/optimizers/numerics/pivoted_qr.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using numerics::PivotedQr;

TEST_CASE("PivotedQr: tells of columns that it took for 0 though they were not", "[optimizers]") {
  const core::ColumnMatrix<double> x = synthetic::features(12, 3, 1);
  const Vector<double> noise = Vector<double>::Constant(3, 1e-6);
  const auto qr = [&](const core::ColumnMatrix<double>& a, const Vector<double>& known_to) {
    return PivotedQr<>(a, known_to, 3);
  };
  CHECK_FALSE(qr(x, noise).has_cleared());
  CHECK(qr(x, noise).rank() == 3);

  core::ColumnMatrix<double> small = x;
  small.col(1) *= 1e-8;
  CHECK(qr(small, noise).has_cleared());
  CHECK(qr(small, noise).rank() == 2);
  CHECK_FALSE(qr(small, Vector<double>::Constant(3, 1e-12)).has_cleared());

  core::ColumnMatrix<double> dependent = x;
  dependent.col(2) = x.col(0) + x.col(1) + 1e-9 * x.col(2);
  CHECK(qr(dependent, noise).has_cleared());
  CHECK(qr(dependent, noise).rank() == 2);

  core::ColumnMatrix<double> empty = x;  // a column of zeros is 0
  empty.col(0).setZero();
  CHECK_FALSE(qr(empty, noise).has_cleared());
  CHECK(qr(empty, noise).rank() == 2);
  CHECK(qr(empty, noise).origin(2) == 0);

  // Known far better than the column that it is nearly a multiple of.
  core::ColumnMatrix<double> multiple = x.leftCols(2);
  multiple.col(1) = 0.5 * x.col(0) + 1e-8 * x.col(1);
  CHECK(qr(multiple, Vector<double>{{1e-3, 1e-15}}).has_cleared());
  CHECK(qr(multiple, Vector<double>{{1e-3, 1e-15}}).rank() == 1);
  CHECK(qr(multiple, Vector<double>{{1e-12, 1e-15}}).rank() == 2);
}
