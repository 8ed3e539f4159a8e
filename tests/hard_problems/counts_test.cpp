// SPDX-License-Identifier: MIT
/// \file Hard problems of counts for all optimizers of Poisson regression.
#include <linea/activations/exponential.hpp>
#include <linea/losses/composed.hpp>
#include <linea/losses/poisson.hpp>
#include <linea/optimizers/auto.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/rows/in_double.hpp>

#include "support/catch.hpp"
#include "support/judge.hpp"

using namespace linea;
using namespace linea::test;

TEST_CASE("Hard problems: what is said of counts is true", "[hard_problems][counts]") {
  const bool all_true = answers_are_true(Family::counts, [](Answers all, const Storages& x) {
    const HardProblem& problem = all.problem();
    const bool offset = problem.offset;
    const Objective objective{Composed{Poisson{}, Exponential{}}, L2{problem.l2}};
    const Newton newton{.offset = offset};
    const Lbfgs lbfgs{.offset = offset};
    (void)all.ask(newton, objective, x.columns, "columns", 1e-6);
    (void)all.ask(newton, objective, x.sparse, "sparse", 1e-6);
    (void)all.ask(lbfgs, objective, x.rows, "rows", 1e-6);
    (void)all.ask(Auto{.offset = offset}, objective, x.columns, "columns", 1e-4);
    (void)all.ask(Sgd{.epochs = 30, .offset = offset}, objective, x.rows, "rows", 0);
    if (problem.floats) {
      (void)all.ask(newton, objective, in_double(x.float_columns), "in_double columns", 1e-6);
      (void)all.ask(lbfgs, objective, x.float_rows, "float rows", 1e-6);
    }
  });
  CHECK(all_true);
}
