// SPDX-License-Identifier: MIT
/// \file The properties of support/laws/ for InteriorPoint, SvmQuadraticProgram and MaximumMargin.
#include <linea/optimizers/interior_point.hpp>
#include <linea/optimizers/maximum_margin.hpp>
#include <linea/optimizers/svm_quadratic_program.hpp>

#include "optimizers/laws.hpp"

namespace laws_interior_point_test {

using namespace linea;

namespace {

/// The constraints of MaximumMargin as a loss: 0 if the agreement is at least 1, up to rounding,
/// and infinite otherwise.
struct HardMargin {
  double slack{1e-14};
  double value(double score, double target) const {
    return score * target >= 1 - slack ? 0 : test::anything;
  }
  bool is_valid_target(double target) const { return target == 1 || target == -1; }
};

struct HalfSquaredNorm {
  template <class W>
  double value(const W& w) const {
    return 0.5 * w.squaredNorm();
  }
  double proximal(double v, double step) const { return v / (1 + step); }
};

}  // namespace

TEST_CASE("Laws: InteriorPoint", "[optimizers]") {
  check::OptimizerOptions options{
      .minima = {1e-8, 1e-4}, .layouts = {1e-8, 1e-4}, .floats = {1e-6, 1e-4}};
  options.gap_tolerance = 1e-8;
  options.falls = true;
  options.start = check::Start::none;
  test::obeys("InteriorPoint::minimize", InteriorPoint{}, test::hinge_objective,
              test::hinge_at_minimum, options);
  test::obeys("InteriorPoint::minimize", InteriorPoint{}, Objective{Hinge{}, L1{0.02}},
              test::anything, options);
}

TEST_CASE("Laws: SvmQuadraticProgram", "[optimizers]") {
  check::OptimizerOptions options{
      .minima = {1e-9, 1e-4}, .layouts = {1e-9, 1e-4}, .floats = {1e-6, 1e-4}};
  options.gap_tolerance = 1e-9;
  options.start = check::Start::none;
  test::obeys("SvmQuadraticProgram::minimize", SvmQuadraticProgram{}, test::hinge_objective,
              test::hinge_at_minimum, options);
}

TEST_CASE("Laws: MaximumMargin", "[optimizers]") {
  // With weights rounded to float, the constraints hold only up to rounding, so F is infinite.
  check::OptimizerOptions options{
      .minima = {1e-8, 1e-8}, .layouts = {1e-8, 1e-8}, .floats = {test::anything, 1e-5}};
  options.gap_tolerance = 1e-8;
  options.takes_one_class = false;
  options.start = check::Start::none;
  test::obeys("MaximumMargin::fit", test::ByFit{MaximumMargin{}},
              Objective{HardMargin{}, HalfSquaredNorm{}}, test::separable_problem(), options);
}

}  // namespace laws_interior_point_test
