// SPDX-License-Identifier: MIT
// Runs recipes, Sgd, Pegasos and GradientDescent, which linea::compiled contains, on dense samples
// stored by rows and by columns, and on sparse samples.
#include <iostream>
#include <linea/models/recipes.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/sgd.hpp>

namespace {

template <class X>
bool tells_apart(const X& x, const linea::Vector<double>& y) {
  const bool svm = linea::LinearSvm{.lambda = 1e-2}.fit(x, y).predict(x) == y;
  const bool logistic = linea::LogisticRegression{.lambda = 1e-2}.fit(x, y).predict(x) == y;
  const linea::Vector<double> scores = linea::RidgeRegression{.lambda = 1e-2}.fit(x, y).predict(x);
  return svm && logistic && (scores.array() * y.array() > 0).all();
}

template <class X, class T>
bool descends(const X& x, const linea::Vector<T>& y) {
  const linea::Objective hinge{linea::Hinge{}, linea::L2{1e-2}};
  const linea::Objective logistic{linea::Log{}, linea::L2{1e-2}};
  const double by_sgd = linea::Sgd{}.minimize(hinge, x, y).objective;
  const double by_pegasos = linea::Pegasos{}.minimize(hinge, x, y).objective;
  const double by_descent = linea::GradientDescent{}.minimize(logistic, x, y).objective;
  return by_sgd < 0.5 && by_pegasos < 0.5 && by_descent < 0.5;
}

}  // namespace

int main() {
  linea::Matrix<double> x(6, 2);
  x << 2, 1, 3, 2, 2.5, 3, -2, -1, -3, -2, -1.5, -3;
  linea::Vector<double> y(6);
  y << 1, 1, 1, -1, -1, -1;
  const Eigen::MatrixXd columns = x;
  const linea::SparseMatrix<double> sparse = x.sparseView();
  const linea::Matrix<float> small = x.cast<float>();
  const linea::Vector<float> signs = y.cast<float>();
  const bool right = tells_apart(x, y) && tells_apart(columns, y) && tells_apart(sparse, y) &&
                     descends(x, y) && descends(columns, y) && descends(sparse, y) &&
                     descends(small, signs);
  std::cout << (right ? "told apart\n" : "not told apart\n");
  return right ? 0 : 1;
}
