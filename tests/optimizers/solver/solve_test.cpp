// SPDX-License-Identifier: MIT
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/softmax_newton.hpp>
#include <linea/optimizers/solver/solve.hpp>
#include <linea/penalties.hpp>
#include <vector>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

namespace {

/// A method whose F is 2 at the start and 1/k after iteration k, with infimum 0. Its bound is −1/k,
/// or −∞ without `has_bound`, and costs a pass. Iterations after `stuck_after` make no progress.
class Harmonic : public solver::MethodBase {
 public:
  explicit Harmonic(Index stuck_after = 1000, bool has_bound = true)
      : stuck_after_(stuck_after), has_bound_(has_bound) {
    constant_.weights = Vector<double>::Zero(1);
    constant_.objective = 10;
  }

  bool iterate(double) { return ++k_ <= stuck_after_; }
  double value() const { return k_ == 0 ? 2 : 1 / static_cast<double>(k_); }
  Point<double> point() const { return {Vector<double>::Constant(1, value()), 0, value()}; }
  double value_at(const Point<double>& point) const {
    return point.weights[0] == 0 ? 10 : point.weights[0];
  }
  const Point<double>& constant() const { return constant_; }
  Index passes() const { return passes_; }
  double estimate() const { return has_bound_ ? value() : infinity; }
  double bound_here() {
    ++passes_;
    return has_bound_ ? -value() : -infinity;
  }
  double decrement() const { return has_bound_ ? infinity : value() * value(); }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  Index stuck_after_, k_{0}, passes_{0};
  bool has_bound_;
  Point<double> constant_{};
};

Solution<double> run(Harmonic method, const solver::Limits& limits,
                     const Extras<double>& extras = {}) {
  return solver::solve("Harmonic", method, limits, extras);
}

}  // namespace

TEST_CASE("solve: a run ends at its limit, when stuck, and when stopped", "[optimizers]") {
  const auto limited = run(Harmonic{}, {1e-3, 7});
  CHECK(limited.status == Status::epoch_limit);
  CHECK(limited.iterations == 7);
  CHECK(limited.objective == 1.0 / 7);
  CHECK(*limited.gap == 2.0 / 7);
  CHECK(limited.epochs == 1);  // the bound is evaluated once, at the end
  CHECK(limited.optimizer == "Harmonic");
  const auto stuck = run(Harmonic{4}, {1e-3, 100});
  CHECK(stuck.status == Status::precision_limit);
  CHECK(stuck.iterations == 4);
  Extras<double> extras;
  extras.observer = [](const Progress& progress) {
    CHECK(progress.objective() == 1 / static_cast<double>(progress.epoch));
    CHECK(progress.iterate().weights[0] == progress.objective());
    CHECK(progress.gap() <= 2 * progress.objective());
    return progress.epoch == 3 ? Control::stop : Control::proceed;
  };
  const auto stopped = run(Harmonic{}, {1e-3, 100}, extras);
  CHECK(stopped.status == Status::stopped);
  CHECK(stopped.iterations == 3);
  CHECK(run(Harmonic{}, {1e-3, 0}).objective == 2);
}

TEST_CASE("solve: without a bound a run settles without a gap", "[optimizers]") {
  const auto settled = run(Harmonic{1000, false}, {1e-2, 1000});
  CHECK(settled.status == Status::settled);
  CHECK(settled.iterations == 100);  // the decrement 1/k², relative to F, is 1/k
  CHECK_FALSE(settled.gap);
  CHECK_FALSE(settled.is_proven(1));
}

TEST_CASE("solve: an observer that evaluates everything changes no bit", "[optimizers]") {
  const auto x = synthetic::features(120, 6, 1);
  const auto y = synthetic::signs(x, 2, 1.0);
  Index calls = 0;
  const auto asks = [&](const Progress& progress) {
    ++calls;
    CHECK(progress.iterates() >= 1);
    const Point<double> point = progress.iterate(progress.iterates() - 1);
    CHECK(point.objective == progress.objective());
    CHECK_FALSE(progress.gap() < 0);
  };
  const auto same = [&](const auto& optimizer, const auto& objective, const auto& targets) {
    calls = 0;
    const auto alone = optimizer.minimize(objective, x, targets);
    const auto watched = optimizer.minimize(objective, x, targets, asks);
    CHECK(calls > 1);
    CHECK(alone.weights == watched.weights);
    CHECK(alone.offset == watched.offset);
    CHECK(alone.objective == watched.objective);
    CHECK(alone.status == watched.status);
    CHECK(alone.iterations == watched.iterations);
  };
  same(Newton{}, Objective{Log{}, L2{1e-3}}, y);
  same(Newton{}, Objective{Log{}, L2{0}}, y);
  same(Lbfgs{}, Objective{Log{}, L2{1e-3}}, y);
  same(CoordinateDescent{}, Objective{Log{}, L1{1e-2}}, y);
  same(DualCoordinateAscent{}, Objective{Hinge{}, L2{1e-3}}, y);
  same(DualCoordinateAscent{.tolerance = 1e-9}, Objective{Log{}, L2{1e-3}}, y);
  const Vector<double> classes = (y.array() + 1) / 2;
  same(SoftmaxNewton{}, L2{1e-3}, classes);
}

TEST_CASE("solve: a run that ends above the best constant returns the constant", "[optimizers]") {
  class Worse : public Harmonic {
   public:
    double value() const { return 100; }
    Point<double> point() const { return {Vector<double>::Constant(1, 100), 0, 100}; }
  };
  Worse worse;
  const auto answer = solver::solve("Worse", worse, {1e-3, 5}, Extras<double>{});
  CHECK(answer.objective == 10);
  CHECK(answer.weights[0] == 0);
  CHECK(answer.status == Status::epoch_limit);
  // A run that is cut short and has a given start returns its last point.
  Extras<double> extras;
  extras.start_weights = Vector<double>::Ones(1);
  CHECK(solver::solve("Worse", worse, {1e-3, 5}, extras).objective == 100);
}
