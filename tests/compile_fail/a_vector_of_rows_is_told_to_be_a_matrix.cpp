// must fail with: a std::vector of rows has to be made a matrix|NotAnEigenMatrix
// SPDX-License-Identifier: MIT
#include <linea/models/recipes.hpp>
#include <vector>

double fit(const std::vector<std::vector<double>>& rows, const linea::Matrix<double>& x,
           const std::vector<double>& y) {
#ifdef LINEA_MUST_FAIL
  static_cast<void>(x);
  return linea::RidgeRegression{}.fit(rows, y).objective;
#else
  static_cast<void>(rows);
  return linea::RidgeRegression{}.fit(x, y).objective;
#endif
}
