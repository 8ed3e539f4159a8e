// SPDX-License-Identifier: MIT
/// \file Learners that are fed one sample after the other: two classes, a snapshot in a file and a
/// learner that continues from it, and classes that are not known beforehand.
#include <filesystem>
#include <iostream>
#include <linea/io.hpp>
#include <linea/linea.hpp>

using namespace linea;

int main() {
  const auto tumours = read_libsvm<double>(LINEA_EXAMPLES_DATA "/wdbc.svm");
  const Matrix<double> dense = tumours.x;
  const Matrix<double> x = standardise(dense).apply(dense);
  const Vector<double>& y = tumours.y;
  const auto path = std::filesystem::temp_directory_path() / "linea_learner.model";

  const Objective objective{Log{}, L2{1e-3}};
  OnlineClassifier learner(Sgd{}.start<double>(objective, x.cols()), {-1, 1});
  Index mistakes = 0;
  for (Index i = 0; i < 300; ++i) {
    if (i > 0 && learner.predict_one(x.row(i)) != y[i]) ++mistakes;
    learner.update(x.row(i), y[i]);
  }
  write_model(path, learner.classifier());  // a snapshot; the learner could go on

  // Later, perhaps in another process: start at the weights of the snapshot.
  const auto snapshot = read_model<ProbabilisticClassifier<double>>(path);
  OnlineClassifier next(
      Sgd{}.start<double>(objective, x.cols(),
                          {.start_weights = snapshot.weights, .start_offset = snapshot.offset}),
      {-1, 1});
  for (Index i = 300; i < x.rows(); ++i) {
    if (next.predict_one(x.row(i)) != y[i]) ++mistakes;
    next.update(x.row(i), y[i]);
  }
  std::cout << mistakes << " mistakes on " << x.rows() - 1 << " tumours\n";
  std::filesystem::remove(path);

  // Classes that are not known beforehand.
  const auto flowers = read_libsvm<double>(LINEA_EXAMPLES_DATA "/iris.svm");
  OnlineOneVsRest growing(Sgd{}.start<double>(Objective{Log{}, L2{1e-3}}, flowers.x.cols()));
  for (int epoch = 0; epoch < 20; ++epoch) growing.epoch(flowers.x, flowers.y);
  std::cout << growing.labels().size() << " classes of flowers, accuracy "
            << accuracy(growing.predict(flowers.x), flowers.y) << '\n';
}

// Output:
//   22 mistakes on 568 tumours
//   3 classes of flowers, accuracy 0.98
