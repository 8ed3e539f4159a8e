// SPDX-License-Identifier: MIT
/// \file Hard problems for all optimizers of the hinge loss.
#include <linea/losses/hinge.hpp>
#include <linea/optimizers/auto.hpp>
#include <linea/optimizers/certify.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/interior_point.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/optimizers/svm_quadratic_program.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/rows/in_double.hpp>

#include "support/any_loss.hpp"
#include "support/catch.hpp"
#include "support/judge.hpp"

using namespace linea;
using namespace linea::test;

TEST_CASE("Hard problems: what is said of the hinge loss is true", "[hard_problems][hinge]") {
  const bool all_true = answers_are_true(Family::hinge, [](Answers all, const Storages& x) {
    const HardProblem& problem = all.problem();
    const bool offset = problem.offset;
    const Objective elastic{Hinge{}, ElasticNet{problem.l1, problem.l2}};
    const InteriorPoint interior{.offset = offset};
    (void)all.ask(interior, elastic, x.columns, "columns", 1e-8);
    (void)all.ask(interior, elastic, x.sparse, "sparse", 1e-8);
    (void)all.ask(Sgd{.epochs = 30, .offset = offset}, elastic, x.columns, "columns", 0);
    if (problem.floats) (void)all.ask(interior, elastic, x.float_rows, "float rows", 1e-8);
    if (problem.l1 > 0 || problem.l2 == 0) return;

    const Objective squared{Hinge{}, L2{problem.l2}};
    const SvmQuadraticProgram program{.offset = offset};
    const DualCoordinateAscent ascent{.epochs = 500, .offset = offset};
    (void)all.ask(program, squared, x.columns, "columns", program.tolerance);
    (void)all.ask(program, squared, x.sparse, "sparse", program.tolerance);
    const auto solution = all.ask(ascent, squared, x.columns, "columns", 1e-4);
    (void)all.ask(Auto{.offset = offset}, squared, x.columns, "columns", 1e-4);
    all.certify("columns", solution,
                certify(squared, solution, x.columns, problem.y,
                        {.offset = offset, .sample_weights = problem.weights}));
    (void)all.ask(Pegasos{.epochs = 10, .offset = offset}, squared, x.rows, "rows", 0);
    if (problem.floats) {
      (void)all.ask(program, squared, x.float_rows, "float rows", program.tolerance);
      (void)all.ask(program, squared, in_double(x.float_columns), "in_double columns",
                    program.tolerance);
      (void)all.ask(Pegasos{.epochs = 10, .offset = offset}, squared, x.float_rows, "float rows", 0,
                    0x1p-23);
    }
  });
  CHECK(all_true);
}
