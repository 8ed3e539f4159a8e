// SPDX-License-Identifier: MIT
/// \file Several classes: digits from 8 × 8 pixels, by one model and by one model for each class.
#include <iostream>
#include <linea/io.hpp>
#include <linea/linea.hpp>

using namespace linea;

int main() {
  const auto file = read_libsvm<double>(LINEA_EXAMPLES_DATA "/digits.svm", {.features = 64});
  const auto [train, test] = split(file.x, file.y, {.stratify = true});

  const auto softmax = SoftmaxRegression{.lambda = 1}.fit(train.x, train.y);
  const auto machines = OneVsRest{LinearSvm{.lambda = 1}}.fit(train.x, train.y);
  std::cout.precision(3);
  std::cout << "softmax: " << accuracy(softmax.predict(test.x), test.y)
            << ", one against the rest: " << accuracy(machines.predict(test.x), test.y) << '\n'
            << (machines.is_proven(1e-6) ? "all minima are proven" : "a minimum is not proven")
            << ", the largest gap is below " << (*machines.gap() < 1e-6 ? "1e-6" : "1") << '\n';
}

// Output:
//   softmax: 0.987, one against the rest: 0.993
//   all minima are proven, the largest gap is below 1e-6
