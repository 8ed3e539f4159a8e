// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <linea/activations.hpp>
#include <linea/losses.hpp>
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/penalties.hpp>
#include <linea/samples/frame.hpp>
#include <utility>

#include "support/catch.hpp"
#include "support/long_double_descent.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using namespace linea::test;

namespace {

/// Returns uniform numbers from `mean` to `mean` + 1, and signs that depend on them, with noise.
template <class T>
std::pair<Matrix<T>, Vector<T>> far_samples(double mean) {
  Random random(5);
  Matrix<T> x(200, 5);
  Vector<T> y(200);
  for (Index i = 0; i < 200; ++i) {
    double score = random.uniform() - 0.5;
    for (Index j = 0; j < 5; ++j) {
      const double part = random.uniform();
      x(i, j) = static_cast<T>(mean + part);
      score += static_cast<double>(j + 1) * (part - 0.5);
    }
    y[i] = score > 0 ? T(1) : T(-1);
  }
  return {x, y};
}

template <class F>
void for_all_three(const F& f) {
  f(Newton{});
  f(Lbfgs{});
  f(CoordinateDescent{});
}

/// Has the run reached its end? Without a penalty there is no bound, so that runs settle instead of
/// converging.
template <class S>
bool is_done(const S& solution, double lambda) {
  return solution.status == (lambda > 0 ? Status::converged : Status::settled);
}

}  // namespace

TEST_CASE("Target origin: the mean of targets far from 0, and 0 for all others", "[samples]") {
  const Matrix<double> x = Matrix<double>::Ones(4, 1);
  Vector<double> y{{1000, 1002, 998, 1000}};
  const auto origin = [&](const auto& loss, const Vector<double>& weights = {}) {
    return samples::target_origin(loss, samples::admit("test", loss, x, y, weights));
  };
  CHECK(origin(Squared{}) == 1000);
  CHECK(origin(Quantile{0.1}) == 1000);
  CHECK(origin(Composed<Squared, Tanh>{}) == 0);
  y[3] = 1e300;  // now the targets vary widely
  CHECK(origin(Absolute{}) == 0);
  const Vector<double> weights{{1, 1, 1, 0}};  // targets of positive weight do not vary widely
  CHECK_THAT(origin(Absolute{}, weights), WithinAbs(1000, 1e-9));
  y << 9, 10, 11, 10;
  CHECK(origin(Huber{}) == 10);
  y << 8, 10, 12, 10;
  CHECK(origin(Huber{}) == 0);
  y << 1, -1, 1, -1;
  CHECK(origin(Hinge{}) == 0);
}

TEST_CASE("Frame: converts to the last digit and back", "[optimizers]") {
  const auto [x, y] = far_samples<double>(1e6);
  auto set = samples::admit_in_double("test", Squared{}, x, y);
  set.y.array() += 1e9;
  const samples::Frame<> frame(Squared{}, set, true);
  REQUIRE(set.origin);
  CHECK(set.y.cwiseAbs().maxCoeff() < 3);
  const Vector<double> w{{0.1, -2, 3, 1e-3, 7}};
  Real shift = -static_cast<Real>(1e9 + y[0] - set.y[0]);
  for (Index j = 0; j < 5; ++j) shift += static_cast<Real>(w[j]) * (*set.origin)[j];
  CHECK_THAT(frame.enter(w, 1.25), WithinRel(static_cast<double>(shift + 1.25L), 1e-15));
  // The accuracy of b is 1e-7.
  CHECK_THAT(frame.enter(w, frame.leave(w, 0.3)), WithinAbs(0.3, 1e-7));
  const samples::Frame<> still(Squared{}, set = samples::admit_in_double("test", Squared{}, x, y),
                               false);
  CHECK(still.enter(w, 0.3) == 0.3);
  CHECK_FALSE(set.origin);
}

