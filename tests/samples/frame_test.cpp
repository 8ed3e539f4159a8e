// SPDX-License-Identifier: MIT
#include <linea/activations.hpp>
#include <linea/losses.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/samples/frame.hpp>

#include "support/catch.hpp"
#include "support/same_bits.hpp"
#include "support/synthetic.hpp"

namespace frame_test {

using namespace linea;

namespace {

/// Samples whose columns are thousands of deviations from 0, so that runs centre them.
template <class T>
struct FarAway {
  Matrix<T> x = (synthetic::features<double>(60, 3, 1).array() + 4000).matrix().template cast<T>();
  Vector<double> y = synthetic::signs<double>(x.template cast<double>().array() - 4000, 2);
};

const Objective objective{Log{}, L2{0.1}};

}  // namespace

TEST_CASE("Target origin: the mean of targets far from 0, and 0 for all others", "[samples]") {
  const Matrix<double> x = Matrix<double>::Ones(4, 1);
  Vector<double> y{{1000, 1002, 998, 1000}};
  const auto origin = [&](const auto& loss, const Vector<double>& weights = {}) {
    return detail::samples::target_origin(loss,
                                          detail::samples::admit("test", loss, x, y, weights));
  };
  CHECK(origin(Squared{}) == 1000);
  CHECK(origin(Quantile{0.1}) == 1000);
  CHECK(origin(Composed<Squared, Tanh>{}) == 0);
  y[3] = 1e150;  // now the targets vary widely
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
  const Matrix<double> x = synthetic::features(200, 5, 5).array() + 1e6;
  const auto y = synthetic::signs(synthetic::features(200, 5, 5), 6);
  auto set = detail::samples::admit_in_double("test", Squared{}, x, y);
  set.y.array() += 1e9;
  const detail::samples::Frame<> frame(Squared{}, set, true);
  REQUIRE(set.origin);
  CHECK(set.y.cwiseAbs().maxCoeff() < 3);
  const Vector<double> w{{0.1, -2, 3, 1e-3, 7}};
  long double shift = -(1e9L + y[0] - set.y[0]);
  for (Index j = 0; j < 5; ++j) shift += static_cast<long double>(w[j]) * (*set.origin)[j];
  CHECK_THAT(frame.enter(w, 1.25), WithinRel(static_cast<double>(shift + 1.25L), 1e-15));
  // frame.leave returns a number near 1e9, which is rounded to 1e-7.
  CHECK_THAT(frame.enter(w, frame.leave(w, 0.3)), WithinAbs(0.3, 1e-7));
  const detail::samples::Frame<> still(
      Squared{}, set = detail::samples::admit_in_double("test", Squared{}, x, y), false);
  CHECK(still.enter(w, 0.3) == 0.3);
  CHECK_FALSE(set.origin);
}

TEST_CASE("Frame: a scaled one multiplies weights, and divides them again", "[optimizers]") {
  const Vector<double> mean{{1e6, -3, 0}};
  const Vector<double> scale{{4, 0.5, 1e-310}};
  const detail::samples::Frame<> frame(mean, scale);
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
  // A finite weight that overflows becomes the largest number of its type, with its sign. An
  // infinite weight stays infinite.
  theta[2] = -1;
  frame.leave(theta, true, back, b);
  CHECK(back[2] == -std::numeric_limits<double>::max());
  Vector<float> narrow;
  float offset = 0;
  detail::samples::Frame<>(Vector<double>::Zero(3), Vector<double>{{1e-30, 1, 1}})
      .leave(Vector<double>{{1e30, 2, 1e39, 0}}, true, narrow, offset);
  CHECK(narrow[0] == std::numeric_limits<float>::max());
  theta[2] = std::numeric_limits<double>::infinity();
  frame.leave(theta, true, back, b);
  CHECK(std::isinf(back[2]));
  CHECK_FALSE(detail::samples::Frame<>().scales(0));
}

TEST_CASE("framed_observer: every optimizer passes iterates for the samples as they are stored",
          "[samples]") {
  const FarAway<double> p;
  Index calls = 0;
  const auto shown = [&](const Progress& progress) {
    REQUIRE(progress.iterates() == 1);
    const Point<double> point = progress.iterate();
    const double value = objective_value(objective, p.x, p.y, point.weights, point.offset);
    CHECK_THAT(value, WithinRel(progress.objective(), 1e-7));
    CHECK(point.objective == progress.objective());
    CHECK(std::abs(point.offset) > 100);  // the offset is about -4000 times the sum of the weights
    ++calls;
  };
  const auto run = [&](const auto& optimizer, const auto& y) {
    calls = 0;
    (void)optimizer.minimize(objective, p.x, y, shown);
    return calls;
  };
  CHECK(run(Sgd{.epochs = 5, .iterate = Iterate::average, .threads = 2}, p.y) == 5);
  CHECK(run(Pegasos{.epochs = 5}, p.y) == 5);
  CHECK(run(GradientDescent{.epochs = 5}, p.y) == 5);
  CHECK(run(DualCoordinateAscent{}, p.y) > 0);
  CHECK(run(Newton{}, p.y) > 0);
  CHECK(run(Lbfgs{}, p.y) > 0);
  CHECK(run(CoordinateDescent{}, p.y) > 0);
  Matrix<double> targets(60, 2);
  targets << p.y, p.y;
  CHECK(run(Sgd{.epochs = 5}, targets) == 10);
}

TEST_CASE("framed_observer: the last iterate is the solution, equally rounded", "[samples]") {
  const FarAway<float> p;
  Point<double> last;
  const auto run = [&](const auto& optimizer) {
    const auto solution = optimizer.minimize(
        objective, p.x, p.y, [&](const Progress& progress) { last = progress.iterate(); });
    CHECK(same_bits(Vector<double>(solution.weights.template cast<double>()), last.weights));
    CHECK(static_cast<double>(solution.offset) == last.offset);
  };
  run(Sgd{.epochs = 5, .iterate = Iterate::last});
  run(GradientDescent{.epochs = 5, .iterate = Iterate::last});
  run(DualCoordinateAscent{});
  run(Newton{});
  run(Lbfgs{});
  CHECK_FALSE(detail::samples::framed_observer(Extras<double>{}, detail::samples::Frame<double>{}));
}

}  // namespace frame_test
