// SPDX-License-Identifier: MIT
/// \file The last argument of optimizers and recipes (Extras, an observer or sample weights), and
/// the control of a run by observers.
#include <cmath>
#include <linea/core/extras.hpp>
#include <linea/core/observer.hpp>
#include <linea/losses.hpp>
#include <linea/models/classifiers.hpp>
#include <linea/models/regressors.hpp>
#include <linea/optimizers.hpp>
#include <linea/penalties.hpp>

#include "support/catch.hpp"

using namespace linea;

namespace {

struct Problem {
  Matrix<double> x{{1, 2}, {2, 1}, {-1, -2}, {-2, 0.5}, {0.5, -1}};
  Vector<double> y{{1, 1, -1, -1, 1}};
  Vector<double> s{{1, 2, 3, 0.5, 1}};
};

constexpr auto observer = [](const Progress&) {};
using X = Matrix<double>;
using Y = Vector<double>;

/// Can the optimizer be called with each kind of last argument?
template <class O, class L>
constexpr bool takes_all = requires(const O& o, const Objective<L, L2>& f, const X& x, const Y& y) {
  o.minimize(f, x, y);
  o.minimize(f, x, y, {});
  o.minimize(f, x, y, {.sample_weights = y});
  o.minimize(f, x, y, Extras<double>{});
  o.minimize(f, x, y, observer);
  o.minimize(f, x, y, y);
};
template <class O>
constexpr bool fits_all = requires(const O& o, const X& x, const Y& y) {
  o.fit(x, y);
  o.fit(x, y, {});
  o.fit(x, y, {.sample_weights = y});
  o.fit(x, y, Extras<double>{});
  o.fit(x, y, observer);
  o.fit(x, y, y);
};

// An observer returns nothing or a Control. The functions silent and in_control and Counter are
// observers; yes_or_no and of_nothing are not.
constexpr auto silent = [](const Progress&) {};
constexpr auto in_control = [](const Progress&) { return Control::stop; };
constexpr auto yes_or_no = [](const Progress&) { return true; };
constexpr auto of_nothing = [] {};
struct Counter {
  int calls{0};
  void operator()(const Progress&) { ++calls; }
};
static_assert(Observer<decltype(silent)> && Observer<decltype(in_control)>);
static_assert(Observer<Counter> && Observer<Counter&> && !Observer<const Counter>);
static_assert(!Observer<decltype(yes_or_no)> && !Observer<decltype(of_nothing)>);

}  // namespace

static_assert(takes_all<Sgd, Hinge> && takes_all<Pegasos, Hinge> && takes_all<Auto, Hinge>);
static_assert(takes_all<GradientDescent, Log> && takes_all<Newton, Log> && takes_all<Lbfgs, Log>);
static_assert(takes_all<DualCoordinateAscent, Hinge> && takes_all<CoordinateDescent, Log>);
static_assert(takes_all<SvmQuadraticProgram, Hinge> && takes_all<Ridge, Squared>);
static_assert(fits_all<Perceptron> && fits_all<MaximumMargin> && fits_all<RidgePath>);
static_assert(fits_all<LinearSvm> && fits_all<LogisticRegression> && fits_all<RidgeRegression> &&
              fits_all<LinearRegression> && fits_all<PerceptronClassifier>);
static_assert(!ExtrasFor<Extras<float>, double> && !ExtrasFor<int, double>);

TEST_CASE("Extras: an optimizer takes them, an observer, or a vector of weights", "[core]") {
  const auto [x, y, s] = Problem{};
  const auto goes_by = [&, &x = x, &y = y, &s = s](const auto& optimizer) {
    const Objective objective{Squared{}, L2{0.1}};
    const auto plain = optimizer.minimize(objective, x, y);
    CHECK(plain.optimizer == optimizer.name);
    const auto weighted = optimizer.minimize(objective, x, y, {.sample_weights = s});
    CHECK(weighted.weights != plain.weights);
    CHECK(optimizer.minimize(objective, x, y, s).weights == weighted.weights);
    CHECK(optimizer.minimize(objective, x, y, {}).weights == plain.weights);
    double last = -1;
    Index calls = 0;
    const auto watched = optimizer.minimize(objective, x, y, [&](const Progress& progress) {
      CHECK(progress.epoch == ++calls);
      last = progress.objective();
    });
    CHECK(watched.weights == plain.weights);
    CHECK(last == plain.objective);
  };
  goes_by(Sgd{.epochs = 3});
  goes_by(Ridge{});
  // The sample weights may have another scalar type than x.
  const Objective objective{Squared{}, L2{0.1}};
  CHECK(Ridge{}.minimize(objective, x.cast<float>().eval(), y.cast<float>(), s).objective > 0);
}

TEST_CASE("Extras: a closed form ignores a start", "[core]") {
  const Problem problem;
  const Extras<double> start{.start_weights = Eigen::Vector2d(1, 2), .start_offset = 3};
  const Objective objective{Squared{}, L2{0.1}};
  CHECK(Ridge{}.minimize(objective, problem.x, problem.y, start).weights ==
        Ridge{}.minimize(objective, problem.x, problem.y).weights);
}

TEST_CASE("Extras: a list converts to sample weights", "[core]") {
  const auto& extras = extras_of<float>(std::vector<int>{1, 2});
  CHECK(extras.sample_weights == Eigen::Vector2f(1, 2));
}

TEST_CASE("Observer: its return value controls the run", "[core]") {
  Progress progress;
  progress.epoch = 3;

  const auto stopping = observed_by<double>(in_control);
  REQUIRE(stopping.observer(progress) == Control::stop);
  REQUIRE(stopping.sample_weights.size() == 0);
  REQUIRE(stopping.start_weights.size() == 0);

  Index seen = 0;
  const auto watching = observed_by<float>([&seen](const Progress& p) { seen = p.epoch; });
  REQUIRE(watching.observer(progress) == Control::proceed);
  REQUIRE(seen == 3);

  Counter counter;  // a counter that lives outside the observer is passed by reference
  const auto counting = observed_by<double>(std::ref(counter));
  counting.observer(progress);
  counting.observer(progress);
  REQUIRE(counter.calls == 2);

  REQUIRE_FALSE(Extras<double>{}.observer);
}

TEST_CASE("Observer: a time limit stops a run after the current epoch", "[core]") {
  const Problem problem;
  const auto run = [&](double seconds) {
    return Sgd{.epochs = 7, .tolerance = 0}.minimize(Objective{Log{}, L2{0.1}}, problem.x,
                                                     problem.y, TimeLimit{seconds});
  };
  CHECK(run(0).status == Status::stopped);
  CHECK(run(0).epochs == 1);
  CHECK(run(1e6).epochs == 7);
  CHECK(TimeLimit{0.5, TimeLimit{0}.start - 1}(Progress{}) == Control::stop);
}

TEST_CASE("Progress: without a run its members throw", "[core]") {
  const Progress untold;
  for (const Index count : {untold.epoch, untold.updates, untold.restarts, untold.mistakes})
    CHECK(count == 0);
  CHECK(untold.change == 0);
  CHECK(untold.step_size == 0);
  CHECK(std::isnan(untold.objective()));
  CHECK(std::isnan(untold.gap()));
  CHECK(untold.iterates() == 0);
}
