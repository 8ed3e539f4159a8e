// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <linea/losses.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/orders/cyclic.hpp>
#include <linea/orders/shuffled.hpp>
#include <linea/orders/with_replacement.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/penalties/none.hpp>
#include <linea/step_sizes/automatic.hpp>
#include <linea/step_sizes/constant.hpp>
#include <linea/step_sizes/inverse_lambda.hpp>
#include <linea/step_sizes/inverse_scaling.hpp>
#include <linea/step_sizes/inverse_time.hpp>

#include "golden/minima.hpp"
#include "support/catch.hpp"
#include "support/minimum.hpp"
#include "support/shipped.hpp"
#include "support/synthetic.hpp"

namespace sgd_test {

using namespace linea;
using namespace linea::test;

TEST_CASE("Sgd: one epoch is the textbook's, step by step", "[optimizers]") {
  Matrix<double> x(2, 1);
  x << 2, 3;
  const Eigen::Vector2d y(1, -1);
  // Squared loss, λ = 0.5, η = 0.1, in order, from 0. First: p = 0, slope -1: w = 0.2, b = 0.1.
  // Second: p = 0.7, slope 1.7: w = 0.95·0.2 - 0.1·1.7·3 = -0.32, b = 0.1 - 0.17 = -0.07.
  const auto solution =
      BasicSgd<ConstantStep, Cyclic>{.epochs = 1, .step = {0.1}, .iterate = Iterate::last}.minimize(
          Objective{Squared{}, L2{0.5}}, x, y);
  REQUIRE_THAT(solution.weights[0], WithinAbs(-0.32, 1e-15));
  REQUIRE_THAT(solution.offset, WithinAbs(-0.07, 1e-15));
  REQUIRE(solution.updates == 2);
  REQUIRE(solution.first_step == 0.1);
  // A batch of both: mean slope 0·… = ((0-1)·2 + (0+1)·3)/2 = 0.5, for b 0.
  const auto batch =
      BasicSgd<ConstantStep, Cyclic>{
          .epochs = 1, .step = {0.1}, .batch = 2, .iterate = Iterate::last}
          .minimize(Objective{Squared{}, L2{0.5}}, x, y);
  REQUIRE_THAT(batch.weights[0], WithinAbs(-0.05, 1e-15));
  REQUIRE_THAT(batch.offset, WithinAbs(0, 1e-15));
  REQUIRE(batch.updates == 1);
}

TEST_CASE("Sgd: by default within 2 % of minima found by other programs", "[optimizers]") {
  const auto& x = shipped::breast_cancer().x;
  const auto& y = shipped::breast_cancer().y;
  for (const Iterate iterate : {Iterate::best, Iterate::average}) {
    const Sgd sgd{.epochs = 200, .tolerance = 0, .iterate = iterate};
    const auto excess = [&](const auto& objective, bool offset, double minimum) {
      Sgd run = sgd;
      run.offset = offset;
      const auto solution = run.minimize(objective, x, y);
      REQUIRE(solution.status == Status::epoch_limit);
      return solution.objective / minimum - 1;
    };
    // Never below the minimum by more than the other program's own tolerance.
    const auto near = [](double above) { return -1e-6 < above && above < 0.02; };
    CHECK(near(excess(Objective{Log{}, L2{1e-2}}, true, golden::log_1e2)));
    CHECK(near(excess(Objective{Log{}, L2{1e-2}}, false, golden::log_1e2_no_offset)));
    CHECK(near(excess(Objective{Hinge{}, L2{1e-2}}, true, golden::hinge_1e2)));
    CHECK(near(excess(Objective{Hinge{}, L2{1e-2}}, false, golden::hinge_1e2_no_offset)));
    CHECK(near(excess(Objective{Log{}, L2{1e-3}}, true, golden::log_1e3)));
  }
}

TEST_CASE("Sgd: absolute and quantile loss approach the minimum of the linear programme",
          "[optimizers]") {
  const auto& x = shipped::diabetes().x;
  const auto& y = shipped::diabetes().y;
  const Sgd sgd{.epochs = 200, .tolerance = 0, .iterate = Iterate::average};
  const auto median = sgd.minimize(Objective{Quantile{0.5}, NoPenalty{}}, x, y);
  CHECK(median.objective >= golden::quantile_50 * (1 - 1e-9));
  CHECK(median.objective < golden::quantile_50 * 1.01);
  const auto absolute = sgd.minimize(Objective{Absolute{}, NoPenalty{}}, x, y);
  CHECK(absolute.objective < 2 * golden::quantile_50 * 1.01);
  const auto ninth = sgd.minimize(Objective{Quantile{0.9}, NoPenalty{}}, x, y);
  CHECK(ninth.objective >= golden::quantile_90 * (1 - 1e-9));
  CHECK(ninth.objective < golden::quantile_90 * 1.02);
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

TEST_CASE("Sgd: an elastic net's solution is sparse and meets its optimality conditions",
          "[optimizers]") {
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
    // The gradient's noise after 2000 epochs of a step that falls as 1/t.
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

TEST_CASE("Sgd: a step that is far too large is rolled back, shortened and reported",
          "[optimizers]") {
  const auto x = synthetic::features(200, 4, 6);
  const auto y = synthetic::numbers(x, 7);
  const Objective objective{Squared{}, L2{0.01}};
  const auto exact = least_squares_minimum(x, y, objective.penalty.lambda);
  const BasicSgd<ConstantStep> wild{.epochs = 200, .tolerance = 0, .step = {30}};
  const auto recovered = wild.minimize(objective, x, y);
  REQUIRE(recovered.restarts > 0);
  REQUIRE(recovered.status == Status::epoch_limit);
  REQUIRE(recovered.objective < 1.1 * exact.objective);
  REQUIRE(recovered.first_step == 30);
  REQUIRE(recovered.last_step < 1);

  BasicSgd<ConstantStep> resigned = wild;
  resigned.retries = 0;
  for (const Iterate iterate : {Iterate::best, Iterate::last, Iterate::average}) {
    resigned.iterate = iterate;
    const auto lost = resigned.minimize(objective, x, y);
    REQUIRE(lost.status == Status::diverged);
    REQUIRE(lost.restarts == 0);
    REQUIRE(lost.weights.allFinite());
    REQUIRE(std::isfinite(lost.objective));
  }
}

TEST_CASE("Sgd: the objective it reports is that of the iterate it returns", "[optimizers]") {
  const auto x = synthetic::features(200, 5, 8);
  const auto y = synthetic::signs(x, 9);
  const Objective objective{Log{}, ElasticNet{0.01, 0.01}};
  for (const Iterate iterate : {Iterate::best, Iterate::last, Iterate::average}) {
    const auto solution = Sgd{.epochs = 7, .iterate = iterate}.minimize(objective, x, y);
    REQUIRE(solution.iterate == iterate);
    REQUIRE(solution.epochs == 7);
    REQUIRE(solution.updates == 1400);
    REQUIRE_THAT(
        solution.objective,
        WithinRel(objective_value(objective, x, y, solution.weights, solution.offset), 1e-14));
  }
}

TEST_CASE("Sgd: the best iterate's objective never rises, and an observer sees it",
          "[optimizers]") {
  const auto x = synthetic::features(300, 5, 10);
  const auto y = synthetic::signs(x, 11, 2.0);
  double lowest = 1e300;
  Index calls = 0;
  const auto solution =
      BasicSgd<ConstantStep>{.epochs = 30, .tolerance = 0, .step = {0.3}}.minimize(
          Objective{Hinge{}, L2{0.01}}, x, y, [&](const Progress& progress) {
            REQUIRE(progress.epoch == ++calls);
            lowest = std::min(lowest, progress.objective());
          });
  REQUIRE(calls == 30);
  REQUIRE(solution.objective >= lowest);
}

TEST_CASE("Sgd: stops by itself once the objective has settled", "[optimizers]") {
  const auto x = synthetic::features(500, 3, 14);
  const auto y = synthetic::numbers(x, 15);
  const auto solution =
      Sgd{.epochs = 1000, .tolerance = 1e-3}.minimize(Objective{Squared{}, L2{0.1}}, x, y);
  REQUIRE(solution.status == Status::settled);
  REQUIRE(solution.epochs < 100);
}

TEST_CASE("Sgd: a warm start begins where it is told and never answers with worse",
          "[optimizers]") {
  const auto x = synthetic::features(300, 4, 16);
  const auto y = synthetic::numbers(x, 17);
  const Objective objective{Squared{}, L2{0.05}};
  const auto exact = least_squares_minimum(x, y, objective.penalty.lambda);
  const auto solution = Sgd{.epochs = 3}.minimize(
      objective, x, y, {.start_weights = exact.weights, .start_offset = exact.offset});
  REQUIRE(solution.objective <= exact.objective * (1 + 1e-12));
  REQUIRE(solution.status != Status::diverged);
  const auto rough = BasicSgd<ConstantStep>{.epochs = 3, .step = {0.05}, .retries = 0}.minimize(
      objective, x, y, {.start_weights = exact.weights, .start_offset = exact.offset});
  REQUIRE(rough.weights == exact.weights);
  // No epochs at all: the start itself.
  const auto untouched = Sgd{.epochs = 0}.minimize(
      objective, x, y, {.start_weights = exact.weights, .start_offset = exact.offset});
  REQUIRE(untouched.weights == exact.weights);
  REQUIRE(untouched.offset == exact.offset);
}

TEST_CASE("Sgd: translating regression targets moves the offset alone", "[optimizers]") {
  const auto x = synthetic::features(200, 3, 20);
  const auto y = synthetic::numbers(x, 21);
  const Objective objective{Huber{1.0}, L2{0.01}};
  const auto solution = Sgd{.epochs = 30, .tolerance = 0}.minimize(objective, x, y);
  const auto moved =
      Sgd{.epochs = 30, .tolerance = 0}.minimize(objective, x, Vector<double>(y.array() + 64));
  REQUIRE((moved.weights - solution.weights).norm() < 1e-8);  // the start is found by bisection
  REQUIRE_THAT(moved.offset, WithinAbs(solution.offset + 64, 1e-8));
}

TEST_CASE("Sgd: averaging from beyond the last epoch averages the last epoch", "[optimizers]") {
  const auto x = synthetic::features(50, 3, 1);
  const auto y = synthetic::signs(x, 2);
  Sgd sgd{.epochs = 3, .tolerance = 0, .iterate = Iterate::average, .average_from = 3};
  const auto a = sgd.minimize(Objective{Log{}, L2{0.1}}, x, y);
  sgd.average_from = 10;
  REQUIRE(sgd.minimize(Objective{Log{}, L2{0.1}}, x, y).weights == a.weights);
}

TEST_CASE("Sgd: what an observer is told of steps, updates, restarts and visits is so",
          "[optimizers]") {
  const auto x = synthetic::features(200, 4, 6);
  const auto y = synthetic::numbers(x, 7);
  double step = 30;
  Index restarts = 0;
  Index moved = 0;
  const auto s = BasicSgd<ConstantStep>{.epochs = 30, .tolerance = 0, .step = {30}}.minimize(
      Objective{Squared{}, L2{0.01}}, x, y, [&](const Progress& p) {
        REQUIRE(p.step_size == step);
        if (p.restarts > restarts) {
          step /= 4;
          restarts = p.restarts;
        }
        REQUIRE(p.updates == 200 * p.epoch);
        moved = p.mistakes;
      });
  REQUIRE(restarts > 0);
  REQUIRE(s.restarts == restarts);
  REQUIRE(moved > 0);
}

TEST_CASE("Sgd: the tolerance is relative: the unit of y does not change when a run stops",
          "[optimizers]") {
  const auto x = synthetic::features(100, 3, 1);
  const auto y = synthetic::numbers(x, 2);
  const BasicSgd<ConstantStep> sgd{.epochs = 500, .tolerance = 1e-3, .step = {0.001}};
  const auto a = sgd.minimize(Objective{Squared{}, NoPenalty{}}, x, y);
  const auto b = sgd.minimize(Objective{Squared{}, NoPenalty{}}, x, Vector<double>(y / 1024));
  REQUIRE(a.status == Status::settled);
  REQUIRE(b.epochs == a.epochs);
}

TEST_CASE("Sgd: a batch longer than what is left takes the mean of what is left", "[optimizers]") {
  const auto x = synthetic::features(2, 2, 1);
  const Eigen::Vector2d y(1, -1);
  BasicSgd<ConstantStep, Cyclic> sgd{
      .epochs = 1, .step = {0.1}, .batch = 2, .iterate = Iterate::last};
  const auto a = sgd.minimize(Objective{Squared{}, L2{0.1}}, x, y);
  sgd.batch = 5;
  REQUIRE(sgd.minimize(Objective{Squared{}, L2{0.1}}, x, y).weights == a.weights);
}

TEST_CASE("Sgd: five epochs above a warm start roll it back to the start, once", "[optimizers]") {
  const auto x = synthetic::features(200, 4, 1);
  const auto y = synthetic::numbers(x, 2);
  const Objective o{Squared{}, L2{0.05}};
  const auto e = least_squares_minimum(x, y, o.penalty.lambda);
  const auto s = BasicSgd<ConstantStep>{.epochs = 40, .tolerance = 0, .step = {0.05}}.minimize(
      o, x, y,
      {.observer =
           [&](const Progress& p) {
             if (p.epoch >= 5) {
               REQUIRE(p.restarts == 1);
             }
             return Control::proceed;
           },
       .start_weights = e.weights,
       .start_offset = e.offset});
  REQUIRE(s.status == Status::epoch_limit);
}

TEST_CASE("Sgd: average_power weighs the iterates", "[optimizers]") {
  const auto x = synthetic::features(60, 4, 3);
  const auto y = synthetic::signs(x, 4);
  for (const double power : {0.0, 1.0, 2.5}) {
    const auto solution = BasicSgd<ConstantStep, Cyclic>{.epochs = 3,
                                                         .tolerance = 0,
                                                         .offset = false,
                                                         .step = {0.1},
                                                         .iterate = Iterate::average,
                                                         .average_from = 1,
                                                         .average_power = power}
                              .minimize(Objective{Squared{}, NoPenalty{}}, x, y);
    Vector<double> w = Vector<double>::Zero(4);
    Vector<double> mean = w;
    double total = 0;
    double t = 0;
    for (int epoch = 0; epoch < 3; ++epoch)
      for (Index i = 0; i < 60; ++i) {
        w -= 0.1 * (x.row(i).dot(w) - y[i]) * x.row(i).transpose();
        total += std::pow(++t, power);
        mean += (w - mean) * std::pow(t, power) / total;
      }
    REQUIRE((solution.weights - mean).norm() < 1e-12 * mean.norm());
  }
}

TEST_CASE("Sgd: in float too a weight decays by less than its last bit at a step", "[optimizers]") {
  const Matrix<float> x = Matrix<float>::Zero(1, 1);
  const auto solution =
      BasicSgd<ConstantStep>{
          .epochs = 100000, .tolerance = 0, .step = {1e-3}, .iterate = Iterate::last}
          .minimize(Objective{Squared{}, L2{1e-4}}, x, Vector<float>::Zero(1),
                    {.start_weights = Vector<float>::Ones(1)});
  REQUIRE_THAT(solution.weights[0], WithinRel(std::exp(-0.01F), 1e-6F));
}

TEST_CASE("Sgd: an average that never began is called what it is", "[optimizers]") {
  const auto x = synthetic::features(50, 3, 1);
  const auto y = synthetic::signs(x, 2);
  const auto solution = Sgd{.iterate = Iterate::average}.minimize(
      Objective{Log{}, L2{0.1}}, x, y, [](const Progress&) { return Control::stop; });
  REQUIRE(solution.epochs == 1);
  REQUIRE(solution.iterate == Iterate::last);
}

TEST_CASE("Sgd: a derivative of the wrong sign never converges", "[optimizers]") {
  struct WrongSign : Squared {
    double derivative(double score, double target) const { return target - score; }
  };
  const auto x = synthetic::features(100, 3, 1);
  const auto solution =
      Sgd{}.minimize(Objective{WrongSign{}, L2{0.1}}, x, synthetic::numbers(x, 2));
  REQUIRE(solution.status != Status::converged);
}

TEST_CASE("Sgd: a batch may be as large as an index can be", "[optimizers]") {
  const auto x = synthetic::features(30, 2, 1);
  const auto y = synthetic::numbers(x, 2);
  const Objective objective{Squared{}, L2{0.1}};
  const auto all = Sgd{.epochs = 5, .batch = 30}.minimize(objective, x, y);
  const auto more =
      Sgd{.epochs = 5, .batch = std::numeric_limits<Index>::max()}.minimize(objective, x, y);
  REQUIRE(more.weights == all.weights);
  REQUIRE(more.updates == 5);
}

TEMPLATE_TEST_CASE("Descent: a sample of weight 0 is not felt, however large its entries",
                   "[optimizers]", Sgd, Pegasos, GradientDescent) {
  const Index n = 200;
  Matrix<double> x(n + 3, 3);
  x << synthetic::features(n, 3, 1), Matrix<double>::Constant(3, 3, 1e300);
  x(n + 1, 1) = -1e300;
  const Matrix<double> present = x.topRows(n);
  const auto check = [&](const auto& loss, const Vector<double>& given) {
    Vector<double> y(n + 3);
    y << given, -1, 1, -1;
    Vector<double> weights = Vector<double>::Ones(n + 3);
    weights.tail(3).setZero();
    const Objective objective{loss, L2{0.1}};
    TestType optimizer{};
    optimizer.epochs = 300;
    const double without = optimizer.minimize(objective, present, given).objective;
    for (const Index batch : {Index{1}, Index{16}}) {
      if constexpr (requires { optimizer.batch; }) optimizer.batch = batch;
      const auto s = optimizer.minimize(objective, x, y, weights);
      CHECK(s.status != Status::diverged);
      CHECK_THAT(s.objective, WithinRel(without, 0.01));
      const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor> columns = x;
      CHECK_THAT(optimizer.minimize(objective, columns, y, weights).objective,
                 WithinRel(without, 0.01));
    }
  };
  check(Squared{}, synthetic::numbers(present, 2));
  check(Log{}, synthetic::signs(present, 2));
}

TEST_CASE("Sgd: takes any lambda, 0 and however large", "[optimizers]") {
  const auto x = synthetic::features(100, 3, 1);
  const auto y = synthetic::signs(x, 2);
  for (const double lambda : {5e7, 1e100}) {
    const auto s = Sgd{}.minimize(Objective{Hinge{}, L2{lambda}}, x, y);
    const double positive = (y.array() > 0).cast<double>().mean();
    CHECK_THAT(s.objective, WithinRel(2 * std::min(positive, 1 - positive), 1e-3));  // of w = 0
  }
  CHECK(Sgd{.epochs = 20}.minimize(Objective{Log{}, L2{0}}, x, y).status != Status::diverged);
}

}  // namespace sgd_test
