// SPDX-License-Identifier: MIT
/// \file Three lines from a file to a classifier, and a look at what came out.
#include <cstdio>
#include <linea/io.hpp>
#include <linea/linea.hpp>

int main() {
  // 569 tumours, 30 measurements each; the labels are -1 (malignant) and +1 (benign).
  const auto file = linea::read_libsvm<double>(LINEA_EXAMPLES_DATA "/wdbc.svm");
  const linea::Matrix<double> x = file.x;  // every entry is there, so dense is the better home
  const auto [train, test] = linea::split(x, file.y, {.test_fraction = 0.25, .seed = 1});

  // The columns are of very different size. Standardised learns their scale with the model.
  const linea::Standardised svm{linea::LinearSvm{.lambda = 1e-3}};
  const auto model = svm.fit(train.x, train.y);
  std::printf("support vector machine: accuracy %.2f on %td held-out samples\n",
              linea::accuracy(model.predict(test.x), test.y), test.x.rows());

  // A model is a value: weights, offset, and an account of how they were found.
  std::printf("%td weights, objective %.3f, %s by %s\n", model.weights.size(), model.objective,
              model.is_proven(1e-6) ? "proven to a millionth" : "not proven",
              model.optimizer.data());

  // The same data, another model, its λ chosen by cross-validation: probabilities instead of a
  // bare yes or no.
  const linea::Standardised logistic{linea::LogisticRegression{}};
  const auto chosen = linea::CrossValidation{.folds = 5}.choose(logistic, {1e-1, 1e-2, 1e-3, 1e-4},
                                                                train.x, train.y);
  std::printf("logistic regression: lambda %g, accuracy %.2f, log loss %.1f\n",
              chosen.lambdas[static_cast<std::size_t>(chosen.best)],
              linea::accuracy(chosen.model.predict(test.x), test.y),
              linea::log_loss(chosen.model.probabilities(test.x), test.y));

  // Compose: any loss, any penalty, any optimizer that can take them.
  const auto scaling = linea::standardise(train.x);
  const auto objective = linea::Objective{linea::SquaredHinge{}, linea::ElasticNet{1e-2, 1e-3}};
  const auto sparse =
      linea::CoordinateDescent{}.minimize(objective, scaling.apply(train.x), train.y);
  std::printf("squared hinge with elastic net: objective %.3f, %td weights of 30 are not 0\n",
              sparse.objective, (sparse.weights.array() != 0).count());
}

// Output:
//   support vector machine: accuracy 0.96 on 142 held-out samples
//   30 weights, objective 0.037, proven to a millionth by DualCoordinateAscent
//   logistic regression: lambda 0.001, accuracy 0.96, log loss 0.1
//   squared hinge with elastic net: objective 0.074, 13 weights of 30 are not 0
