// SPDX-License-Identifier: MIT
#include <Eigen/Cholesky>
#include <cmath>
#include <linea/optimizers/dual/free_system.hpp>
#include <linea/rows/rows_of.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

TEST_CASE("FreeSystem: solves the equations of its terms, whichever way it takes", "[optimizers]") {
  // Columns that nearly depend on each other: conjugate gradients need many rounds, and so there
  // are factors, by columns for 150 rows and by rows for 8.
  Matrix<double> x = synthetic::features(300, 12, 5);
  for (Index j = 6; j < 12; ++j) x.col(j) = x.col(j - 6) + 1e-3 * x.col(j);
  const Matrix<double>& row_major = x;
  const Eigen::MatrixXd columns = x;
  const double lambda = 1e-5;
  const double hold = 1e-6;
  const auto check = [&](const auto& rows, bool has_offset, std::uint32_t step) {
    Sequence members;
    for (std::uint32_t i = 0; i < 300; i += step) members.push_back(i);
    samples::SelectedRows selected(rows);
    selected.take(members);
    dual::FreeSystem system(selected, rows, lambda, has_offset);
    const Index size = has_offset ? 13 : 12;
    Eigen::MatrixXd matrix = lambda * Eigen::MatrixXd::Identity(size, size);
    if (has_offset) matrix(12, 12) = hold;
    system.clear(5);
    system.add_term(0, 1e9);  // to be forgotten
    system.clear(hold);
    for (std::size_t k = 0; k < members.size(); ++k) {
      const double c = 0.1 + 0.01 * static_cast<double>(k);
      system.add_term(k, c);
      Vector<double> row = Vector<double>::Ones(size);
      row.head(12) = x.row(static_cast<Index>(members[k]));
      matrix += c * row * row.transpose();
    }
    const Vector<double> r = Vector<double>::LinSpaced(size, 1, -2);
    const Vector<double> exact = matrix.llt().solve(r);
    const Vector<double> scale = matrix.diagonal().cwiseInverse();
    const auto error = [&](const Vector<double>& s) {
      const Vector<double> rest = r - matrix * s;
      return std::sqrt(rest.dot(scale.cwiseProduct(rest)) / r.dot(scale.cwiseProduct(r)));
    };
    Vector<double> s;
    system.solve(r, s);
    CHECK(error(s) <= 0.031);
    system.solve(r, s);
    CHECK((s - exact).norm() <= 1e-6 * exact.norm());  // factored
    system.clear(hold);
    system.add_term(0, 0.5);  // of an easy system conjugate gradients make an end
    system.solve(r, s);
    CHECK(core::all_finite(s));
    CHECK_THAT(system.dot(3, exact),
               WithinRel(x.row(static_cast<Index>(members[3])).dot(exact.head(12)) +
                             (has_offset ? exact[12] : 0),
                         1e-10));
  };
  for (const bool has_offset : {false, true}) {
    for (const std::uint32_t step : {2U, 40U}) {
      check(rows_of(row_major), has_offset, step);
      check(rows_of(columns), has_offset, step);
    }
  }
}
