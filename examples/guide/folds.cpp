// SPDX-License-Identifier: MIT
/// \file λ of the lasso chosen by cross-validation: each fold has its own scaling, and the list of
/// λ begins at the smallest λ at which all weights are 0.
#include <iostream>
#include <linea/io.hpp>
#include <linea/linea.hpp>

using namespace linea;

int main() {
  const auto file = read_libsvm<double>(LINEA_EXAMPLES_DATA "/diabetes.svm");
  const Matrix<double> x = file.x;
  const auto chosen = CrossValidation{.folds = 5}.choose(Standardised{Lasso{}}, {}, x, file.y);

  std::cout.precision(3);
  std::cout << chosen.lambdas.size() << " lambdas from " << chosen.lambdas.front() << " to "
            << chosen.lambdas.back() << '\n';
  for (const Index k : {chosen.best, chosen.one_standard_error}) {
    const auto model = chosen.refit(k, x, file.y);
    std::cout << "lambda " << chosen.lambdas[static_cast<std::size_t>(k)] << ": "
              << (model.weights.array() != 0).count() << " weights, mean loss " << chosen.mean[k]
              << " +- " << chosen.standard_error[k] << '\n';
  }
}

// Output:
//   13 lambdas from 45.2 to 0.0452
//   lambda 0.0452: 10 weights, mean loss 1.5e+03 +- 96.2
//   lambda 4.52: 5 weights, mean loss 1.55e+03 +- 71.5
