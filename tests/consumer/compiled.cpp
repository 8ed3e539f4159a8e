// SPDX-License-Identifier: MIT
// Recipes whose fits are in linea::compiled, on rows of every layout.
#include <iostream>
#include <linea/models/recipes.hpp>

namespace {

template <class X>
bool tells_apart(const X& x, const linea::Vector<double>& y) {
  const bool svm = linea::LinearSvm{.lambda = 1e-2}.fit(x, y).predict(x) == y;
  const bool logistic = linea::LogisticRegression{.lambda = 1e-2}.fit(x, y).predict(x) == y;
  const linea::Vector<double> scores = linea::RidgeRegression{.lambda = 1e-2}.fit(x, y).predict(x);
  return svm && logistic && (scores.array() * y.array() > 0).all();
}

}  // namespace

int main() {
  linea::Matrix<double> x(6, 2);
  x << 2, 1, 3, 2, 2.5, 3, -2, -1, -3, -2, -1.5, -3;
  linea::Vector<double> y(6);
  y << 1, 1, 1, -1, -1, -1;
  const Eigen::MatrixXd columns = x;
  const linea::SparseMatrix<double> sparse = x.sparseView();
  const bool right = tells_apart(x, y) && tells_apart(columns, y) && tells_apart(sparse, y);
  std::cout << (right ? "told apart\n" : "not told apart\n");
  return right ? 0 : 1;
}
