// SPDX-License-Identifier: MIT
/// \file The best point of two processes of which one is imagined. Real ones are tested in tests/mpi.
#include <linea/losses/hinge.hpp>
#include <linea/losses/log.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/dual/shared_best.hpp>
#include <linea/penalties/l2.hpp>

#include "support/catch.hpp"
#include "support/echo.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using test::Echo;

namespace {

/// Moves a point towards three others, which overshoot. What it says of F is F where it has come to, which is on the
/// way to the other one, and F is no less anywhere on that way.
template <class L>
void moves_to_the_least(const L& loss, bool has_offset, const Vector<double>& sample_weights) {
  const auto x = synthetic::features(40, 3, 1);
  const auto y = synthetic::signs(x, 2, 1.0);
  const Objective objective{loss, L2{0.3}};
  const auto f = [&](const Vector<double>& w, double b) {
    return objective_value(objective, x, y, w, b, sample_weights);
  };
  Echo echo;
  const auto set = samples::admit("test", loss, x, y, sample_weights, Processes(echo));
  dual::SharedBest shared(loss, set, 0.3, has_offset);
  Point<double> best{Vector<double>::Zero(3), 0};
  int moves = 0;
  for (int round = 0; round < 3; ++round) {
    Vector<double> w = best.weights;  // far beyond the minimum of F down the hill
    for (Index j = 0; j < 3; ++j) {
      const Vector<double> e = 1e-6 * Vector<double>::Unit(3, j);
      w[j] -= 1e7 * (f(best.weights + e, best.offset) - f(best.weights - e, best.offset));
    }
    const Point<double> before = best;
    shared.improve(best, Point<double>{w, 0}, 0);
    CHECK_THAT(best.objective, WithinRel(f(best.weights, best.offset), 1e-13));
    const Vector<double> way = w - before.weights;
    const double at = way.dot(best.weights - before.weights) / way.squaredNorm();
    CHECK(at >= 0);
    CHECK(at <= 1);
    moves += at > 0.002 && at < 0.998;  // the grid has 1/1024
    CHECK((before.weights + at * way - best.weights).norm() < 1e-14);
    if (!has_offset) {
      CHECK(best.offset == 0);
      // The way is searched to 1/1024 of it.
      for (int k = 0; k <= 100; ++k) {
        const Vector<double> there = before.weights + 0.01 * k * way;
        CHECK(best.objective <= f(there, 0) * (1 + 2e-4));
      }
    }
    CHECK(best.objective <= f(before.weights, before.offset) * (1 + 1e-14));
    // The other point counts with the offset that is best for its weights.
    if (has_offset)
      for (const double b : {-1.0, -0.3, -0.1, 0.0, 0.1, 0.3, 1.0})
        CHECK(best.objective <= f(w, b) * (1 + 1e-9));
  }
  CHECK(moves == 3);
}

}  // namespace

TEST_CASE("SharedBest: moves to where F is least on the way to an iterate", "[optimizers]") {
  const Vector<double> weights = Vector<double>::LinSpaced(40, 0, 2);  // one of them 0
  for (const bool has_offset : {false, true}) {
    moves_to_the_least(Log{}, has_offset, {});
    moves_to_the_least(Log{}, has_offset, weights);
    moves_to_the_least(Hinge{}, has_offset, {});
  }
}

TEST_CASE("SharedBest: what it says of F is F after it began where F is huge", "[optimizers]") {
  const auto x = synthetic::features(40, 3, 1);
  const auto y = synthetic::signs(x, 2, 1.0);
  Echo echo;
  const auto set = samples::admit("test", Log{}, x, y, {}, Processes(echo));
  dual::SharedBest shared(Log{}, set, 0.3, true);
  Point<double> best{Vector<double>::Constant(3, 1e12), 0};
  const Vector<double> w = Vector<double>::LinSpaced(3, -0.1, 0.1);
  shared.improve(best, Point<double>{w, 0}, 0);
  CHECK(best.weights == w);
  const double f = objective_value(Objective{Log{}, L2{0.3}}, x, y, best.weights, best.offset);
  CHECK_THAT(best.objective, WithinRel(f, 1e-13));
}
