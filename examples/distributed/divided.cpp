// SPDX-License-Identifier: MIT
/// \file Fits one model to samples that are divided among processes, with one file for each
/// process. Start the program with mpirun -np 2 divided, with part-0.svm and part-1.svm in the
/// current folder.
#include <iostream>
#include <linea/io.hpp>
#include <linea/linea.hpp>
#include <linea/mpi.hpp>
#include <string>

int main(int argc, char* argv[]) {
  const linea::MpiSession session(argc, argv);
  linea::MpiCommunicator world;
  const std::string name = "part-" + std::to_string(world.rank()) + ".svm";
  const auto part = linea::read_libsvm<double>(name, {.features = 74851});
  const auto x = linea::mpi::divided(part.x, world);
  const linea::Objective objective{linea::Log{}, linea::L2{1e-4}};
  const auto found = linea::Newton{}.minimize(objective, x, part.y);
  if (world.rank() == 0)
    std::cout << found.objective << ", at most " << *found.gap << " above the minimum\n";
}
