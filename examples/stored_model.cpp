// SPDX-License-Identifier: MIT
/// \file Fits a model, saves and reads it, and writes it as a header that scores without linea.
#include <filesystem>
#include <iostream>
#include <linea/io.hpp>
#include <linea/linea.hpp>
#include <sstream>

int main() {
  const auto file = linea::read_libsvm<double>(LINEA_EXAMPLES_DATA "/wdbc.svm");
  const auto [train, test] = linea::split(linea::Matrix<double>(file.x), file.y);
  const auto recipe = linea::Standardised{linea::LogisticRegression{.lambda = 1e-3}};
  const auto model = recipe.fit(train.x, train.y);
  const auto folder = std::filesystem::temp_directory_path();

  linea::write_model(folder / "tumour.model", model);
  const auto back =
      linea::read_model<linea::ProbabilisticClassifier<double>>(folder / "tumour.model");
  std::cout << "the same scores: " << (back.scores(test.x) == model.scores(test.x)) << '\n';

  // A program that accepts any kind of model reads the kind from the file.
  const auto stored = linea::read_stored_model(folder / "tumour.model");
  std::cout << linea::name_of(stored.kind) << " of " << stored.columns << " columns, "
            << stored.parts[0].loss << " + " << stored.parts[0].penalty << '\n';

  std::ostringstream header;
  linea::write_header(header, model, {.name = "tumour"});
  std::cout << header.str().substr(0, header.str().find('\n')) << '\n';
  std::filesystem::remove(folder / "tumour.model");
}

// Output:
//   the same scores: 1
//   probabilistic-classifier of 30 columns, log + l2 (lambda = 0.001)
//   // A linear model written by linea: probabilistic-classifier, 30 columns; log + l2 (lambda = 0.001).
