// SPDX-License-Identifier: MIT
/// \file Selects λ by held-out samples: cross-validation and leave-one-out.
#include <cstdio>
#include <linea/io.hpp>
#include <linea/linea.hpp>

int main() {
  const auto tumours = linea::read_libsvm<double>(LINEA_EXAMPLES_DATA "/wdbc.svm");
  const linea::Matrix<double> x = tumours.x;

  const linea::Standardised recipe{linea::LogisticRegression{}};
  const auto lambdas = linea::log_spaced(1e-1, 1e-5, 5);
  const auto chosen = linea::CrossValidation{.folds = 5}.choose(recipe, lambdas, x, tumours.y);
  for (std::size_t k = 0; k < chosen.lambdas.size(); ++k)
    std::printf("lambda %-7g error %.3f\n", chosen.lambdas[k],
                chosen.mean[static_cast<linea::Index>(k)]);
  const auto best = static_cast<std::size_t>(chosen.best);
  const auto careful = static_cast<std::size_t>(chosen.one_standard_error);
  std::printf("best %g, within one standard error %g%s\n", chosen.lambdas[best],
              chosen.lambdas[careful], chosen.is_at_edge ? ", at the edge of the list" : "");

  const auto patients = linea::read_libsvm<double>(LINEA_EXAMPLES_DATA "/diabetes.svm");
  const linea::Matrix<double> z = patients.x;
  const auto path = linea::RidgePath{}.fit(z, patients.y);
  std::printf("ridge regression: of %zu lambdas, %.2g has the least leave-one-out error\n",
              path.lambdas.size(), path.lambdas[static_cast<std::size_t>(path.best)]);
}

// Output:
//   lambda 0.1     error 0.037
//   lambda 0.01    error 0.021
//   lambda 0.001   error 0.023
//   lambda 0.0001  error 0.035
//   lambda 1e-05   error 0.042
//   best 0.01, within one standard error 0.01
//   ridge regression: of 100 lambdas, 0.0021 has the least leave-one-out error
