// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <linea/losses.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/orders.hpp>
#include <linea/penalties.hpp>
#include <linea/rows/in_double.hpp>
#include <linea/step_sizes.hpp>

#include "golden/minima.hpp"
#include "support/catch.hpp"
#include "support/minimum.hpp"
#include "support/shipped.hpp"
#include "support/synthetic.hpp"

namespace sgd_test {

using namespace linea;
using namespace linea::test;

TEST_CASE("Sgd: the defaults come within 2 % of minima found by other programs", "[optimizers]") {
  const auto& [x, y] = shipped::breast_cancer();
  for (const Iterate iterate : {Iterate::best, Iterate::average}) {
    const auto near = [&, &x = x, &y = y](const auto& objective, bool offset, double minimum) {
      const Sgd sgd{.epochs = 200, .tolerance = 0, .offset = offset, .iterate = iterate};
      const auto solution = sgd.minimize(objective, x, y);
      CHECK(solution.status == Status::epoch_limit);
      // F is not below the golden minimum by more than the tolerance of the program that found it.
      CHECK(solution.objective > minimum * (1 - 1e-6));
      CHECK(solution.objective < minimum * 1.02);
    };
    near(Objective{Log{}, L2{1e-2}}, true, golden::log_1e2);
    near(Objective{Log{}, L2{1e-2}}, false, golden::log_1e2_no_offset);
    near(Objective{Hinge{}, L2{1e-2}}, true, golden::hinge_1e2);
    near(Objective{Hinge{}, L2{1e-2}}, false, golden::hinge_1e2_no_offset);
    near(Objective{Log{}, L2{1e-3}}, true, golden::log_1e3);
  }
}

TEST_CASE("Sgd: squared loss reaches the closed form, with every step size", "[optimizers]") {
  const auto x = synthetic::features(400, 5, 1);
  const auto y = synthetic::numbers(x, 2);
  const Objective objective{Squared{}, L2{0.1}};
  const auto exact = least_squares_minimum(x, y, objective.penalty.lambda);
  const auto reaches = [&](const char* step, const auto& sgd) {
    CAPTURE(step);
    const auto solution = sgd.minimize(objective, x, y);
    CHECK(solution.objective >= exact.objective * (1 - 1e-12));
    CHECK(solution.objective < exact.objective * 1.005);
    CHECK(solution.status != Status::diverged);
  };
  reaches("automatic", Sgd{.epochs = 100, .tolerance = 0});
  reaches("constant", BasicSgd<ConstantStep>{.epochs = 100, .tolerance = 0, .step = {0.002}});
  reaches("1/(t + 1)", BasicSgd<InverseTime>{.epochs = 200, .tolerance = 0, .step = {1, 1}});
  reaches("inverse scaling",
          BasicSgd<InverseScaling>{.epochs = 200, .tolerance = 0, .step = {0.1, 0.5}});
  reaches("1/(lambda (t + shift))",
          BasicSgd<InverseLambda>{.epochs = 200, .tolerance = 0, .step = {.shift = 100}});
  using Any = std::function<double(Index)>;
  reaches("any callable",
          BasicSgd<Any>{.epochs = 100, .tolerance = 0, .step = [](Index) { return 0.002; }});
  reaches("batches of 16", Sgd{.epochs = 200, .tolerance = 0, .batch = 16});
  reaches("one batch", Sgd{.epochs = 200, .tolerance = 0, .batch = 400});
  reaches("shuffled", BasicSgd<AutomaticStep, Shuffled>{.epochs = 100, .tolerance = 0});
  reaches("with replacement",
          BasicSgd<AutomaticStep, WithReplacement>{.epochs = 100, .tolerance = 0});
  reaches("cyclic", BasicSgd<AutomaticStep, Cyclic>{.epochs = 100, .tolerance = 0});
}

TEST_CASE("Sgd: an elastic net is sparse and satisfies its optimality conditions", "[optimizers]") {
  const auto x = synthetic::features(300, 8, 3);
  Vector<double> y = 2 * x.col(0) - x.col(3);
  Random random(4);
  for (double& value : y) value += 0.1 * synthetic::normal(random);
  const ElasticNet penalty{0.2, 0.1};
  const auto solution =
      Sgd{.epochs = 2000, .tolerance = 0}.minimize(Objective{Squared{}, penalty}, x, y);
  const Vector<double> residual = (x * solution.weights).array() + solution.offset - y.array();
  const Vector<double> gradient = x.transpose() * residual / 300.0 + penalty.l2 * solution.weights;
  for (Index j = 0; j < 8; ++j) {
    CAPTURE(j, solution.weights[j], gradient[j]);
    // The tolerance allows for the noise of the gradient after 2000 epochs with a step of 1/t.
    if (j == 0 || j == 3)
      CHECK_THAT(gradient[j], WithinAbs(solution.weights[j] > 0 ? -0.2 : 0.2, 0.01));
    else
      CHECK(solution.weights[j] == 0);
  }
}

TEST_CASE("Sgd: a first run on unscaled features lowers the objective", "[optimizers]") {
  Matrix<double> x = synthetic::features(500, 3, 5);
  x.col(0) *= 1e5;
  x.col(1).array() += 3000;
  x.col(2) *= 1e-3;
  const Vector<double> y = (1e-2 * x.col(0) + x.col(1)).array() + 7;
  const auto constant = (y.array() - y.mean()).square().mean() / 2;
  const auto solution = Sgd{}.minimize(Objective{Squared{}, L2{1e-4}}, x, y);
  REQUIRE(solution.status != Status::diverged);
  REQUIRE(solution.objective < 0.01 * constant);
  REQUIRE(solution.first_step > 0);
}

TEST_CASE("Sgd: a step that is far too large is rolled back and shortened", "[optimizers]") {
  const auto x = synthetic::features(200, 4, 6);
  const auto y = synthetic::numbers(x, 7);
  const Objective objective{Squared{}, L2{0.01}};
  const double least = least_squares_minimum(x, y, objective.penalty.lambda).objective;
  BasicSgd<ConstantStep> wild{.epochs = 200, .tolerance = 0, .step = {30}};
  double step = 30;
  Index restarts = 0;
  const auto recovered = wild.minimize(objective, x, y, [&](const Progress& p) {
    CHECK(p.step_size == step);
    if (p.restarts > restarts) step /= 4;
    restarts = p.restarts;
    CHECK(p.updates == 200 * p.epoch);
    CHECK(p.mistakes > 0);
  });
  CHECK(restarts > 0);
  CHECK(recovered.restarts == restarts);
  CHECK(recovered.status == Status::epoch_limit);
  CHECK(recovered.objective < 1.1 * least);
  CHECK(recovered.first_step == 30);
  CHECK(recovered.last_step < 1);
  wild.retries = 0;
  for (const Iterate iterate : {Iterate::best, Iterate::last, Iterate::average}) {
    wild.iterate = iterate;
    const auto lost = wild.minimize(objective, x, y);
    CHECK(lost.status == Status::diverged);
    CHECK(lost.restarts == 0);
    CHECK(lost.weights.allFinite());
    CHECK(std::isfinite(lost.objective));
  }
}

TEST_CASE("Sgd: stops once the objective has settled, for any unit of y", "[optimizers]") {
  const auto x = synthetic::features(100, 3, 1);
  const auto y = synthetic::numbers(x, 2);
  const BasicSgd<ConstantStep> sgd{.epochs = 500, .tolerance = 1e-3, .step = {0.001}};
  const auto a = sgd.minimize(Objective{Squared{}, NoPenalty{}}, x, y);
  const auto b = sgd.minimize(Objective{Squared{}, NoPenalty{}}, x, Vector<double>(y / 1024));
  CHECK(a.status == Status::settled);
  CHECK(a.epochs < 500);
  CHECK(b.epochs == a.epochs);
  const auto free =
      Sgd{.epochs = 1000, .tolerance = 1e-3}.minimize(Objective{Squared{}, L2{0.1}}, x, y);
  CHECK(free.status == Status::settled);
  CHECK(free.epochs < 100);
}

TEST_CASE("Sgd: a warm start never returns a worse point", "[optimizers]") {
  const auto x = synthetic::features(300, 4, 16);
  const auto y = synthetic::numbers(x, 17);
  const Objective objective{Squared{}, L2{0.05}};
  const auto exact = least_squares_minimum(x, y, objective.penalty.lambda);
  const Extras<double> start{.start_weights = exact.weights, .start_offset = exact.offset};
  const auto solution = Sgd{.epochs = 3}.minimize(objective, x, y, start);
  CHECK(solution.objective <= exact.objective * (1 + 1e-12));
  CHECK(solution.status != Status::diverged);
  const BasicSgd<ConstantStep> rough{.epochs = 3, .step = {0.05}, .retries = 0};
  CHECK(rough.minimize(objective, x, y, start).weights == exact.weights);
  const auto untouched = Sgd{.epochs = 0}.minimize(objective, x, y, start);
  CHECK(untouched.weights == exact.weights);
  CHECK(untouched.offset == exact.offset);
  // After five epochs above F of the start, a run is rolled back to the start, once.
  Index restarts = 0;
  const auto back = BasicSgd<ConstantStep>{.epochs = 40, .tolerance = 0, .step = {0.05}}.minimize(
      objective, x, y,
      {.observer =
           [&](const Progress& p) {
             if (p.epoch >= 5) CHECK(p.restarts == 1);
             restarts = p.restarts;
             return Control::proceed;
           },
       .start_weights = exact.weights,
       .start_offset = exact.offset});
  CHECK(restarts == 1);
  CHECK(back.status == Status::epoch_limit);
}

TEST_CASE("Sgd: averaging begins at the latest in the last epoch, and the solution reports it",
          "[optimizers]") {
  const auto x = synthetic::features(50, 3, 1);
  const auto y = synthetic::signs(x, 2);
  const Objective objective{Log{}, L2{0.1}};
  Sgd sgd{.epochs = 3, .tolerance = 0, .iterate = Iterate::average, .average_from = 3};
  const auto last = sgd.minimize(objective, x, y);
  sgd.average_from = 10;
  CHECK(sgd.minimize(objective, x, y).weights == last.weights);
  const auto never = sgd.minimize(objective, x, y, [](const Progress&) { return Control::stop; });
  CHECK(never.epochs == 1);
  CHECK(never.iterate == Iterate::last);
}

TEST_CASE("Sgd: a batch longer than the remaining samples takes their mean", "[optimizers]") {
  const auto x = synthetic::features(30, 2, 1);
  const auto y = synthetic::numbers(x, 2);
  const Objective objective{Squared{}, L2{0.1}};
  const auto all = Sgd{.epochs = 5, .batch = 30}.minimize(objective, x, y);
  for (const Index batch : {Index{37}, std::numeric_limits<Index>::max()}) {
    const auto more = Sgd{.epochs = 5, .batch = batch}.minimize(objective, x, y);
    CHECK(more.weights == all.weights);
    CHECK(more.updates == 5);
  }
}

TEST_CASE("Sgd: weights decay in float even by less than their last bit a step", "[optimizers]") {
  const Matrix<float> x = Matrix<float>::Zero(1, 1);
  const auto solution =
      BasicSgd<ConstantStep>{
          .epochs = 100000, .tolerance = 0, .step = {1e-3}, .iterate = Iterate::last}
          .minimize(Objective{Squared{}, L2{1e-4}}, x, Vector<float>::Zero(1),
                    {.start_weights = Vector<float>::Ones(1)});
  REQUIRE_THAT(solution.weights[0], WithinRel(std::exp(-0.01F), 1e-6F));
}

TEST_CASE("Sgd and Pegasos: another seed gives another path", "[optimizers]") {
  const auto x = synthetic::features(100, 3, 12);
  const auto y = synthetic::signs(x, 13);
  const Objective objective{Hinge{}, L2{0.01}};
  const auto check = [&](auto one) {
    auto other = one;
    other.seed = 2;
    CHECK(one.minimize(objective, x, y).weights != other.minimize(objective, x, y).weights);
  };
  check(Sgd{.epochs = 5, .seed = 1});
  check(Pegasos{.epochs = 5, .seed = 1});
}

TEST_CASE("Sgd: supports any lambda, from 0 to huge values", "[optimizers]") {
  const auto x = synthetic::features(100, 3, 1);
  const auto y = synthetic::signs(x, 2);
  for (const double lambda : {5e7, 1e100}) {
    const auto s = Sgd{}.minimize(Objective{Hinge{}, L2{lambda}}, x, y);
    const double positive = (y.array() > 0).cast<double>().mean();
    CHECK_THAT(s.objective, WithinRel(2 * std::min(positive, 1 - positive), 1e-3));  // F at w = 0
  }
  CHECK(Sgd{.epochs = 20}.minimize(Objective{Log{}, L2{0}}, x, y).status != Status::diverged);
}

TEST_CASE("in_double: steps too small for a float still change the weights", "[optimizers]") {
  // For x = 1 and target 2, the distance 2 − w shrinks by the factor 1 − η in a step. At w = 1, a
  // step of 2e-8 is less than half of the last bit of a float.
  const Index n = 1000000;
  const Matrix<float> x = Matrix<float>::Ones(n, 1);
  const Vector<double> y = Vector<double>::Constant(n, 2);
  const BasicSgd<ConstantStep, Cyclic> sgd{
      .epochs = 1, .tolerance = 0, .offset = false, .step = {2e-8}, .iterate = Iterate::last};
  const Objective objective{Squared{}, NoPenalty{}};
  const Extras<float> from_one{.start_weights = Vector<float>::Ones(1)};
  const Extras<double> in_doubles{.start_weights = Vector<double>::Ones(1)};
  CHECK(sgd.minimize(objective, x, y, from_one).weights[0] == 1.0F);
  const double moved = sgd.minimize(objective, in_double(x), y, in_doubles).weights[0];
  CHECK_THAT(moved, WithinRel(2 - std::pow(1 - 2e-8, n), 1e-9));
  // With threads, too, the steps are the same as on a copy in double.
  const auto floats = synthetic::features<float>(300, 21, 11);
  const Matrix<double> copy = floats.cast<double>();
  const auto signs = synthetic::signs(copy, 12);
  const BasicSgd<AutomaticStep, Shuffled> threads{.epochs = 4, .threads = 2};
  const Objective hinge{Hinge{}, L2{1e-2}};
  CHECK(threads.minimize(hinge, in_double(floats), signs).weights ==
        threads.minimize(hinge, copy, signs).weights);
}

}  // namespace sgd_test
