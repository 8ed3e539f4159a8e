// SPDX-License-Identifier: MIT
/// \file The laws of check/ for the quadratic programs.
#include <linea/optimizers/maximum_margin.hpp>
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

struct MarginCall : MaximumMargin {
  template <class O, class X, class Y, class E>
  auto minimize(const O&, const X& x, const Y& y, const E& extras) const {
    if constexpr (requires(const MaximumMargin& margin) { margin.fit(x, y, extras); })
      return MaximumMargin::fit(x, y, extras);
    else
      return MaximumMargin::fit(x, y);
  }
};

/// 0 where the agreement is 1 or more, but for rounding; the constraint of the largest margin as a
/// loss.
struct HardMargin {
  static constexpr std::string_view name = "hard-margin";
  double slack{1e-12};
  double value(double score, double target) const {
    return score * target >= 1 - slack ? 0 : test::anything;
  }
  bool is_valid_target(double target) const { return target == 1 || target == -1; }
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

TEST_CASE("Laws: MaximumMargin", "[optimizers]") {
  check::OptimizerOptions options{
      .minima = {1e-8, 1e-8}, .layouts = {1e-8, 1e-8}, .floats = {1e-5, 1e-5}};
  options.gap_tolerance = 1e-8;
  options.observes = false;
  options.takes_weights = false;
  options.takes_one_class = false;
  options.start = check::Start::none;
  test::obeys("MaximumMargin::fit", MarginCall{}, Objective{HardMargin{1e-5}, L2{1}},
              test::separable_problem(), options);
}
