// SPDX-License-Identifier: MIT
/// \file Hard problems for the optimizers of smooth losses. The fourth argument of `ask` is the
/// largest relative suboptimality of a solution with status `converged`, or 0 if this status
/// implies no bound.
#include <linea/optimizers/auto.hpp>
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/rows/in_double.hpp>

#include "support/catch.hpp"
#include "support/judge.hpp"

using namespace linea;
using namespace linea::test;

TEST_CASE("Hard problems: results for smooth classification losses are correct",
          "[hard_problems][smooth_classes]") {
  CHECK(answers_are_true(Family::smooth_classes, [](Answers all, const Storages& x) {
    const HardProblem& problem = all.problem();
    const auto loss = loss_of<AnySmoothLoss>(problem);
    const bool offset = problem.offset;
    const Objective elastic{loss, ElasticNet{problem.l1, problem.l2}};
    const CoordinateDescent descent{.offset = offset};
    const Sgd sgd{.epochs = 30, .offset = offset};
    all.ask(descent, elastic, x.columns, 1e-6);
    all.ask(descent, elastic, x.sparse, 1e-6);
    if (problem.floats) {
      all.ask(descent, elastic, x.float_rows, 1e-6);
      all.ask(sgd, elastic, x.float_rows, 0, float_rounding);
    }
    if (problem.l1 > 0) return;

    const Objective squared{loss, L2{problem.l2}};
    const Newton newton{.offset = offset};
    const Lbfgs lbfgs{.offset = offset};
    all.ask_and_certify(newton, squared, x.rows, 1e-6);
    all.ask(newton, squared, x.sparse, 1e-6);
    all.ask(lbfgs, squared, x.columns, 1e-6);
    all.ask(GradientDescent{.epochs = 100, .offset = offset}, squared, x.columns, 0);
    all.ask(sgd, squared, x.sparse, 0);
    all.ask(Auto{.offset = offset}, squared, x.rows, 1e-4);
    if (problem.floats) {
      all.ask(newton, squared, x.float_rows, 1e-6);
      all.ask(lbfgs, squared, in_double(x.float_columns), 1e-6);
    }
    if (problem.l2 == 0) return;
    const DualCoordinateAscent ascent{.epochs = 500, .offset = offset};
    all.ask(ascent, squared, x.rows, 1e-4);
    if (problem.floats) all.ask(ascent, squared, x.float_rows, 1e-4);
    all.ask(Pegasos{.epochs = 10, .offset = offset}, squared, x.columns, 0);
  }));
}

TEST_CASE("Hard problems: results for smooth regression losses are correct",
          "[hard_problems][smooth_numbers]") {
  CHECK(answers_are_true(Family::smooth_numbers, [](Answers all, const Storages& x) {
    const HardProblem& problem = all.problem();
    const bool offset = problem.offset;
    const auto loss = loss_of<AnySmoothLoss>(problem);
    const Objective elastic{loss, ElasticNet{problem.l1, problem.l2}};
    const CoordinateDescent descent{.offset = offset};
    const Sgd sgd{.epochs = 30, .offset = offset};
    all.ask(descent, elastic, x.rows, 1e-6);
    all.ask(Auto{.offset = offset}, elastic, x.rows, 1e-4);
    if (problem.floats) all.ask(descent, elastic, in_double(x.float_columns), 1e-6);
    if (problem.l1 > 0) return;

    const Objective squared{loss, L2{problem.l2}};
    const Newton newton{.offset = offset};
    const Lbfgs lbfgs{.offset = offset};
    const GradientDescent gradient{.epochs = 100, .offset = offset};
    all.ask_and_certify(newton, squared, x.columns, 1e-6);
    all.ask(lbfgs, squared, x.rows, 1e-6);
    all.ask(lbfgs, squared, x.sparse, 1e-6);
    all.ask(gradient, squared, x.sparse, 0);
    all.ask(sgd, squared, x.rows, 0);
    if (problem.floats) {
      all.ask(newton, squared, in_double(x.float_columns), 1e-6);
      all.ask(lbfgs, squared, x.float_rows, 1e-6);
      all.ask(gradient, squared, x.float_rows, 0, float_rounding);
    }
    if (problem.l2 == 0) return;
    const ProvenAuto recipe{.tolerance = 1e-6, .offset = offset};  // as a recipe calls it
    all.ask(recipe, squared, x.rows, 1e-6);
    all.ask(recipe, squared, x.sparse, 1e-6);
    const DualCoordinateAscent ascent{.epochs = 500, .offset = offset};
    all.ask(ascent, squared, x.sparse, 1e-4);
    if (problem.floats) all.ask(ascent, squared, in_double(x.float_columns), 1e-4);
    all.ask(Pegasos{.epochs = 10, .offset = offset}, squared, x.sparse, 0);
  }));
}
