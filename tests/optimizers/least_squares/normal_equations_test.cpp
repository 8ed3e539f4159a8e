// SPDX-License-Identifier: MIT
#include <linea/optimizers/least_squares/normal_equations.hpp>
#include <linea/rows/in_double.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

TEST_CASE("Normal equations: the memory of rows that lie in one piece", "[optimizers]") {
  const auto lie_at = [](const auto& x, Index first, Index last) {
    return least_squares::bytes_of(rows_of(x), first, last);
  };
  const Matrix<float> x = Matrix<float>::Ones(7, 5);
  const auto some = lie_at(x, 2, 6);
  CHECK(some.data() == reinterpret_cast<const char*>(&x(2, 0)));
  CHECK(some.size() == 4 * 5 * sizeof(float));
  CHECK(lie_at(x, 3, 3).empty());
  // One row lies in one piece, rows with gaps between them do not, and columns never do.
  const Matrix<double> wide = Matrix<double>::Ones(7, 5);
  CHECK(lie_at(wide.leftCols(4), 1, 2).data() == reinterpret_cast<const char*>(&wide(1, 0)));
  CHECK(lie_at(wide.leftCols(4), 1, 2).size() == 4 * sizeof(double));
  CHECK(lie_at(wide.leftCols(4), 1, 3).empty());
  CHECK(lie_at(Eigen::MatrixXd(wide), 0, 7).empty());
  CHECK(lie_at(synthetic::sparse(wide), 0, 7).empty());
  // Rows in double lie where they are stored.
  CHECK(lie_at(in_double(x), 0, 7).data() == reinterpret_cast<const char*>(x.data()));
  CHECK(lie_at(in_double(x), 0, 7).size() == 7 * 5 * sizeof(float));
}
