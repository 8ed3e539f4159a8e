// SPDX-License-Identifier: MIT
/// \file The best λ for samples divided among processes: mpirun -np 2 choose_lambda, beside part-0.svm
/// and part-1.svm.
#include <iostream>
#include <linea/linea.hpp>
#include <linea/mpi.hpp>
#include <string>
#include <vector>

int main(int argc, char* argv[]) {
  const linea::MpiSession session(argc, argv);
  linea::MpiCommunicator processes;
  const std::string name = "part-" + std::to_string(processes.rank()) + ".svm";
  const auto part = linea::read_libsvm<double>(name, {.features = 30});
  const std::vector<double> lambdas{1, 0.1, 0.01};
  const auto chosen = linea::CrossValidation{.folds = 5}.choose(
      linea::LogisticRegression{}, lambdas, part.x, part.y, {.processes = processes});
  if (processes.rank() == 0)
    std::cout << "the best of three: lambda = " << chosen.recipe.lambda << '\n';
}
