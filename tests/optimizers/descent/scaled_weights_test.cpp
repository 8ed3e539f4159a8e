// SPDX-License-Identifier: MIT
#include <algorithm>  // clamp
#include <cmath>
#include <linea/optimizers/descent/proximal_weights.hpp>
#include <linea/optimizers/descent/rules.hpp>
#include <linea/optimizers/descent/scaled_weights.hpp>
#include <linea/optimizers/descent/thresholded_weights.hpp>
#include <linea/penalties.hpp>
#include <linea/rows/rows_of.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

namespace {

/// Weights by definition: each step changes every weight, and the average is the sum of the weights
/// after each step, divided by the number of steps.
template <class P>
struct PlainWeights {
  P penalty;
  Vector<double> w;
  double offset{0};
  Vector<double> sum;
  double offset_sum{0};
  double rounds{0};

  template <class Rows>
  void step(const Rows& rows, Index i, const Step<double>& step, bool average) {
    w *= step.shrink;
    rows.add(i, step.coefficient, w);
    for (double& weight : w) weight = prox(weight, step.size);
    offset += step.offset;
    if (!average) return;
    sum += w;
    offset_sum += offset;
    rounds += 1;
  }
  double prox(double weight, double size) const {
    if constexpr (ThresholdPenalty<P>) {
      const double left = std::abs(weight) - penalty.threshold(size);
      return left > 0 ? std::copysign(left, weight) : 0;
    } else if constexpr (LazyPenalty<P>) {
      return weight;
    } else {
      return penalty.proximal(weight, size);
    }
  }
};

/// Makes the same random steps with delayed updates and with plain weights, and checks that both
/// agree. The average begins after a third of the steps. After two thirds, the weights are set to
/// those of the start.
template <class P, class Rows>
void same_as_plain_on(const Rows& rows, const P& penalty, double shrink, Index steps,
                      double wipe_at) {
  const Index d = rows.cols();
  const Vector<double> start = synthetic::features(1, d, 12).row(0);
  auto weights = detail::descent::weights_for(penalty, start, 0.5);
  PlainWeights<P> plain{penalty, start, 0.5, Vector<double>::Zero(d)};
  weights.average(false);
  Random random(13);
  for (Index t = 1; t <= steps; ++t) {
    if (t == steps / 3) weights.average(true);
    if (t == 2 * steps / 3) {
      weights.complete(rows);
      weights.replace(start, 0.5);
      plain.w = start;
      plain.offset = 0.5;
    }
    const auto i = static_cast<Index>(random.below(50));
    REQUIRE(std::abs(weights.score(rows, i, 49 - i) - (rows.dot(i, plain.w) + plain.offset)) <
            1e-9);
    Step<double> step{shrink, synthetic::normal(random), 0.1, 0.02};
    if (static_cast<double>(t) == wipe_at) step.shrink = 0;
    if (random.below(3) == 0) step.coefficient = 0;
    weights.shrink(rows, step);
    weights.add(rows, i, step.coefficient);
    weights.finish(step, step.offset, 1.0);
    if (t % 31 == 0) weights.complete(rows);
    plain.step(rows, i, step, t >= steps / 3);
    if (t % 97 == 0) weights.refresh();
  }
  weights.complete(rows);
  // Only rounding differs, after up to 9000 additions of numbers of size 1 to 100.
  REQUIRE((weights.weights() - plain.w).norm() < 1e-10 * (1 + plain.w.norm()));
  REQUIRE((weights.average_weights() - plain.sum / plain.rounds).norm() <
          1e-10 * (1 + (plain.sum / plain.rounds).norm()));
  REQUIRE_THAT(weights.average_offset(), WithinRel(plain.offset_sum / plain.rounds, 1e-10));
  REQUIRE_THAT(weights.offset(), WithinRel(plain.offset, 1e-10));
}

/// Checks dense rows, whose additions are delayed until the next score, and sparse rows.
template <class P>
void same_as_plain(const P& penalty, double shrink, Index steps, double wipe_at = -1) {
  const auto dense = synthetic::features(50, 30, 11, 0.2);
  const auto sparse = synthetic::sparse(dense);
  same_as_plain_on(rows_of(dense), penalty, shrink, steps, wipe_at);
  same_as_plain_on(rows_of(sparse), penalty, shrink, steps, wipe_at);
}

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
  detail::descent::ScaledWeights<double> w(Vector<double>::Constant(1, 3), 0, 1);
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
  same_as_plain(L2{0.1}, 0.5, 3000);     // the scale falls below its limit every 20 steps
  same_as_plain(L2{0.1}, 1e-12, 30);     // here, at every step
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
  detail::descent::ScaledWeights<double> weights(Vector<double>::Zero(6), 0, 0.7);
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
  detail::descent::ScaledWeights<float> weights(Vector<float>::Ones(3), 2.0F);
  weights.average(true);
  REQUIRE_FALSE(weights.has_average());
  REQUIRE(weights.average_weights() == Vector<float>::Ones(3));
  REQUIRE(weights.average_offset() == 2.0F);
}

TEST_CASE("ThresholdedWeights: weights are exactly zero below the threshold", "[optimizers]") {
  const auto x = synthetic::features(5, 4, 1);
  detail::descent::ThresholdedWeights<double, L1> weights(Vector<double>::Constant(4, 0.5), 0,
                                                          L1{1});
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
  detail::descent::ProximalWeights<double, Box> w(Vector<double>::Zero(1), 0, {});
  w.average(true);
  w.add(rows_of(x), 0, 0.1);
  w.finish({}, 0, 1);
  w.add(rows_of(x), 0, 0.1);
  w.finish({}, 0, 3);
  REQUIRE_THAT(w.average_weights()[0], WithinRel(0.175, 1e-15));
}
