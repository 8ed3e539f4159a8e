// SPDX-License-Identifier: MIT
#pragma once
/// \file Weights that are all updated in every step, to compare with delayed updates.
#include <cmath>
#include <linea/optimizers/descent/proximal_weights.hpp>
#include <linea/optimizers/descent/rules.hpp>
#include <linea/optimizers/descent/scaled_weights.hpp>
#include <linea/optimizers/descent/thresholded_weights.hpp>
#include <linea/rows/rows_of.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

namespace linea::test {

/// Weights by definition: each step changes every weight, and the average is a sum over the steps.
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
/// agree. The average begins after a third of the steps. After two thirds both return to the start.
template <class P, class Rows>
void same_as_plain_on(const Rows& rows, const P& penalty, double shrink, Index steps,
                      double wipe_at) {
  const Index d = rows.cols();
  const Vector<double> start = synthetic::features(1, d, 12).row(0);
  auto weights = descent::weights_for(penalty, start, 0.5);
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
  // Only rounding differs: there are several thousand additions of numbers of size 1 to 100.
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

}  // namespace linea::test
