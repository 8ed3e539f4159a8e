// SPDX-License-Identifier: MIT
#include <linea/losses/squared.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/penalties/none.hpp>
#include <linea/samples/second_moment.hpp>
#include <linea/samples/training_set.hpp>

#include "support/catch.hpp"

using namespace linea;

TEST_CASE("GradientDescent: the second moment of rows that are all zero is zero", "[samples]") {
  const Matrix<double> x = Matrix<double>::Zero(5, 3);
  const Vector<double> y{{1, 2, 3, 4, 5}};
  const auto set = samples::admit("test", Squared{}, x, y);
  REQUIRE(samples::largest_second_moment(set, false) == 0);
  REQUIRE_THAT(samples::largest_second_moment(set, true), WithinRel(1.0, 1e-12));
  const auto solution = GradientDescent{}.minimize(Objective{Squared{}, NoPenalty{}}, x, y);
  REQUIRE(solution.weights.isZero(0));
  REQUIRE_THAT(solution.offset, WithinAbs(3, 1e-6));
  const auto bare =
      GradientDescent{.offset = false}.minimize(Objective{Squared{}, NoPenalty{}}, x, y);
  REQUIRE(bare.objective == 5.5);
}
