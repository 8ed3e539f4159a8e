// SPDX-License-Identifier: MIT
/// \file Hard problems for the optimizers of the hinge loss and of regression losses with kinks.
#include <linea/losses/hinge.hpp>
#include <linea/optimizers/auto.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/interior_point.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/optimizers/svm_quadratic_program.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/rows/in_double.hpp>

#include "support/catch.hpp"
#include "support/judge.hpp"

using namespace linea;
using namespace linea::test;

TEST_CASE("Hard problems: results for the hinge loss are correct", "[hard_problems][hinge]") {
  CHECK(answers_are_true(Family::hinge, [](Answers all, const Storages& x) {
    const HardProblem& problem = all.problem();
    const bool offset = problem.offset;
    const Objective elastic{Hinge{}, ElasticNet{problem.l1, problem.l2}};
    const InteriorPoint interior{.offset = offset};
    all.ask(interior, elastic, x.columns, 1e-8);
    all.ask(interior, elastic, x.sparse, 1e-8);
    all.ask(Sgd{.epochs = 30, .offset = offset}, elastic, x.columns, 0);
    if (problem.floats) all.ask(interior, elastic, x.float_rows, 1e-8);
    if (problem.l1 > 0 || problem.l2 == 0) return;

    const Objective squared{Hinge{}, L2{problem.l2}};
    const SvmQuadraticProgram program{.offset = offset};
    const Pegasos pegasos{.epochs = 10, .offset = offset};
    all.ask(program, squared, x.columns, program.tolerance);
    all.ask(program, squared, x.sparse, program.tolerance);
    all.ask_and_certify(DualCoordinateAscent{.epochs = 500, .offset = offset}, squared, x.columns,
                        1e-4);
    all.ask(Auto{.offset = offset}, squared, x.columns, 1e-4);
    all.ask(pegasos, squared, x.rows, 0);
    if (!problem.floats) return;
    all.ask(program, squared, x.float_rows, program.tolerance);
    all.ask(program, squared, in_double(x.float_columns), program.tolerance);
    all.ask(pegasos, squared, x.float_rows, 0, float_rounding);
  }));
}

TEST_CASE("Hard problems: results for regression losses with kinks are correct",
          "[hard_problems][kinks]") {
  CHECK(answers_are_true(Family::kinks, [](Answers all, const Storages& x) {
    const HardProblem& problem = all.problem();
    const bool offset = problem.offset;
    const auto loss = loss_of<AnyKinkedLoss>(problem);
    const Objective elastic{loss, ElasticNet{problem.l1, problem.l2}};
    const InteriorPoint interior{.offset = offset};
    all.ask_and_certify(interior, elastic, x.columns, 1e-8);
    all.ask(interior, elastic, x.sparse, 1e-8);
    all.ask(Auto{.offset = offset}, elastic, x.columns, 1e-4);
    if (problem.floats) all.ask(interior, elastic, in_double(x.float_columns), 1e-8);
    all.ask(Sgd{.epochs = 30, .offset = offset}, elastic, x.sparse, 0);
    if (problem.l1 > 0 || problem.l2 == 0) return;

    const Objective squared{loss, L2{problem.l2}};
    const DualCoordinateAscent ascent{.epochs = 500, .offset = offset};
    all.ask(ascent, squared, x.columns, 1e-4);
    if (problem.floats) all.ask(ascent, squared, x.float_rows, 1e-4);
  }));
}
