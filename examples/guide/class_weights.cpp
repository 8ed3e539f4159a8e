// SPDX-License-Identifier: MIT
/// \file Sparse samples of a rare class: class weights, and the area under the ROC curve.
#include <iostream>
#include <linea/io.hpp>
#include <linea/linea.hpp>

using namespace linea;

int main() {
  const auto file = read_libsvm<double>(LINEA_EXAMPLES_DATA "/digits.svm");  // x is sparse
  const Vector<double> is_eight = (file.y.array() == 8).cast<double>();
  const auto [train, test] = split(file.x, is_eight, {.stratify = true});

  std::cout.precision(2);
  for (const auto& [name, weights] : {std::pair<const char*, ClassWeights>{"equal", {}},
                                      {"balanced", balanced},
                                      {"1 to 3", {{0, 1}, {1, 3}}}}) {
    const LogisticRegression recipe{.lambda = 1e-2, .class_weights = weights};
    const auto model = recipe.fit(train.x, train.y);
    std::cout << name << ": recall " << recall(model.predict(test.x), test.y, 1) << ", ROC AUC "
              << roc_auc(model.scores(test.x), test.y) << '\n';
  }
}

// Output:
//   equal: recall 0.93, ROC AUC 1
//   balanced: recall 1, ROC AUC 1
//   1 to 3: recall 1, ROC AUC 1
