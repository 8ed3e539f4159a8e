// SPDX-License-Identifier: MIT
#include <linea/rows/in_double.hpp>
#include <linea/samples/selected_rows.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

namespace {

/// Rows 7, 2, 5, 7 of x, which reads as `expected` (dense).
void check(const auto& rows, const Eigen::MatrixXd& expected) {
  const Sequence members{7, 2, 5, 7};
  samples::SelectedRows selected(rows);
  selected.take(members);
  const Index d = expected.cols();
  const Vector<double> v = Vector<double>::LinSpaced(d + 1, -1, 2);  // one entry more
  for (std::size_t k = 0; k < members.size(); ++k) {
    const Vector<double> row = expected.row(static_cast<Index>(members[k]));
    CHECK_THAT(selected.dot(k, v), WithinAbs(row.dot(v.head(d)), 1e-12));
    Vector<double> sum = v;
    selected.add(k, 3, sum);
    CHECK((sum.head(d) - v.head(d) - 3 * row).norm() <= 1e-12);
    CHECK(sum[d] == v[d]);
    Vector<double> entries = Vector<double>::Zero(d);
    selected.for_each(k, [&](Index j, double entry) { entries[j] += entry; });
    CHECK((entries - row).norm() <= 1e-13);
  }
}

}  // namespace

TEST_CASE("SelectedRows: reads the rows that were selected, from every storage", "[samples]") {
  Matrix<double> x = synthetic::features(9, 5, 3);
  x.col(1).array() += 100;
  x.row(5).head(2).setZero();
  const Vector<double> origin = x.colwise().mean();
  const auto check_relative = [&](const auto& rows, const Eigen::MatrixXd& stored) {
    check(rows, stored);
    check(rows.relative_to(origin.data()), stored.rowwise() - origin.transpose());
  };
  const Eigen::MatrixXd columns = x;
  check_relative(rows_of(x), x);
  check_relative(rows_of(columns), x);
  const Eigen::SparseMatrix<double, Eigen::RowMajor> sparse = x.sparseView();
  check(rows_of(sparse), x);
  const Eigen::MatrixXf floats = x.cast<float>();
  check_relative(rows::rows_in_double(floats), floats.cast<double>());
}
