// SPDX-License-Identifier: MIT
/// \file A learner reads a stream and saves its model to a file. A second learner continues from
/// the file.
#include <filesystem>
#include <iostream>
#include <linea/io.hpp>
#include <linea/linea.hpp>

using namespace linea;

int main() {
  const auto file = read_libsvm<double>(LINEA_EXAMPLES_DATA "/wdbc.svm");
  const Matrix<double> raw = file.x;
  const auto x = standardise(raw).apply(raw);
  const auto path = std::filesystem::temp_directory_path() / "linea_snapshot.model";
  const auto start = Sgd{}.start<double>(Objective{Log{}, L2{1e-4}}, x.cols());

  OnlineClassifier learner(start, {-1, 1});
  for (Index i = 0; i < 400; ++i) {
    learner.update(x.row(i), file.y[i]);
    if (i % 100 == 99) write_model(path, learner.classifier());
  }

  // Later, perhaps in another process: continue at the next step number.
  const auto before = read_model<ProbabilisticClassifier<double>>(path);
  auto resumed = start;
  resumed.resume(before);
  OnlineClassifier again(resumed, {-1, 1});
  for (Index i = 400; i < x.rows(); ++i) again.update(x.row(i), file.y[i]);

  std::cout << before.updates << " and then " << again.learner().updates() << " samples, accuracy "
            << accuracy(again.predict(x), file.y) << '\n';
  std::filesystem::remove(path);
}

// Output:
//   400 and then 569 samples, accuracy 0.970123
