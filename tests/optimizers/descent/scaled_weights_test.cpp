// SPDX-License-Identifier: MIT
#include <algorithm>  // clamp
#include <linea/optimizers/descent/proximal_weights.hpp>
#include <linea/optimizers/descent/scaled_weights.hpp>
#include <linea/optimizers/descent/thresholded_weights.hpp>
#include <linea/penalties.hpp>
#include <linea/rows/rows_of.hpp>

#include "support/catch.hpp"
#include "support/plain_weights.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using namespace linea::test;

namespace {

/// A penalty that has only the two required functions.
struct Box {
  template <class W>
  double value(const Eigen::MatrixBase<W>&) const {
    return 0;
  }
  template <class T>
  T proximal(T v, T) const {
    return std::clamp(v, T(-0.25), T(0.25));
  }
};
static_assert(Penalty<Box> && !LazyPenalty<Box>);

}  // namespace

TEST_CASE("ScaledWeights: the tracked norm includes the start and a shrink by 0", "[optimizers]") {
  const Matrix<double> x = Matrix<double>::Ones(1, 1);
  descent::ScaledWeights<double> w(Vector<double>::Constant(1, 3), 0, 1);
  w.finish({}, 0, 1);
  REQUIRE(w.weights()[0] == 1);
  w.shrink(rows_of(x), {.shrink = 0});
  w.add(rows_of(x), 0, 0.5);
  w.finish({}, 0, 1);
  w.complete(rows_of(x));
  REQUIRE(w.weights()[0] == 0.5);
}

TEST_CASE("Weights: delayed updates equal immediate updates of every weight", "[optimizers]") {
  same_as_plain(NoPenalty{}, 1.0, 3000);
  same_as_plain(L2{0.1}, 0.998, 3000);
  same_as_plain(L2{0.1}, 0.5, 3000);     // the scale falls below its limit every 30 steps
  same_as_plain(L2{0.1}, 1e-12, 30);     // here it does so at every step
  same_as_plain(L2{0.1}, 0.99, 900, 1);  // a shrink factor of 0 clears w but not the average
  same_as_plain(L2{0.1}, 0.99, 900, 600);
  same_as_plain(L1{1.5}, 1.0, 3000);
  same_as_plain(ElasticNet{1.5, 0.1}, 0.998, 3000);
  same_as_plain(ElasticNet{0.01, 0.1}, 0.5, 3000);
  same_as_plain(ElasticNet{1.5, 0.1}, 0.99, 900, 600);
  same_as_plain(L1{0.3}, 1.0, 9000);  // more steps than the history holds
  same_as_plain(Box{}, 1.0, 1000);
}

TEST_CASE("ScaledWeights: the projection keeps w in the ball", "[optimizers]") {
  const auto x = synthetic::features(40, 6, 5);
  const auto rows = rows_of(x);
  descent::ScaledWeights<double> weights(Vector<double>::Zero(6), 0, 0.7);
  Vector<double> plain = Vector<double>::Zero(6);
  Random random(6);
  bool touched = false;
  for (int t = 0; t < 2000; ++t) {
    const auto i = static_cast<Index>(random.below(40));
    const Step<double> step{0.99, 0.3 * synthetic::normal(random), 0, 0.1};
    weights.shrink(rows, step);
    weights.add(rows, i, step.coefficient);
    weights.finish(step, 0, 1);
    weights.complete(rows);
    plain = 0.99 * plain + step.coefficient * x.row(i).transpose();
    if (plain.norm() > 0.7) plain *= 0.7 / plain.norm();
    REQUIRE(weights.weights().norm() <= 0.7 * (1 + 1e-12));
    touched = touched || weights.weights().norm() > 0.7 * (1 - 1e-12);
  }
  REQUIRE(touched);
  REQUIRE((weights.weights() - plain).norm() < 1e-10);
}

TEST_CASE("Weights: an average without steps is the weights themselves", "[optimizers]") {
  descent::ScaledWeights<float> weights(Vector<float>::Ones(3), 2.0F);
  weights.average(true);
  REQUIRE_FALSE(weights.has_average());
  REQUIRE(weights.average_weights() == Vector<float>::Ones(3));
  REQUIRE(weights.average_offset() == 2.0F);
}

TEST_CASE("ThresholdedWeights: weights are exactly zero below the threshold", "[optimizers]") {
  const auto x = synthetic::features(5, 4, 1);
  descent::ThresholdedWeights<double, L1> weights(Vector<double>::Constant(4, 0.5), 0, L1{1});
  weights.average(false);
  for (int t = 0; t < 10; ++t) {
    const Step<double> step{1, 0, 0, 0.1};
    weights.shrink(rows_of(x), step);
    weights.finish(step, 0, 1);
  }
  REQUIRE(weights.weights() == Vector<double>::Zero(4));
}

TEST_CASE("ProximalWeights: the average weights the steps as given", "[optimizers]") {
  const Matrix<double> x = Matrix<double>::Ones(1, 1);
  descent::ProximalWeights<double, Box> w(Vector<double>::Zero(1), 0, {});
  w.average(true);
  w.add(rows_of(x), 0, 0.1);
  w.finish({}, 0, 1);
  w.add(rows_of(x), 0, 0.1);
  w.finish({}, 0, 3);
  REQUIRE_THAT(w.average_weights()[0], WithinRel(0.175, 1e-15));
}
