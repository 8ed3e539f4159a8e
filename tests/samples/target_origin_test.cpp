// SPDX-License-Identifier: MIT
#include <linea/activations.hpp>
#include <linea/losses.hpp>
#include <linea/samples/target_origin.hpp>

#include "support/catch.hpp"

using namespace linea;

TEST_CASE("Target origin: the mean of targets far from 0, and 0 for all others", "[samples]") {
  const Matrix<double> x = Matrix<double>::Ones(4, 1);
  Vector<double> y(4);
  y << 1000, 1002, 998, 1000;
  const auto origin = [&](const auto& loss, const Vector<double>& weights = {}) {
    return samples::target_origin(loss, samples::admit("test", loss, x, y, weights));
  };
  CHECK(origin(Squared{}) == 1000);
  CHECK(origin(Quantile{0.1}) == 1000);
  CHECK(origin(Composed<Squared, Tanh>{}) == 0);
  y[3] = 1e300;  // the targets spread
  CHECK(origin(Absolute{}) == 0);
  Vector<double> weights(4);
  weights << 1, 1, 1, 0;  // but not those that are there
  CHECK_THAT(origin(Absolute{}, weights), WithinAbs(1000, 1e-9));
  y << 9, 10, 11, 10;
  CHECK(origin(Huber{}) == 10);
  y << 8, 10, 12, 10;
  CHECK(origin(Huber{}) == 0);
  y << 1, -1, 1, -1;
  CHECK(origin(Hinge{}) == 0);
}
