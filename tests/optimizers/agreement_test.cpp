// SPDX-License-Identifier: MIT
/// \file One problem, every way of holding it and of feeding it: the answers must agree.
#include <linea/core/extras.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/losses/log.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

namespace agreement_test {

using namespace linea;

TEST_CASE("Sgd: weight k has the minimum of k repeats", "[optimizers]") {
  const auto x = synthetic::features(100, 3, 9);
  const auto y = synthetic::signs(x, 10);
  Random random(11);
  Eigen::VectorXi counts(100);
  for (int& count : counts) count = static_cast<int>(random.below(4));
  const auto xs = synthetic::repeated(x, counts);
  const auto ys = synthetic::repeated(y, counts);
  const Objective objective{Log{}, L2{0.1}};
  const Extras<double> weights{.sample_weights = counts.cast<double>()};
  const auto weighted = Sgd{.epochs = 500, .tolerance = 0}.minimize(objective, x, y, weights);
  const auto repeated = Sgd{.epochs = 500, .tolerance = 0}.minimize(objective, xs, ys);
  // F is the same function, exactly; the two minimisers are as near as 500 epochs bring them.
  REQUIRE_THAT(
      weighted.objective,
      WithinRel(objective_value(objective, xs, ys, weighted.weights, weighted.offset), 1e-13));
  REQUIRE_THAT(weighted.objective, WithinRel(repeated.objective, 2e-4));
  REQUIRE((weighted.weights - repeated.weights).norm() < 0.02);
  // A sample of weight 0 is not there, wherever it lies.
  Matrix<double> more(101, 3);
  more << x, Eigen::RowVector3d(50, -50, 50);
  Vector<double> more_y(101);
  more_y << y, -1;
  Vector<double> more_weights(101);
  more_weights << counts.cast<double>(), 0;
  const auto ignored = Sgd{.epochs = 500, .tolerance = 0}.minimize(
      objective, more, more_y, {.sample_weights = more_weights});
  REQUIRE_THAT(ignored.objective, WithinRel(repeated.objective, 2e-3));
}

TEST_CASE("Optimizers: the same seed gives the same bits, another seed others", "[optimizers]") {
  const auto x = synthetic::features(100, 3, 12);
  const auto y = synthetic::signs(x, 13);
  const Objective objective{Hinge{}, L2{0.01}};
  const auto a = Sgd{.epochs = 5, .seed = 1}.minimize(objective, x, y);
  const auto b = Sgd{.epochs = 5, .seed = 1}.minimize(objective, x, y);
  const auto c = Sgd{.epochs = 5, .seed = 2}.minimize(objective, x, y);
  REQUIRE(a.weights == b.weights);
  REQUIRE(a.weights != c.weights);
  const auto p = Pegasos{.epochs = 5, .seed = 1}.minimize(objective, x, y);
  REQUIRE(p.weights == Pegasos{.epochs = 5, .seed = 1}.minimize(objective, x, y).weights);
  REQUIRE(p.weights != Pegasos{.epochs = 5, .seed = 2}.minimize(objective, x, y).weights);
}

TEST_CASE("Sgd: flipping every label flips the sign of the solution", "[optimizers]") {
  const auto x = synthetic::features(100, 4, 14);
  const auto y = synthetic::signs(x, 15);
  const Objective objective{Log{}, L2{0.01}};
  const auto solution = Sgd{.epochs = 10}.minimize(objective, x, y);
  const auto flipped = Sgd{.epochs = 10}.minimize(objective, x, -y);
  REQUIRE((solution.weights + flipped.weights).norm() < 1e-9);
  REQUIRE_THAT(flipped.offset, WithinAbs(-solution.offset, 1e-9));
}

}  // namespace agreement_test
