// SPDX-License-Identifier: MIT
#include <linea/activations.hpp>
#include <linea/core/random.hpp>
#include <linea/losses.hpp>
#include <linea/optimizers/adaptive_sgd.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties.hpp>
#include <linea/step_sizes.hpp>

#include "support/catch.hpp"

namespace importance_rule_test {

using namespace linea;

namespace {

/// Returns the score of x = 1, y after an update of weight `weight` from w = `start`.
template <class L>
double score_after(const L& loss, double start, double target, double weight, double step) {
  auto learner = BasicSgd<ConstantStep>{.offset = false, .step = {step}}.start<double>(
      Objective{loss, NoPenalty{}}, 1);
  learner.replace(Vector<double>{{start}}, 0);
  learner.update(Vector<double>{{1}}, target, weight);
  return learner.solution().weights[0];
}

}  // namespace

TEMPLATE_TEST_CASE("ImportanceRule: the rest of a weight makes an implicit step", "[optimizers]",
                   Hinge, SquaredHinge, SmoothHinge, Log, Squared, Absolute, Huber, Quantile,
                   EpsilonInsensitive) {
  const TestType loss{};
  Random random(7);
  for (int k = 0; k < 200; ++k) {
    const double target = random.below(2) ? 1 : -1;
    const double start = 6 * random.uniform() - 3;
    const double step = std::pow(10, -3 * random.uniform()) / 2;
    const double weight = 1 + std::pow(10, 6 * random.uniform() - 2);
    CAPTURE(target, start, step, weight);
    const double first = start - step * loss.derivative(start, target);
    const double expected =
        loss.derivative(start, target) == 0  // the rule does not look at the sample again
            ? start
            : loss.proximal(first, target, (weight - 1) * step);
    // The part of an explicit step is found to a millionth.
    CHECK_THAT(score_after(loss, start, target, weight, step),
               WithinAbs(expected, 1e-5 * (1 + std::abs(first - expected))));
  }
}

TEST_CASE("ImportanceRule: a weight of h is nearly h samples in a row", "[optimizers]") {
  const auto difference = [](const auto& loss, double step) {
    double in_a_row = 0;
    for (int k = 0; k < 8; ++k) in_a_row = score_after(loss, in_a_row, 1, 1, step);
    return std::abs(score_after(loss, 0, 1, 8, step) - in_a_row) / in_a_row;
  };
  CHECK(difference(Hinge{}, 0.1) < 1e-5);
  CHECK(difference(Hinge{}, 0.3) < 0.2);  // the eight samples go beyond the kink, up to a step
  // For the squared loss and short steps r, the scores are 8r − 28r² and 8r − 56r².
  for (const double step : {0.3, 0.1, 0.01, 0.001}) {
    CHECK(difference(Squared{}, step) < 3.5 * step);
    CHECK(difference(Log{}, step) < step);
  }
}

TEMPLATE_TEST_CASE("Learner: no weight, order or scale of columns makes weights infinite",
                   "[optimizers]", Hinge, SquaredHinge, Log, Squared, Huber,
                   (Composed<Poisson, Exponential>)) {
  const Objective objective{TestType{}, L2{1e-4}};
  constexpr Index d = 6;
  const auto feed = [&](auto learner) {
    Random random(11);
    Vector<double> sample(d);
    for (int k = 0; k < 2000; ++k) {
      for (Index j = 0; j < d; ++j)
        sample[j] = (random.uniform() - 0.5) * std::pow(10, static_cast<double>(j) - 3);
      const double target = random.below(2) ? 1 : takes_labels(objective.loss) ? -1 : 0;
      const double weight = random.below(5) ? 1 : std::pow(10, 12 * random.uniform() - 3);
      learner.update(sample, target, weight);
      REQUIRE(learner.is_finite());
    }
  };
  feed(Sgd{}.start<double>(objective, d));
  feed(AdaptiveSgd{}.start<double>(objective, d));
  feed(Sgd{.iterate = Iterate::average}.start<double>(objective, d));
  feed(Pegasos{}.start<double>(objective, d));
  feed(BasicSgd<ConstantStep>{.step = {10}}.start<double>(objective, d));
  const Objective sparse{TestType{}, ElasticNet{1e-4, 1e-4}};
  feed(Sgd{}.start<double>(sparse, d));
}

}  // namespace importance_rule_test
