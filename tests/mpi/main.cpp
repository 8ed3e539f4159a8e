// SPDX-License-Identifier: MIT
// The main function of tests with several processes. All processes run the same tests in the same
// order. If a check fails on one process, all processes end, because the others would wait for this
// process.
#define CATCH_CONFIG_RUNNER
#include <linea/mpi.hpp>

#include "support/catch.hpp"

int main(int argc, char* argv[]) {
  const linea::MpiSession mpi(argc, argv);
  Catch::Session session;
  if (const int wrong = session.applyCommandLine(argc, argv); wrong != 0) return wrong;
  session.configData().abortAfter = 1;
  const int failures = session.run();
  if (failures != 0) MPI_Abort(MPI_COMM_WORLD, 1);
  return failures;
}
