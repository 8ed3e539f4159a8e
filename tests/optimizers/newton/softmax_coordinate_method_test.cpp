// SPDX-License-Identifier: MIT
#include <linea/losses/log.hpp>
#include <linea/optimizers/newton/softmax_coordinate_method.hpp>
#include <linea/optimizers/softmax_coordinate_descent.hpp>
#include <linea/penalties/l1.hpp>

#include "support/catch.hpp"
#include "support/softmax.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using namespace linea::test;

TEST_CASE("SoftmaxCoordinateMethod: F at another point does not change the bound", "[optimizers]") {
  const Matrix<double> x = synthetic::features(80, 4, 11, 0.7);
  const L1 penalty{0.01};
  auto of = detail::newton::admit_classes("test", penalty, {1e-6, 10}, x, classes_of(x, 3, 12),
                                          Extras<double>{});
  const detail::samples::Frame<> frame(of.set, true);
  const auto columns = detail::samples::columns_of(x, of.set);
  const detail::proof::SeparablePenaltyOf separable(penalty);
  detail::newton::SoftmaxCoordinateMethod method(
      {separable, of.classes, of.count, of.set.weights, frame, columns, true}, of.start);
  REQUIRE(method.iterate(0));
  const double bound = method.bound_here();
  const double minimum =
      SoftmaxCoordinateDescent{}.minimize(penalty, x, classes_of(x, 3, 12)).objective;
  CHECK(bound <= minimum);
  CHECK(bound > 0.5 * minimum);
  const auto there = method.point();
  CHECK(method.value_at(method.constant()) == method.constant().objective);
  CHECK_THAT(method.bound_here(), WithinRel(bound, 1e-12));  // F is part of its rounding error
  CHECK_THAT(method.value_at(there), WithinRel(there.objective, 1e-13));
}
