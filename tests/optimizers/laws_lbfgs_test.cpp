// SPDX-License-Identifier: MIT
/// \file The laws of check/ for L-BFGS.
#include <linea/losses/huber.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/penalties/l2.hpp>

#include "optimizers/laws.hpp"

using namespace linea;

TEST_CASE("Laws: Lbfgs", "[optimizers]") {
  check::OptimizerOptions options{
      .minima = {1e-10, 1e-5}, .layouts = {1e-10, 1e-5}, .floats = {1e-10, 1e-5}};
  options.gap_tolerance = 1e-10;
  test::obeys<check::Layouts::all>("Lbfgs::minimize", Lbfgs{.tolerance = 1e-10},
                                   Objective{Huber{}, L2{0.1}}, 0.56785559754661397, options);
  // More samples than one block of what is read at once.
  test::obeys<check::Layouts::all>("Lbfgs::minimize", Lbfgs{.tolerance = 1e-10},
                                   Objective{Huber{}, L2{0.1}},
                                   check::optimizer_problem(Huber{}, 600, 9), options);
}
