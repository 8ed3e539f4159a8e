// SPDX-License-Identifier: MIT
/// \file Includes linea/check.hpp and, if there is MPI, linea/mpi.hpp for clang-tidy. clang-tidy
/// checks the other headers through examples/models.cpp and examples/online.cpp, which do not
/// include these two.
#include <linea/check.hpp>
#if __has_include(<mpi.h>)
#include <linea/mpi.hpp>
#endif
#include <linea/linea.hpp>

int main() {
  using namespace linea;
  const Objective objective{Log{}, L2{0.1}};
  const bool obeys = check::loss(objective.loss, {-1, 1}).empty() &&
                     check::penalty(objective.penalty).empty() &&
                     check::activation(Sigmoid{}).empty();
  return obeys ? 0 : 1;
}
