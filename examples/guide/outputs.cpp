// SPDX-License-Identifier: MIT
/// \file Regression with several targets at once, with an interval, and with counts.
#include <cstdio>
#include <linea/io.hpp>
#include <linea/linea.hpp>

using namespace linea;

int main() {
  const auto file = read_libsvm<double>(LINEA_EXAMPLES_DATA "/diabetes.svm");
  const Matrix<double> x = file.x;
  const auto [train, test] = split(x, file.y);

  // Predict several targets at once: y (n × k) has a column for each target.
  Matrix<double> both(train.y.size(), 2);
  both << train.y, train.y.cwiseSqrt();
  const auto outputs = RidgeRegression{.lambda = 1e-3}.fit(train.x, both);
  const Matrix<double> predicted = outputs.predict(test.x);
  std::printf("mean of each output: %.0f %.1f\n", predicted.col(0).mean(), predicted.col(1).mean());

  // Predict an interval that holds eight of ten targets, by two quantiles.
  const auto low = QuantileRegression{.loss = {.level = 0.1}}.fit(train.x, train.y);
  const auto high = QuantileRegression{.loss = {.level = 0.9}}.fit(train.x, train.y);
  const Vector<double> from = low.predict(test.x), to = high.predict(test.x);
  Index inside = 0;
  for (Index i = 0; i < test.y.size(); ++i) inside += from[i] <= test.y[i] && test.y[i] <= to[i];
  std::printf("inside: %td of %td\n", inside, test.y.size());

  // Predict counts whose mean is exp(⟨w, x⟩ + b).
  const Vector<double> counts = (train.y / 10).array().round();
  const auto model = Standardised{PoissonRegression{.lambda = 1e-3}}.fit(train.x, counts);
  std::printf("mean count: %.1f, predicted %.1f\n", counts.mean(), model.predict(train.x).mean());
}

// Output:
//   mean of each output: 158 12.2
//   inside: 84 of 111
//   mean count: 15.0, predicted 15.0