TEST_CASE("Frame: a scaled one multiplies weights, and divides them again", "[optimizers]") {
  const Vector<double> mean{{1e6, -3, 0}};
  const Vector<double> scale{{4, 0.5, 1e-310}};
  const samples::Frame<> frame(mean, scale);
  CHECK(frame.is_moved());
  CHECK(frame.scales(3));
  CHECK_FALSE(frame.scales(2));
  const Vector<double> w{{0.25, 8, 0}};
  Vector<double> theta;
  frame.enter(w, 0.5, true, theta);
  CHECK(theta == Vector<double>{{1, 4, 0, 0.5 + 0.25e6 - 24}});
  Vector<double> back;
  double b = 0;
  frame.leave(theta, true, back, b);
  CHECK(back == w);
  CHECK(b == 0.5);
  // A number that overflows becomes the largest double. NaN stays NaN.
  theta[2] = -1;
  frame.leave(theta, true, back, b);
  CHECK(back[2] == -std::numeric_limits<double>::max());
  Vector<float> narrow;
  float offset = 0;
  samples::Frame<>(Vector<double>::Zero(3), Vector<double>{{1e-30, 1, 1}})
      .leave(Vector<double>{{1e30, 2, 1e39, 0}}, true, narrow, offset);
  CHECK(narrow[0] == std::numeric_limits<float>::max());
  theta[2] = std::numeric_limits<double>::infinity();
  frame.leave(theta, true, back, b);
  CHECK(std::isinf(back[2]));
  CHECK_FALSE(samples::Frame<>().scales(0));
}

TEST_CASE("Newton, Lbfgs and CoordinateDescent: a large constant added to all columns",
          "[optimizers]") {
  const auto check = [](const auto& samples, double lambda, bool is_solved) {
    const auto& [x, y] = samples;
    HardProblem exact{.family = Family::smooth_classes, .loss = LossKind::log, .l2 = lambda};
    exact.x = x.template cast<double>();
    exact.y = y.template cast<double>();
    const RealPoint constant = best_constant(exact);
    const auto least = static_cast<double>(minimum_from(exact, constant));
    for_all_three([&, &x = x, &y = y](const auto& optimizer) {
      const auto solution = optimizer.minimize(Objective{Log{}, L2{lambda}}, x, y);
      const auto value = static_cast<double>(point_of(exact, solution).value);
      CAPTURE(solution.optimizer, name_of(solution.status), lambda, value, least);
      // F is as accurate as the reference; the scores of the reference lose digits of 10¹².
      CHECK_THAT(solution.objective, WithinRel(value, is_solved ? 1e-11 : 1e-4));
      CHECK(value <= static_cast<double>(constant.value) * (1 + 1e-6));
      if (solution.gap) CHECK(*solution.gap >= value - least - 1e-4 * (is_solved ? 0 : value));
      if (is_solved) CHECK(is_done(solution, lambda));
      if (is_done(solution, lambda))
        CHECK(value - least <= 1e-6 * value + (is_solved ? 0 : 1e-6));
      else
        CHECK(solution.status == Status::precision_limit);
    });
  };
  for (const double lambda : {0.0, 1e-3}) {
    check(far_samples<double>(300), lambda, true);
    check(far_samples<double>(1e6), lambda, true);
    check(far_samples<double>(1e12), lambda, false);
    check(far_samples<float>(1e5), lambda, false);
    check(far_samples<float>(1e7), lambda, false);
  }
}

TEST_CASE("Newton, Lbfgs and CoordinateDescent: targets far from 0", "[optimizers]") {
  const auto x = synthetic::features(100, 4, 51);
  const Vector<double> residuals = synthetic::numbers(x, 52, 1.0);
  const Objective objective{Huber{0.5}, L2{1e-3}};
  for (const double mean : {1e8, -2e9})
    for_all_three([&](auto optimizer) {
      const Vector<double> y = residuals.array() + mean, kept = y.array() - mean;
      optimizer.tolerance = 1e-8;
      const auto far = optimizer.minimize(objective, x, y);
      const auto near = optimizer.minimize(objective, x, kept);
      CAPTURE(far.optimizer, mean);
      CHECK(far.status == Status::converged);
      CHECK(far.updates > 0);
      CHECK_THAT(far.objective, WithinRel(near.objective, 1e-8));
      CHECK((far.weights - near.weights).norm() < 1e-3 * near.weights.norm());
      // The start refers to the original targets.
      const auto again = optimizer.minimize(
          objective, x, y, {.start_weights = far.weights, .start_offset = far.offset});
      CHECK(again.updates <= 1);
    });
}
