// SPDX-License-Identifier: MIT
#include <linea/linea.hpp>
#include <linea/mpi.hpp>

int main(int argc, char* argv[]) {
  const linea::MpiSession session(argc, argv);
  linea::MpiCommunicator processes;
  const linea::Matrix<double> x{{1, 2}, {2, 1}, {-1, -2}};
  const linea::Vector<double> y{{1, 1, -1}};
  const linea::Objective objective{linea::Log{}, linea::L2{0.1}};
  const auto solution = linea::Newton{}.minimize(objective, linea::mpi::divided(x, processes), y);
  return solution.status == linea::Status::converged ? 0 : 1;
}
