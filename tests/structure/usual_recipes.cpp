// SPDX-License-Identifier: MIT
/// \file The usual recipes on Eigen's own types, as a user calls them.
#include <iostream>
#include <linea/linea.hpp>

template <class X>
double fit_all(const X& x, const Eigen::VectorXi& labels, const Eigen::VectorXd& y) {
  double sum = 0;
  sum += linea::accuracy(linea::LinearSvm{}.fit(x, labels).predict(x), labels);
  sum += linea::accuracy(linea::LogisticRegression{}.fit(x, labels).predict(x), labels);
  sum += linea::accuracy(linea::SoftmaxRegression{}.fit(x, labels).predict(x), labels);
  sum += linea::r2(linea::RidgeRegression{}.fit(x, y).predict(x), y);
  sum += linea::r2(linea::Lasso{}.fit(x, y).predict(x), y);
  sum += linea::r2(linea::SupportVectorRegression{}.fit(x, y).predict(x), y);
  return sum;
}

int main() {
  const Eigen::MatrixXd x = Eigen::MatrixXd::Random(20, 2);
  const Eigen::VectorXi labels = (x.col(0).array() > 0).cast<int>();
  std::cout << fit_all(x, labels, x.col(1)) << '\n';
}
