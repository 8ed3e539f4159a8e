// SPDX-License-Identifier: MIT
/// \file A run that prints its progress, and that ends when it is cancelled or out of time.
#include <atomic>
#include <csignal>
#include <cstdio>
#include <linea/io.hpp>
#include <linea/linea.hpp>

std::atomic<bool> is_cancelled{false};  // set by a signal here; by a button or a thread elsewhere

int main() {
  std::signal(SIGINT, [](int) { is_cancelled = true; });
  const auto file = linea::read_libsvm<double>(LINEA_EXAMPLES_DATA "/wdbc.svm");
  const auto x = linea::standardise(file.x).apply(file.x);

  const linea::TimeLimit limit{60};
  const auto watch = [&](const linea::Progress& progress) {
    if (progress.epoch % 4 == 0)
      std::printf("epoch %2td: F = %.4f\n", progress.epoch, progress.objective());
    if (progress.epoch == 10) std::raise(SIGINT);  // has the same effect as Ctrl-C
    return is_cancelled ? linea::Control::stop : limit(progress);
  };
  const linea::Objective objective{linea::Log{}, linea::L2{1e-3}};
  const auto found = linea::Sgd{.epochs = 50}.minimize(objective, x, file.y, watch);
  std::printf("%s after %td epochs\n", linea::name_of(found.status).data(), found.epochs);
}

// Output:
//   epoch  4: F = 0.1351
//   epoch  8: F = 0.1303
//   stopped after 10 epochs
