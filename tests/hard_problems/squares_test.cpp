// SPDX-License-Identifier: MIT
/// \file Hard problems for all optimizers of least squares.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // an empty std::optional that is moved
#endif
#include <linea/losses/squared.hpp>
#include <linea/optimizers/auto.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/optimizers/ridge_path.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/rows/in_double.hpp>

#include "support/any_loss.hpp"
#include "support/catch.hpp"
#include "support/judge.hpp"

using namespace linea;
using namespace linea::test;

namespace {

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

/// What `converged` of Ridge and RidgePath means: F within so much of its minimum, relatively.
const double millionth = 1e-6;
/// RidgePath has F from the decomposition of the moments, to 1e-10 of F at w = 0: four times this.
const double from_moments = 2.5e-11;

}  // namespace

TEST_CASE("Hard problems: what is said of least squares is true", "[hard_problems][squares]") {
  const bool all_true = answers_are_true(Family::squares, [](Answers all, const Storages& x) {
    const HardProblem& problem = all.problem();
    const bool offset = problem.offset;
    const Objective objective{Squared{}, L2{problem.l2}};
    const Ridge ridge{.offset = offset};
    (void)all.ask(ridge, objective, x.rows, "rows", millionth);
    (void)all.ask(ridge, objective, x.columns, "columns", millionth);
    (void)all.ask(ridge, objective, x.sparse, "sparse", millionth);
    (void)all.ask(Auto{.offset = offset}, objective, x.columns, "columns", millionth);
    all.add("RidgePath", "rows", path(problem, x.rows), millionth, from_moments);
    all.add("RidgePath", "sparse", path(problem, x.sparse), millionth, from_moments);
    if (problem.floats) {
      (void)all.ask(ridge, objective, x.float_rows, "float rows", millionth);
      (void)all.ask(ridge, objective, in_double(x.float_columns), "in_double columns", millionth);
      all.add("RidgePath", "float rows", path(problem, x.float_rows), millionth, from_moments);
    }
  });
  CHECK(all_true);
}
