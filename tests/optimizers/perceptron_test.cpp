// SPDX-License-Identifier: MIT
#include <linea/core/extras.hpp>
#include <linea/losses/perceptron_loss.hpp>
#include <linea/optimizers/perceptron.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/orders.hpp>
#include <linea/penalties/none.hpp>
#include <linea/step_sizes/constant.hpp>

#include "support/catch.hpp"
#include "support/separable.hpp"
#include "support/synthetic.hpp"

namespace perceptron_test {

using namespace linea;
using synthetic::separable;

TEST_CASE("Perceptron: its steps are those of the textbook", "[optimizers]") {
  const Matrix<double> x{{1, 0}, {0, 1}, {1, 1}};
  const Vector<double> y{{1, -1, 1}};
  // By hand: (1,0) of class + has score 0, a mistake: w = (1,0), b = 1. (0,1) of class - has score
  // 1, a mistake: w = (1,-1), b = 0. (1,1) of class + has score 0, a mistake: w = (2,0), b = 1.
  const auto one = Perceptron{.epochs = 1}.fit(x, y);
  REQUIRE(one.weights == Eigen::Vector2d(2, 0));
  REQUIRE(one.offset == 1);
  REQUIRE(one.mistakes == 3);
  REQUIRE(one.updates == 3);
  REQUIRE(one.status == Status::epoch_limit);
  // The average is the mean of (1,0), (1,-1), (2,0), and of the offsets 1, 0, 1.
  const auto averaged = Perceptron{.epochs = 1, .average = true}.fit(x, y);
  REQUIRE_THAT(averaged.weights[0], WithinRel(4.0 / 3, 1e-15));
  REQUIRE_THAT(averaged.weights[1], WithinRel(-1.0 / 3, 1e-15));
  REQUIRE_THAT(averaged.offset, WithinRel(2.0 / 3, 1e-15));
  REQUIRE(averaged.iterate == Iterate::average);
}

TEST_CASE("ThresholdPerceptron: its steps are those of the textbook", "[optimizers]") {
  const Matrix<double> x{{1, 0}, {0, 1}, {1, 1}, {-1, 2}};
  const Vector<double> y{{1, 0, 1, 0}};
  // By hand, with w ← w − (f(x) − y)(x, 1). (1,0) has score 0 and output 1, correct. (0,1) has
  // score 0 and output 1, wrong: w = (0,-1), b = -1. (1,1) has score -2 and output 0, wrong: w =
  // (1,0), b = 0. (-1,2) has score -1 and output 0, correct.
  const auto first = ThresholdPerceptron{.epochs = 1}.fit(x, y);
  REQUIRE(first.weights == Vector<double>{{1, 0}});
  REQUIRE(first.offset == 0);
  REQUIRE(first.mistakes == 2);
  REQUIRE(first.objective == 0.25);  // (0,1) has score 0, a mistake
  const auto end = ThresholdPerceptron{}.fit(x, y);
  REQUIRE(end.status == Status::converged);
  REQUIRE(end.objective == 0);
}

TEST_CASE(
    "ThresholdPerceptron: refuses targets other than 0 and 1, and a rate that is not positive",
    "[optimizers]") {
  const Matrix<double> x = Matrix<double>::Ones(2, 1);
  REQUIRE_THROWS_WITH(ThresholdPerceptron{}.fit(x, Vector<double>{{1, -1}}),
                      ContainsSubstring("y(1) = -1 is no target of threshold-error"));
  REQUIRE_THROWS_WITH(ThresholdPerceptron{.learning_rate = 0}.fit(x, Vector<double>{{1, 0}}),
                      ContainsSubstring("learning_rate = 0 is not positive"));
  CHECK_THROWS_WITH(Perceptron{}.start<double>(0), "Perceptron::start: 0 features");
}

TEST_CASE("ThresholdPerceptron: an online learner may start at any weights", "[optimizers]") {
  Extras<double> extras;
  extras.start_weights = Vector<double>{{0.5, -0.5}};
  extras.start_offset = 0.25;
  auto learner = ThresholdPerceptron{}.start<double>(2, extras);
  learner.update(Vector<double>{{1, 0}}, 1);  // a correct prediction
  REQUIRE(learner.solution().weights == extras.start_weights);
  learner.update(Vector<double>{{1, 0}}, 0);  // a wrong prediction
  REQUIRE(learner.solution().weights == Vector<double>{{-0.5, -0.5}});
  REQUIRE(learner.solution().offset == -0.75);
}

TEST_CASE("Perceptron: the learning rate matters for a start that is not zero", "[optimizers]") {
  const auto set = separable(40, 3, 0.1, 2);
  const auto start = random_start<double>(3, 1, 1.0);
  auto half = start;
  half.start_weights /= 2;
  half.start_offset /= 2;
  const Perceptron one{.epochs = 5}, slow{.epochs = 5, .learning_rate = 0.5};
  const auto whole = one.fit(set.x, set.y, start);
  const auto halved = slow.fit(set.x, set.y, half);
  CHECK(halved.weights == whole.weights / 2);
  CHECK(halved.offset == whole.offset / 2);
  CHECK(slow.fit(set.x, set.y, start).weights != whole.weights);
  CHECK(Perceptron{.epochs = 0}.fit(set.x, set.y, half).offset == half.start_offset);
}

TEST_CASE("Perceptron: a fraction of a weight is a shorter presentation", "[optimizers]") {
  const Matrix<double> x{{1}, {-1}};
  const Eigen::Vector2d y(1, 1);
  const Extras<double> e{.sample_weights = Eigen::Vector2d(0.5, 0.25)};
  // w is 0.5 for 0.5 presentations, then 0.25 for 0.25 presentations: the mean is 5/12.
  REQUIRE(Perceptron{.epochs = 1, .offset = false}.fit(x, y, e).weights[0] == 0.25);
  REQUIRE_THAT((Perceptron{.epochs = 1, .average = true, .offset = false}.fit(x, y, e).weights[0]),
               WithinRel(5.0 / 12, 1e-14));
}

TEST_CASE("Perceptron: a warm start near the solution does not count as divergence",
          "[optimizers]") {
  const auto x = synthetic::features(200, 3, 1);
  auto y = synthetic::signs(x, 2, 0.0);
  const auto separator = Perceptron{.epochs = 10000}.fit(x, y);
  REQUIRE(separator.status == Status::converged);
  y[7] = -y[7];
  for (const Index epochs : {1, 2, 3, 4, 5}) {
    const auto solution = Perceptron{.epochs = epochs}.fit(
        x, y, {.start_weights = separator.weights, .start_offset = separator.offset});
    CHECK(solution.status == Status::epoch_limit);
    CHECK(solution.iterate == Iterate::last);
  }
}

TEST_CASE("Perceptron: an order that skips samples does not separate them", "[optimizers]") {
  const Matrix<double> x = Matrix<double>::Ones(1000, 1);
  Vector<double> y = Vector<double>::Ones(1000);
  y[500] = -1;
  const auto solution = BasicPerceptron<WithReplacement>{.epochs = 50}.fit(x, y);
  REQUIRE(solution.status == Status::epoch_limit);
}

TEST_CASE("Perceptron: an empty sample of weight 1e6 takes no time", "[optimizers]") {
  const Matrix<double> x = Matrix<double>::Zero(1, 1);
  const auto solution = Perceptron{.epochs = 1000, .offset = false}.fit(
      x, Vector<double>::Ones(1), {.sample_weights = Vector<double>::Constant(1, 1e6)});
  REQUIRE(solution.updates == 2000);
  REQUIRE_THROWS_WITH(Perceptron{}.fit(x, Vector<double>::Ones(1),
                                       {.sample_weights = Vector<double>::Constant(1, 2e6)}),
                      ContainsSubstring("at most 1e6"));
  auto learner = Perceptron{.offset = false}.start<double>(1);
  REQUIRE_THROWS_WITH(learner.update(Vector<double>{{1}}, 1, 2e6),
                      ContainsSubstring("at most 1e6"));
  REQUIRE_THROWS_WITH(learner.epoch(x, Vector<double>::Ones(1), Vector<double>::Constant(1, 2e6)),
                      ContainsSubstring("at most 1e6"));
}

TEST_CASE("Perceptron: equals SGD with step 1 on the perceptron loss", "[optimizers]") {
  const auto x = synthetic::features(100, 4, 16);
  const auto y = synthetic::signs(x, 17, 2.0);
  const auto perceptron = Perceptron{.epochs = 6}.fit(x, y);
  const auto sgd =
      BasicSgd<ConstantStep, Cyclic>{
          .epochs = 6, .tolerance = 0, .step = {1}, .iterate = Iterate::last, .retries = 0}
          .minimize(Objective{PerceptronLoss{}, NoPenalty{}}, x, y);
  REQUIRE(perceptron.weights == sgd.weights);
  REQUIRE(perceptron.offset == sgd.offset);
}

}  // namespace perceptron_test
