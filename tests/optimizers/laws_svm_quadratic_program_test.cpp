// SPDX-License-Identifier: MIT
/// \file The laws of check/ for the support vector machine as a quadratic program.
#include <linea/optimizers/svm_quadratic_program.hpp>

#include "optimizers/laws.hpp"

using namespace linea;

namespace {

struct SvmCall : SvmQuadraticProgram {
  template <class O, class X, class Y, class E>
  auto minimize(const O& objective, const X& x, const Y& y, const E& extras) const {
    if constexpr (requires(const SvmQuadraticProgram& svm) {
                    svm.minimize(objective, x, y, extras);
                  })
      return SvmQuadraticProgram::minimize(objective, x, y, extras);
    else
      return SvmQuadraticProgram::minimize(objective, x, y, extras.sample_weights);
  }
};

}  // namespace

TEST_CASE("Laws: SvmQuadraticProgram", "[optimizers]") {
  check::OptimizerOptions options{
      .minima = {1e-9, 1e-4}, .layouts = {1e-9, 1e-4}, .floats = {1e-6, 1e-4}};
  options.gap_tolerance = 1e-9;
  options.observes = false;
  options.start = check::Start::none;
  test::obeys("SvmQuadraticProgram::minimize", SvmCall{}, test::hinge_objective,
              test::hinge_minimum, options);
}
