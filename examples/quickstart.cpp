// SPDX-License-Identifier: MIT
/// \file Three lines from a file to a classifier, and a look at what came out.
#include <cstdio>
#include <linea/linea.hpp>

int main() {
  // 569 tumours, 30 measurements each; the labels are -1 (malignant) and +1 (benign).
  const auto file = linea::read_libsvm<double>(LINEA_EXAMPLES_DATA "/wdbc.svm");
  const linea::Matrix<double> x = file.x;  // every entry is there, so dense is the better home
  const auto [train, test] = linea::split(x, file.y, {.test_fraction = 0.25, .seed = 1});

  // The columns are of very different size: bring them to one scale, learnt on the training part.
  const auto scaling = linea::standardise(train.x);
  const auto x_train = scaling.apply(train.x);
  const auto x_test = scaling.apply(test.x);

  const auto svm = linea::LinearSvm{.lambda = 1e-3}.fit(x_train, train.y);
  std::printf("support vector machine: accuracy %.2f on %td held-out samples\n",
              linea::accuracy(svm.predict(x_test), test.y), test.x.rows());

  // A model is a value: weights, offset, and an account of how they were found.
  std::printf("%td weights, objective %.2f, %s\n", svm.weights.size(), svm.objective,
              svm.status == linea::Status::diverged ? "diverged" : "fine");

  // The same data, another model: probabilities instead of a bare yes or no.
  const auto logistic = linea::LogisticRegression{.lambda = 1e-3}.fit(x_train, train.y);
  std::printf("logistic regression: accuracy %.2f, log loss %.1f\n",
              linea::accuracy(logistic.predict(x_test), test.y),
              linea::log_loss(logistic.probabilities(x_test), test.y));

  // Compose: any loss, any penalty, any optimizer that can take them.
  const auto objective = linea::Objective{linea::SquaredHinge{}, linea::ElasticNet{1e-2, 1e-3}};
  const auto sparse = linea::Sgd{.epochs = 200, .seed = 7}.minimize(objective, x_train, train.y);
  std::printf("squared hinge with elastic net: objective %.2f\n", sparse.objective);
}

// Output:
//   support vector machine: accuracy 0.96 on 142 held-out samples
//   30 weights, objective 0.04, fine
//   logistic regression: accuracy 0.98, log loss 0.1
//   squared hinge with elastic net: objective 0.07
