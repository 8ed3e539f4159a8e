// SPDX-License-Identifier: MIT
/// \file Online learners for any labels: one for two classes, which gets one sample at a time, and
/// one for classes that are not known beforehand.
#include <iostream>
#include <linea/io.hpp>
#include <linea/linea.hpp>

using namespace linea;

int main() {
  const auto tumours = read_libsvm<double>(LINEA_EXAMPLES_DATA "/wdbc.svm");
  const Matrix<double> dense = tumours.x;
  const Matrix<double> x = standardise(dense).apply(dense);
  const Vector<double>& y = tumours.y;

  const Objective objective{Log{}, L2{1e-3}};
  OnlineClassifier learner(Sgd{}.start<double>(objective, x.cols()), {-1, 1});
  learner.update(x.row(0), y[0]);
  Index mistakes = 0;
  for (Index i = 1; i < x.rows(); ++i) {
    if (learner.predict_one(x.row(i)) != y[i]) ++mistakes;
    learner.update(x.row(i), y[i]);
  }
  std::cout << mistakes << " mistakes on " << x.rows() - 1 << " tumours\n";

  // The classes need not be known beforehand.
  const auto flowers = read_libsvm<double>(LINEA_EXAMPLES_DATA "/iris.svm");
  OnlineOneVsRest growing(Sgd{}.start<double>(objective, flowers.x.cols()));
  for (int epoch = 0; epoch < 20; ++epoch) growing.epoch(flowers.x, flowers.y);
  std::cout << growing.labels().size() << " classes of flowers, accuracy "
            << accuracy(growing.predict(flowers.x), flowers.y) << '\n';
}

// Output:
//   23 mistakes on 568 tumours
//   3 classes of flowers, accuracy 0.98
