// SPDX-License-Identifier: MIT
/// \file Hard problems for all optimizers of losses of numbers with kinks.
#include <linea/optimizers/auto.hpp>
#include <linea/optimizers/certify.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/interior_point.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/rows/in_double.hpp>

#include "support/any_loss.hpp"
#include "support/catch.hpp"
#include "support/judge.hpp"

using namespace linea;
using namespace linea::test;

TEST_CASE("Hard problems: what is said of losses of numbers with kinks is true",
          "[hard_problems][kinks]") {
  const bool all_true = answers_are_true(Family::kinks, [](Answers all, const Storages& x) {
    const HardProblem& problem = all.problem();
    const bool offset = problem.offset;
    const auto loss = loss_of<KinkedOfNumbers>(problem);
    const Objective elastic{loss, ElasticNet{problem.l1, problem.l2}};
    const InteriorPoint interior{.offset = offset};
    const auto solution = all.ask(interior, elastic, x.columns, "columns", 1e-8);
    (void)all.ask(interior, elastic, x.sparse, "sparse", 1e-8);
    (void)all.ask(Auto{.offset = offset}, elastic, x.columns, "columns", 1e-4);
    all.certify("columns", solution,
                certify(elastic, solution, x.columns, problem.y,
                        {.offset = offset, .sample_weights = problem.weights}));
    if (problem.floats)
      (void)all.ask(interior, elastic, in_double(x.float_columns), "in_double columns", 1e-8);
    (void)all.ask(Sgd{.epochs = 30, .offset = offset}, elastic, x.sparse, "sparse", 0);
    if (problem.l1 > 0) return;

    const Objective squared{loss, L2{problem.l2}};
    if (problem.l2 > 0) {
      const DualCoordinateAscent ascent{.epochs = 500, .offset = offset};
      (void)all.ask(ascent, squared, x.columns, "columns", 1e-4);
      if (problem.floats) (void)all.ask(ascent, squared, x.float_rows, "float rows", 1e-4);
    }
  });
  CHECK(all_true);
}
