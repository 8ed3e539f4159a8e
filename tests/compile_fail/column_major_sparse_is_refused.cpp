// must fail with: satisf[a-z ]*[^a-zA-Z]*Samples
// SPDX-License-Identifier: MIT
#include <linea/losses/hinge.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>

auto fit(const Eigen::SparseMatrix<double, Eigen::ColMajor>& columns,
         const linea::SparseMatrix<double>& rows, const linea::Vector<double>& y) {
  const auto objective = linea::Objective{linea::Hinge{}, linea::L2{1e-4}};
#ifdef LINEA_MUST_FAIL
  static_cast<void>(rows);
  return linea::Sgd{}.minimize(objective, columns, y);
#else
  static_cast<void>(columns);
  return linea::Sgd{}.minimize(objective, rows, y);
#endif
}
