// SPDX-License-Identifier: MIT
/// \file The laws of check/ for the closed form, as equations of the features and of the samples.
#include <linea/optimizers/ridge.hpp>

#include "optimizers/laws.hpp"

using namespace linea;

namespace {

struct RidgeCall : Ridge {
  template <class O, class X, class Y, class E>
  auto minimize(const O& objective, const X& x, const Y& y, const E& extras) const {
    if constexpr (requires(const Ridge& ridge) { ridge.minimize(objective, x, y, extras); })
      return Ridge::minimize(objective, x, y, extras);
    else
      return Ridge::minimize(objective, x, y, extras.sample_weights);
  }
};

}  // namespace

TEST_CASE("Laws: Ridge", "[optimizers]") {
  check::OptimizerOptions options{
      .minima = {1e-13, 1e-12}, .layouts = {1e-13, 1e-12}, .floats = {1e-12, 1e-6}};
  options.same_bits = false;
  options.observes = false;
  options.start = check::Start::none;
  test::obeys("Ridge::minimize", RidgeCall{}, test::squared_objective, test::squared_minimum,
              options);
  test::obeys("Ridge::minimize", RidgeCall{}, Objective{Squared{}, L2{1e-3}},
              check::optimizer_problem(Squared{}, 12, 21), options);
}
