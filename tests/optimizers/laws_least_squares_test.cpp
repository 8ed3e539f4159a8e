// SPDX-License-Identifier: MIT
/// \file The properties of support/laws/ for ridge regression in closed form and for a path of one
/// λ, in primal and dual form.
#include <linea/core/extras.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/optimizers/ridge_path.hpp>

#include "optimizers/laws.hpp"

namespace laws_least_squares_test {

using namespace linea;

namespace {

struct RidgePathCall {
  bool offset{true};

  template <class O, class X, class Y, class T>
  Solution<T> minimize(const O& objective, const X& x, const Y& y, const Extras<T>& extras) const {
    const RidgePath path{
        .lambdas = {objective.penalty.lambda}, .offset = offset, .leave_one_out = false};
    return path.fit(x, y, extras).at(0);
  }
};

template <class M>
void obeys(std::string_view name, const M& optimizer) {
  const check::OptimizerOptions options{.minima = {1e-13, 1e-12},
                                        .layouts = {1e-13, 1e-12},
                                        .floats = {1e-12, 1.2e-7},
                                        .start = check::Start::none};
  test::obeys(name, optimizer, test::squared_objective, test::squared_at_minimum, options);
  test::obeys(name, optimizer, Objective{Squared{}, L2{1e-3}},
              check::optimizer_problem(Squared{}, 12, 21), options);
}

}  // namespace

TEST_CASE("Laws: Ridge", "[optimizers]") { obeys("Ridge::minimize", Ridge{}); }

TEST_CASE("Laws: RidgePath", "[optimizers]") { obeys("RidgePath::fit", RidgePathCall{}); }

}  // namespace laws_least_squares_test
