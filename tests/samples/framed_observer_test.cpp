// SPDX-License-Identifier: MIT
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
#include <linea/samples/framed_observer.hpp>

#include "support/catch.hpp"
#include "support/same_bits.hpp"
#include "support/synthetic.hpp"

namespace framed_observer_test {

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

}  // namespace framed_observer_test
