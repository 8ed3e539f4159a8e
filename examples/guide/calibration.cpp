// SPDX-License-Identifier: MIT
/// \file Probabilities from the scores of a support vector machine: a logistic regression on
/// held-out scores (Platt, in: Advances in Large Margin Classifiers, 2000).
#include <iostream>
#include <linea/io.hpp>
#include <linea/linea.hpp>

using namespace linea;

int main() {
  const auto file = read_libsvm<double>(LINEA_EXAMPLES_DATA "/wdbc.svm");
  const Matrix<double> x = file.x;
  const auto [train, test] = split(x, file.y, {.stratify = true});

  const Standardised recipe{LinearSvm{.lambda = 1e-2}};
  const auto svm = recipe.fit(train.x, train.y);
  const auto scores = CrossValidation{}.held_out_scores(recipe, train.x, train.y);
  const auto calibration = LogisticRegression{.lambda = 0}.fit(scores, train.y);
  const auto probabilities = calibration.probabilities(svm.scores(test.x));

  std::cout.precision(2);
  std::cout << "probability = 1/(1 + exp(-(" << calibration.weights[0] << " score + "
            << calibration.offset << "))), Brier score " << brier_score(probabilities, test.y)
            << '\n';
}

// Output:
//   probability = 1/(1 + exp(-(2.2 score + -0.29))), Brier score 0.025
