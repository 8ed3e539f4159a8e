// SPDX-License-Identifier: MIT
/// \file Samples as programs have them: memory of their own, Ref, blocks and fixed sizes; labels
/// that are whole numbers.
#include <iostream>
#include <linea/linea.hpp>
#include <vector>

using Eigen::MatrixXd;
using Eigen::VectorXi;

/// A function that is not a template takes matrices, blocks and maps as Ref.
double training_error(const Eigen::Ref<const MatrixXd>& x, const Eigen::Ref<const VectorXi>& y) {
  const auto model = linea::LogisticRegression{.lambda = 1e-2}.fit(x, y);
  return linea::error_rate(model.predict(x), y);
}

int main() {
  // Memory with one sample after the other, which is not copied.
  const std::vector<double> numbers{2, 1, 3, 2, 2.5, 3, -2, -1, -3, -2, -1.5, -3};
  const std::vector<int> labels{7, 7, 7, 4, 4, 4};
  const Eigen::Map<const linea::Matrix<double>> x(numbers.data(), 6, 2);
  const auto model = linea::LogisticRegression{.lambda = 1e-2}.fit(x, labels);
  const VectorXi predicted = model.predict<int>(x);
  std::cout << "predicted: " << predicted.transpose() << '\n';

  // A matrix of columns, a block of it, and a matrix of fixed size.
  const MatrixXd columns = x;
  const VectorXi y = VectorXi::Map(labels.data(), 6);
  const Eigen::Matrix<double, 6, 2> fixed = columns;
  std::cout << "errors: " << training_error(columns, y) << ' '
            << training_error(columns.rightCols(1), y) << ' '
            << training_error(columns.topRows(5), y.head(5)) << ' ' << training_error(fixed, y)
            << '\n';

  // One sample, in whatever form it comes.
  const std::vector<std::pair<int, double>> entries{{1, -2.0}};
  std::cout << "one sample: " << model.predict_one(Eigen::Vector2d(0, -2)) << ' '
            << model.predict_one(entries) << '\n';
}

// Output:
//   predicted: 7 7 7 4 4 4
//   errors: 0 0 0 0
//   one sample: 4 4
