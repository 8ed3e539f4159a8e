// SPDX-License-Identifier: MIT
/// \file The laws of check/ for the closed form of many λ, here of one.
#include <linea/core/extras.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/ridge_path.hpp>
#include <linea/penalties/l2.hpp>

#include "optimizers/laws.hpp"

namespace laws_ridge_path_test {

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

}  // namespace

TEST_CASE("Laws: RidgePath", "[optimizers]") {
  check::OptimizerOptions options{
      .minima = {1e-13, 1e-12}, .layouts = {1e-13, 1e-12}, .floats = {1e-12, 1.2e-7}};
  options.same_bits = false;
  options.start = check::Start::none;
  test::obeys("RidgePath::fit", RidgePathCall{}, test::squared_objective, test::squared_at_minimum,
              options);
  test::obeys("RidgePath::fit", RidgePathCall{}, Objective{Squared{}, L2{1e-3}},
              check::optimizer_problem(Squared{}, 12, 21), options);
}

}  // namespace laws_ridge_path_test
