// SPDX-License-Identifier: MIT
/// \file Samples in the forms in which programs store them: memory of the program, Ref, blocks, and
/// matrices of fixed size. The labels are integers.
#include <iostream>
#include <linea/linea.hpp>
#include <vector>

using Eigen::MatrixXd;
using Eigen::VectorXi;

/// A function that is not a template accepts matrices, blocks and maps as Ref.
double training_error(const Eigen::Ref<const MatrixXd>& x, const Eigen::Ref<const VectorXi>& y) {
  const auto model = linea::LogisticRegression{.lambda = 1e-2}.fit(x, y);
  return linea::error_rate(model.predict(x), y);
}

int main() {
  // Map memory that holds one sample after the other, without a copy.
  const std::vector<double> numbers{2, 1, 3, 2, 2.5, 3, -2, -1, -3, -2, -1.5, -3};
  const std::vector<int> labels{7, 7, 7, 4, 4, 4};
  const Eigen::Map<const linea::Matrix<double>> x(numbers.data(), 6, 2);
  const auto model = linea::LogisticRegression{.lambda = 1e-2}.fit(x, labels);
  const VectorXi predicted = model.predict<int>(x);
  std::cout << "predicted: " << predicted.transpose() << '\n';

  // Use a matrix stored by columns, a block of it, and a matrix of fixed size.
  const MatrixXd columns = x;
  const VectorXi y = VectorXi::Map(labels.data(), 6);
  const Eigen::Matrix<double, 6, 2> fixed = columns;
  std::cout << "errors: " << training_error(columns, y) << ' '
            << training_error(columns.rightCols(1), y) << ' '
            << training_error(columns.topRows(5), y.head(5)) << ' ' << training_error(fixed, y)
            << '\n';

  // Predict one sample, given in two different forms.
  const std::vector<std::pair<int, double>> entries{{1, -2.0}};
  std::cout << "one sample: " << model.predict_one(Eigen::Vector2d(0, -2)) << ' '
            << model.predict_one(entries) << '\n';
}

// Output:
//   predicted: 7 7 7 4 4 4
//   errors: 0 0 0 0
//   one sample: 4 4
