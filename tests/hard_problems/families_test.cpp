// SPDX-License-Identifier: MIT
/// \file Hard problems of each family of losses, for all optimizers that minimise them.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // an empty std::optional that is moved
#endif
#include <linea/activations/exponential.hpp>
#include <linea/losses/composed.hpp>
#include <linea/losses/poisson.hpp>
#include <linea/optimizers.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/rows/in_double.hpp>

#include "support/any_loss.hpp"
#include "support/catch.hpp"
#include "support/judge.hpp"

using namespace linea;
using namespace linea::test;

namespace {

constexpr double float_rounding = 0x1p-23;

/// The answer for the problem's λ in a path of three.
template <class X>
Solution<scalar_t<X>> path(const HardProblem& problem, const X& x) {
  Index present = 0;
  for (Index i = 0; i < problem.x.rows(); ++i) present += problem.weight(i) > 0 ? 1 : 0;
  const RidgePath path{
      .lambdas = {1, problem.l2, 1e-3}, .offset = problem.offset, .leave_one_out = present > 1};
  Extras<scalar_t<X>> extras;
  extras.sample_weights = problem.weights.template cast<scalar_t<X>>();
  return path.fit(x, problem.y, extras).at(1);
}

}  // namespace

// The last argument of `ask` is what `converged` promises; 0: nothing.

TEST_CASE("Hard problems: what is said of smooth losses of classes is true",
          "[hard_problems][smooth_classes]") {
  CHECK(answers_are_true(Family::smooth_classes, [](Answers all, const Storages& x) {
    const HardProblem& problem = all.problem();
    const auto loss = loss_of<SmoothOfClasses>(problem);
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

TEST_CASE("Hard problems: what is said of smooth losses of numbers is true",
          "[hard_problems][smooth_numbers]") {
  CHECK(answers_are_true(Family::smooth_numbers, [](Answers all, const Storages& x) {
    const HardProblem& problem = all.problem();
    const bool offset = problem.offset;
    const auto loss = loss_of<SmoothOfNumbers>(problem);
    const Objective elastic{loss, ElasticNet{problem.l1, problem.l2}};
    const CoordinateDescent descent{.offset = offset};
    const Sgd sgd{.epochs = 30, .offset = offset};
    all.ask(descent, elastic, x.rows, 1e-6);
    all.ask(Auto{.offset = offset}, elastic, x.rows, 1e-4);
    if (problem.floats) {
      all.ask(descent, elastic, in_double(x.float_columns), 1e-6);
      all.ask(sgd, elastic, in_double(x.float_columns), 0);
    }
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
    const DualCoordinateAscent ascent{.epochs = 500, .offset = offset};
    all.ask(ascent, squared, x.sparse, 1e-4);
    if (problem.floats) all.ask(ascent, squared, in_double(x.float_columns), 1e-4);
    all.ask(Pegasos{.epochs = 10, .offset = offset}, squared, x.sparse, 0);
  }));
}

TEST_CASE("Hard problems: what is said of counts is true", "[hard_problems][counts]") {
  CHECK(answers_are_true(Family::counts, [](Answers all, const Storages& x) {
    const HardProblem& problem = all.problem();
    const bool offset = problem.offset;
    const Objective objective{Composed{Poisson{}, Exponential{}}, L2{problem.l2}};
    const Newton newton{.offset = offset};
    const Lbfgs lbfgs{.offset = offset};
    all.ask(newton, objective, x.columns, 1e-6);
    all.ask(newton, objective, x.sparse, 1e-6);
    all.ask(lbfgs, objective, x.rows, 1e-6);
    all.ask(Auto{.offset = offset}, objective, x.columns, 1e-4);
    all.ask(Sgd{.epochs = 30, .offset = offset}, objective, x.rows, 0);
    if (!problem.floats) return;
    all.ask(newton, objective, in_double(x.float_columns), 1e-6);
    all.ask(lbfgs, objective, x.float_rows, 1e-6);
  }));
}

TEST_CASE("Hard problems: what is said of the hinge loss is true", "[hard_problems][hinge]") {
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

TEST_CASE("Hard problems: what is said of losses of numbers with kinks is true",
          "[hard_problems][kinks]") {
  CHECK(answers_are_true(Family::kinks, [](Answers all, const Storages& x) {
    const HardProblem& problem = all.problem();
    const bool offset = problem.offset;
    const auto loss = loss_of<KinkedOfNumbers>(problem);
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

TEST_CASE("Hard problems: what is said of least squares is true", "[hard_problems][squares]") {
  CHECK(answers_are_true(Family::squares, [](Answers all, const Storages& x) {
    const HardProblem& problem = all.problem();
    const Objective objective{Squared{}, L2{problem.l2}};
    const Ridge ridge{.offset = problem.offset};
    const auto ask_path = [&](const auto& samples) {
      // F is from the decomposition of the moments, to 1e-10 of F at w = 0: four times 2.5e-11.
      all.add("RidgePath", storage_name(samples), path(problem, samples), 1e-6, 2.5e-11);
    };
    all.ask(ridge, objective, x.rows, 1e-6);
    all.ask(ridge, objective, x.columns, 1e-6);
    all.ask(ridge, objective, x.sparse, 1e-6);
    all.ask(Auto{.offset = problem.offset}, objective, x.columns, 1e-6);
    ask_path(x.rows);
    ask_path(x.sparse);
    if (!problem.floats) return;
    all.ask(ridge, objective, x.float_rows, 1e-6);
    all.ask(ridge, objective, in_double(x.float_columns), 1e-6);
    ask_path(x.float_rows);
  }));
}
