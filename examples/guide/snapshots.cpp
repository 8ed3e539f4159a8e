// SPDX-License-Identifier: MIT
/// \file A learner reads a stream and saves its state to a file. A second learner continues from
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
  const auto path = std::filesystem::temp_directory_path() / "linea_snapshot.learner";
  const OnlineClassifier start(Sgd{}.start<double>(Objective{Log{}, L2{1e-4}}, x.cols()), {-1, 1});

  auto learner = start;
  for (Index i = 0; i < 400; ++i) {
    learner.update(x.row(i), file.y[i]);
    if (i % 100 == 99) write_learner(path, learner);
  }

  // Later, perhaps in another process:
  auto resumed = start;
  read_learner(path, resumed);
  for (Index i = 400; i < x.rows(); ++i) resumed.update(x.row(i), file.y[i]);

  std::cout << learner.learner().updates() << " and then " << resumed.learner().updates()
            << " samples, accuracy " << accuracy(resumed.predict(x), file.y) << '\n';
  std::filesystem::remove(path);
}

// Output:
//   400 and then 569 samples, accuracy 0.97188
