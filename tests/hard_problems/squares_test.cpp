// SPDX-License-Identifier: MIT
/// \file Hard problems for the optimizers of least squares and of Poisson regression.
#if defined(__GNUC__) && !defined(__clang__)
// GCC gives false warnings about the move of an empty std::optional.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <linea/activations/exponential.hpp>
#include <linea/losses/composed.hpp>
#include <linea/losses/poisson.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/auto.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/optimizers/ridge_path.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/rows/in_double.hpp>

#include "support/catch.hpp"
#include "support/judge.hpp"

using namespace linea;
using namespace linea::test;

namespace {

/// Returns the solution for the problem's λ from a path of three λ.
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

TEST_CASE("Hard problems: results for least squares are correct", "[hard_problems][squares]") {
  const auto ask = [](Answers all, const Storages& x) {
    const HardProblem& problem = all.problem();
    const Objective objective{Squared{}, L2{problem.l2}};
    const Ridge ridge{.offset = problem.offset};
    const auto ask_path = [&](const auto& samples) {
      // RidgePath computes F from a decomposition of the moments, with an error of up to 1e-10 of F
      // at w = 0. The test allows four times its last argument, which is therefore 2.5e-11.
      all.add("RidgePath", storage_name(samples), path(problem, samples), 1e-6, 2.5e-11);
    };
    all.ask(ridge, objective, x.columns, 1e-6);
    all.ask(ridge, objective, x.sparse, 1e-6);
    all.ask(Auto{.offset = problem.offset}, objective, x.columns, 1e-6);
    ask_path(x.rows);
    ask_path(x.sparse);
    if (!problem.floats) return;
    all.ask(ridge, objective, x.float_rows, 1e-6);
    ask_path(x.float_rows);
  };
  CHECK(answers_are_true(Family::squares, ask, Extension::none, 0.99));
}

TEST_CASE("Hard problems: results for counts are correct", "[hard_problems][counts]") {
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
