// SPDX-License-Identifier: MIT
/// \file The properties of support/laws/ for dual coordinate ascent, and the input validation of
/// certify, which requires weights instead of a start.
#include <linea/core/extras.hpp>
#include <linea/optimizers/certify.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/orders/shuffled.hpp>

#include "optimizers/laws.hpp"

namespace laws_dual_test {

using namespace linea;

namespace {

struct CertifyCall {
  template <class O, class X, class Y, class T>
  Solution<T> minimize(const O& objective, const X& x, const Y& y, const Extras<T>& extras) const {
    Solution<T> solution;
    solution.weights = extras.start_weights;
    if (solution.weights.size() == 0) solution.weights.setZero(x.cols());
    solution.offset = extras.start_offset;
    CertifyOptions<T> options;
    options.sample_weights = extras.sample_weights;
    solution.objective = certify(objective, solution, x, y, options).primal;
    return solution;
  }
};

}  // namespace

TEST_CASE("Laws: the validation of certify", "[optimizers]") {
  check::OptimizerOptions options;
  options.start = check::Start::none;  // certify also accepts an offset alone
  check::optimizer_validation(
      check::optimizer_trial("certify", CertifyCall{}, test::hinge_objective,
                             check::optimizer_problem(Hinge{}, 40, 4), options));
}

TEST_CASE("Laws: DualCoordinateAscent on a loss with a kink", "[optimizers]") {
  check::OptimizerOptions options{
      .minima = {1e-6, 1e-3}, .layouts = {1e-6, 1e-3}, .floats = {1e-6, 1e-3}};
  options.gap_tolerance = 1e-6;
  options.falls = true;
  options.start = check::Start::multipliers;
  test::obeys("DualCoordinateAscent::minimize", DualCoordinateAscent{.tolerance = 1e-6},
              test::hinge_objective, test::hinge_at_minimum, options);
  // With so few epochs, only the final Newton steps reach the tolerance.
  test::obeys("DualCoordinateAscent::minimize",
              DualCoordinateAscent{.epochs = 40, .tolerance = 1e-6}, Objective{Hinge{}, L2{1e-4}},
              test::anything, options);
}

TEST_CASE("Laws: DualCoordinateAscent on a smooth loss", "[optimizers]") {
  check::OptimizerOptions options{
      .minima = {1e-8, 1e-4}, .layouts = {1e-8, 1e-4}, .floats = {1e-8, 1e-4}};
  options.gap_tolerance = 1e-8;
  options.start = check::Start::multipliers;
  test::obeys("DualCoordinateAscent::minimize",
              BasicDualCoordinateAscent<Shuffled>{.tolerance = 1e-8}, test::log_objective,
              test::log_at_minimum, options);
}

}  // namespace laws_dual_test
