// SPDX-License-Identifier: MIT
/// \file Hard problems for all optimizers of smooth losses of numbers.
#include <linea/optimizers/auto.hpp>
#include <linea/optimizers/certify.hpp>
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

#include "support/any_loss.hpp"
#include "support/catch.hpp"
#include "support/judge.hpp"

using namespace linea;
using namespace linea::test;

TEST_CASE("Hard problems: what is said of smooth losses of numbers is true",
          "[hard_problems][smooth_numbers]") {
  const bool all_true =
      answers_are_true(Family::smooth_numbers, [](Answers all, const Storages& x) {
        const HardProblem& problem = all.problem();
        const bool offset = problem.offset;
        const auto loss = loss_of<SmoothOfNumbers>(problem);
        const Objective elastic{loss, ElasticNet{problem.l1, problem.l2}};
        const CoordinateDescent descent{.offset = offset};
        (void)all.ask(descent, elastic, x.rows, "rows", 1e-6);
        (void)all.ask(Auto{.offset = offset}, elastic, x.rows, "rows", 1e-4);
        if (problem.floats) {
          (void)all.ask(descent, elastic, in_double(x.float_columns), "in_double columns", 1e-6);
          (void)all.ask(Sgd{.epochs = 30, .offset = offset}, elastic, in_double(x.float_columns),
                        "in_double columns", 0);
        }
        if (problem.l1 > 0) return;

        const Objective squared{loss, L2{problem.l2}};
        const Newton newton{.offset = offset};
        const Lbfgs lbfgs{.offset = offset};
        const GradientDescent gradient{.epochs = 100, .offset = offset};
        const auto solution = all.ask(newton, squared, x.columns, "columns", 1e-6);
        all.certify("columns", solution,
                    certify(squared, solution, x.columns, problem.y,
                            {.offset = offset, .sample_weights = problem.weights}));
        (void)all.ask(lbfgs, squared, x.rows, "rows", 1e-6);
        (void)all.ask(lbfgs, squared, x.sparse, "sparse", 1e-6);
        (void)all.ask(gradient, squared, x.sparse, "sparse", 0);
        (void)all.ask(Sgd{.epochs = 30, .offset = offset}, squared, x.rows, "rows", 0);
        if (problem.floats) {
          (void)all.ask(newton, squared, in_double(x.float_columns), "in_double columns", 1e-6);
          (void)all.ask(lbfgs, squared, x.float_rows, "float rows", 1e-6);
          (void)all.ask(gradient, squared, x.float_rows, "float rows", 0, 0x1p-23);
        }
        if (problem.l2 > 0) {
          const DualCoordinateAscent ascent{.epochs = 500, .offset = offset};
          (void)all.ask(ascent, squared, x.sparse, "sparse", 1e-4);
          (void)all.ask(Pegasos{.epochs = 10, .offset = offset}, squared, x.sparse, "sparse", 0);
          if (problem.floats)
            (void)all.ask(ascent, squared, in_double(x.float_columns), "in_double columns", 1e-4);
        }
      });
  CHECK(all_true);
}
