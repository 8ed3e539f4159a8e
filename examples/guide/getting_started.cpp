// SPDX-License-Identifier: MIT
/// \file From a file to a model: reads, splits, fits, tests and saves.
#include <filesystem>
#include <iostream>
#include <linea/io.hpp>
#include <linea/linea.hpp>

int main() {
  const auto file = linea::read_libsvm<double>(LINEA_EXAMPLES_DATA "/wdbc.svm");
  const linea::Matrix<double> x = file.x;
  const auto [train, test] = linea::split(x, file.y);

  const linea::Standardised recipe{linea::LogisticRegression{.lambda = 1e-3}};
  const auto model = recipe.fit(train.x, train.y);
  std::cout.precision(3);
  std::cout << "accuracy " << linea::accuracy(model.predict(test.x), test.y) << '\n';
  std::cout << "probability of the label " << model.labels[1] << ": "
            << model.probabilities(test.x.topRows(3)).transpose() << '\n';
  std::cout << "F " << model.objective << ", at most a millionth above the minimum: "
            << (model.is_proven(1e-6) ? "proven" : "not proven") << '\n';

  const auto path = std::filesystem::temp_directory_path() / "tumours.model";
  linea::write_model(path, model);
  const auto same = linea::read_model<linea::ProbabilisticClassifier<double>>(path);
  std::filesystem::remove(path);
  return same.predict(test.x) == model.predict(test.x) ? 0 : 1;
}

// Output:
//   accuracy 0.972
//   probability of the label 1:     1     1 0.906
//   F 0.0436, at most a millionth above the minimum: proven
