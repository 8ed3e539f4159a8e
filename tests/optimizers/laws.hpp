// SPDX-License-Identifier: MIT
#pragma once
/// \file The problems on which laws_*_test.cpp check optimizers for the properties of
/// support/laws/.
#include <limits>
#include <linea/losses/hinge.hpp>
#include <linea/losses/log.hpp>
#include <linea/losses/squared.hpp>
#include <linea/penalties/l2.hpp>
#include <string_view>

#include "support/catch.hpp"
#include "support/laws/optimizer.hpp"

namespace linea::test {

inline constexpr double anything = std::numeric_limits<double>::infinity();

/// Objectives, and their minima on 40 samples of 4 features. Newton's method and the quadratic
/// program computed the minima to the last digit.
inline const Objective<Log, L2> log_objective{{}, {0.1}};
inline const Objective<Hinge, L2> hinge_objective{{}, {0.1}};
inline const Objective<Squared, L2> squared_objective{{}, {0.1}};
inline constexpr double log_at_minimum = 0.54462389879058237;
inline constexpr double hinge_at_minimum = 0.55983842334809886;
inline constexpr double squared_at_minimum = 0.6641887880853059;

/// Returns 30 samples that the sign of x₀ − x₁ + ½ separates with a margin.
inline check::OptimizerProblem separable_problem() {
  auto problem = check::optimizer_problem(Hinge{}, 30, 4, 3);
  for (Index i = 0; i < problem.y.size(); ++i) {
    const double score = problem.x(i, 0) - problem.x(i, 1) + 0.5;
    problem.y[i] = score >= 0 ? 1 : -1;
    problem.x(i, 0) += 0.25 * problem.y[i];
  }
  return problem;
}

/// Adds to an optimizer with a member `fit` a member `minimize`, which ignores the objective.
template <class O>
struct ByFit : O {
  template <class Obj, class X, class Y, class E>
  auto minimize(const Obj&, const X& x, const Y& y, const E& extras) const {
    return O::fit(x, y, extras);
  }
};
template <class O>
ByFit(O) -> ByFit<O>;

/// Checks all properties of the optimizer on this problem.
template <class M, class L, class P>
void obeys(std::string_view name, const M& optimizer, const Objective<L, P>& objective,
           const check::OptimizerProblem& problem, const check::OptimizerOptions& options) {
  check::optimizer(name, optimizer, objective, problem, options);
}

/// Checks all properties on the problem for the loss with 40 samples of 4 features. `lowest` is the
/// least known F, or `anything` if no F is known.
template <class M, class L, class P>
void obeys(std::string_view name, const M& optimizer, const Objective<L, P>& objective,
           double lowest, check::OptimizerOptions options) {
  options.lowest = lowest;
  obeys(name, optimizer, objective, check::optimizer_problem(objective.loss, 40, 4), options);
}

}  // namespace linea::test
