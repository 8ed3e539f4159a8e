// SPDX-License-Identifier: MIT
/// \file Two observers: one saves the weights of a run to a file, from which another run continues;
/// the other ends a run when the loss on held-out samples has not improved for five epochs.
#include <filesystem>
#include <functional>  // ref
#include <iostream>
#include <linea/io.hpp>
#include <linea/linea.hpp>

int main() {
  const auto samples = linea::read_libsvm<double>(LINEA_EXAMPLES_DATA "/wdbc.svm");
  const linea::Matrix<double> dense = samples.x;
  const auto x = linea::standardise(dense).apply(dense);
  const linea::Vector<double> y = samples.y;
  const linea::Objective objective{linea::Log{}, linea::L2{1e-3}};
  const auto path = std::filesystem::temp_directory_path() / "linea_checkpoint.model";

  // Every tenth epoch, write the current weights to the file.
  const auto keep = [&](const linea::Progress& progress) {
    if (progress.epoch % 10 != 0) return;
    const auto point = progress.iterate();
    linea::LinearModel<double> model;
    model.weights = point.weights;
    model.offset = point.offset;
    linea::write_model(path, model);
  };
  (void)linea::Sgd{.epochs = 20}.minimize(objective, x, y, keep);

  // A later run, perhaps in another process, starts from these weights.
  const auto start = linea::read_model<linea::LinearModel<double>>(path);
  const auto solution = linea::Newton{}.minimize(
      objective, x, y, {.start_weights = start.weights, .start_offset = start.offset});

  std::cout << linea::name_of(solution.status) << '\n';
  std::filesystem::remove(path);

  const auto [train, held_out] = linea::split(x, y);
  linea::EarlyStopping stopping(linea::Log{}, held_out.x, held_out.y, {.patience = 5});
  const auto all = linea::Sgd{}.minimize(objective, train.x, train.y, std::ref(stopping));
  const auto best = stopping.best_of(all);
  std::cout << "ended after " << all.epochs << " epochs; best after " << stopping.best().epoch
            << ", norm of the weights " << best.weights.norm() << '\n';
}

// Output:
//   converged
//   ended after 6 epochs; best after 1, norm of the weights 4.23187
