// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <linea/losses.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/svm_quadratic_program.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "losses/all_losses.hpp"
#include "support/catch.hpp"
#include "support/dual_claims.hpp"
#include "support/problems.hpp"
#include "support/synthetic.hpp"

namespace dual_coordinate_ascent_test {

using namespace linea;
using namespace linea::test;
using synthetic::Problem;
using synthetic::problem_for;
using synthetic::takes_signs;

namespace {

const double infinity = std::numeric_limits<double>::infinity();
constexpr double epsilon = std::numeric_limits<double>::epsilon();

}  // namespace

TEST_CASE("DualCoordinateAscent: its results are correct for every loss", "[optimizers]") {
  test::for_each_loss([](const auto& loss, const std::vector<double>&) {
    for (const bool weighted : {false, true})
      for (const bool offset : {false, true})
        for (const double lambda : {1e-6, 1e-2, 1.0, 1e3}) {
          const auto p = problem_for(loss, 40, 4, 5, weighted);
          CAPTURE(loss.name, weighted, offset, lambda);
          // For losses with kinks, dual variables move to the ends of their domain even if slopes
          // are tiny.
          const double tolerance = SmoothLoss<std::remove_cvref_t<decltype(loss)>> ? 1e-10 : 1e-5;
          DualCoordinateAscent optimizer{.epochs = 4000, .tolerance = tolerance, .offset = offset};
          if (lambda < 1e-2) optimizer.epochs = 200;
          const auto s = optimizer.minimize(Objective{loss, L2{lambda}}, p.x, p.y,
                                            {.sample_weights = p.weights});
          check_claims(s, loss, p, lambda, offset);
          if (lambda >= 1e-2) CHECK(s.status == Status::converged);
          if (s.status == Status::converged) CHECK(*s.gap <= tolerance * s.objective + 1e-13);
          CHECK(s.iterate == Iterate::best);
        }
  });
}

TEST_CASE("DualCoordinateAscent: computes in double for samples of floats", "[optimizers]") {
  const Matrix<float> x = synthetic::features<float>(80, 5, 31);
  const Vector<float> y = synthetic::signs(x, 32);
  const Problem p{x.cast<double>(), y.cast<double>()};
  const Objective objective{Log{}, L2{0.01}};
  const DualCoordinateAscent optimizer{.tolerance = 1e-9};
  const auto s = optimizer.minimize(objective, x, y);
  const auto in_doubles = optimizer.minimize(objective, p.x, p.y);
  CHECK(s.status == Status::converged);
  CHECK(s.multipliers == in_doubles.multipliers);
  CHECK(s.weights == in_doubles.weights.cast<float>());
  check_claims(s, Log{}, p, 0.01, true);
  // The run is not converged if rounding the weights makes them less accurate than the tolerance.
  const auto sharp = DualCoordinateAscent{.tolerance = 1e-15}.minimize(objective, x, y);
  CHECK(sharp.status != Status::converged);
  CHECK(*sharp.gap > 1e-15 * sharp.objective);
}

TEST_CASE("DualCoordinateAscent: continues from start_multipliers", "[optimizers]") {
  const auto check = [](const auto& loss) {
    const auto p = problem_for(loss, 50, 4, 81, true);
    for (const bool offset : {false, true}) {
      CAPTURE(loss.name, offset);
      const auto solved = [&](double tolerance, double lambda, const Extras<double>& extras) {
        const DualCoordinateAscent optimizer{
            .epochs = 20000, .tolerance = tolerance, .offset = offset};
        const auto s = optimizer.minimize(Objective{loss, L2{lambda}}, p.x, p.y, extras);
        CHECK(s.status == Status::converged);
        check_claims(s, loss, {p.x, p.y, extras.sample_weights}, lambda, offset);
        return s;
      };
      Extras<double> extras{.sample_weights = p.weights};
      extras.start_multipliers = solved(1e-9, 0.05, extras).multipliers;
      CHECK(solved(1e-6, 0.05, extras).epochs <= 1);
      extras.sample_weights.resize(0);
      (void)solved(1e-8, 0.5, extras);
    }
  };
  check(Hinge{});
  check(Log{});
  check(EpsilonInsensitive{});
}

TEST_CASE("DualCoordinateAscent: the result does not depend on shrinking", "[optimizers]") {
  // Dual variables at 0 become inactive. From a start with all of them at their upper bound, they
  // must become active again.
  auto p = problem_for(Hinge{}, 200, 2, 91);
  const Objective objective{Hinge{}, L2{1e-3}};
  const DualCoordinateAscent optimizer{.epochs = 20000, .tolerance = 1e-8};
  const auto s = optimizer.minimize(objective, p.x, p.y);
  const auto exact = SvmQuadraticProgram{}.minimize(objective, p.x, p.y);
  CHECK(s.status == Status::converged);
  CHECK(s.updates < 200 * s.epochs);  // some dual variables were inactive
  CHECK_THAT(s.objective, WithinRel(exact.objective, 2e-8));
  Vector<double> all = p.y;  // all at the bound 1, in the sign of y
  const auto far = optimizer.minimize(objective, p.x, p.y, {.start_multipliers = all});
  CHECK(far.status == Status::converged);
  CHECK_THAT(far.objective, WithinRel(exact.objective, 2e-8));
}

TEST_CASE("DualCoordinateAscent: the gap falls", "[optimizers]") {
  const auto p = problem_for(Log{}, 60, 4, 101);
  std::vector<double> gaps;
  const auto solved = [&](const DualCoordinateAscent& ascent) {
    gaps.clear();
    const auto s = ascent.minimize(Objective{Log{}, L2{1e-3}}, p.x, p.y,
                                   [&](const Progress& news) { gaps.push_back(news.gap()); });
    check_claims(s, Log{}, p, 1e-3, true);
    return s;
  };
  const auto none = solved({.epochs = 0});
  CHECK(none.status == Status::epoch_limit);
  CHECK(none.epochs == 0);
  CHECK(none.weights.isZero(0));
  const auto most = solved({.epochs = 50, .tolerance = 0});
  CHECK((most.epochs == 50 || *most.gap <= epsilon));
  CHECK(solved({.tolerance = 1e-8}).status == Status::converged);
  CHECK(std::is_sorted(gaps.rbegin(), gaps.rend()));
  CHECK(gaps.front() > 1e3 * gaps.back());
}

TEST_CASE("DualCoordinateAscent: ends when only rounding remains", "[optimizers]") {
  // Epochs cannot decrease the gap that Newton's method leaves. Without a check the run would make
  // 10,000 of them.
  const auto x = synthetic::features(300, 20, 7);
  const auto y = synthetic::signs(x, 8);
  for (const bool offset : {true, false}) {
    const auto hinge = DualCoordinateAscent{.tolerance = 0, .offset = offset}.minimize(
        Objective{Hinge{}, L2{1e-4}}, x, y);
    const auto absolute = DualCoordinateAscent{.tolerance = 0, .offset = offset}.minimize(
        Objective{Absolute{}, L2{1e-4}}, x, Vector<double>(y + 0.3 * x.col(1)));
    for (const auto& solution : {hinge, absolute}) {
      CHECK(solution.epochs < 10000);
      CHECK((solution.status == Status::precision_limit || solution.status == Status::converged));
      CHECK(*solution.gap <= 1e-13 * solution.objective);
    }
  }
}

TEST_CASE("DualCoordinateAscent: refuses an invalid start, and lambda = 0", "[optimizers]") {
  const auto p = problem_for(Hinge{}, 10, 2, 121);
  const auto refused = [&](double lambda, const Extras<double>& extras, const char* words) {
    CHECK_THROWS_WITH(
        DualCoordinateAscent{}.minimize(Objective{Hinge{}, L2{lambda}}, p.x, p.y, extras),
        ContainsSubstring(words));
  };
  refused(0.1, {.start_multipliers = Vector<double>::Zero(9)}, "9 start multipliers but y has 10");
  for (const double bad : {infinity, 1.5, -0.1}) {
    Vector<double> start = Vector<double>::Zero(10);
    start[7] = bad * p.y[7];
    refused(0.1, {.start_multipliers = start}, "start multiplier 7 is ");
  }
  refused(0, {},
          "lambda = 0, but the dual method needs lambda > 0: pass L2{lambda} with lambda > 0, or "
          "NoPenalty{} to Auto");
  refused(0.1, {.start_weights = p.x.row(0)}, "start it at start_multipliers, not at weights");
}

namespace {

/// Returns F at a solution, computed from the definition in long double.
template <class L, class T>
double exact_objective(const L& loss, const Solution<T>& s, const Problem& p, double lambda) {
  long double losses = 0;
  for (Index i = 0; i < p.y.size(); ++i) {
    long double score = static_cast<long double>(s.offset);
    for (Index j = 0; j < p.x.cols(); ++j)
      score += static_cast<long double>(s.weights[j]) * p.x(i, j);
    losses += loss.value(score, static_cast<long double>(p.y[i]));
  }
  long double squares = 0;
  for (const auto w : s.weights) squares += static_cast<long double>(w) * w;
  return static_cast<double>(losses / static_cast<long double>(p.y.size()) + lambda / 2 * squares);
}

}  // namespace

TEST_CASE("DualCoordinateAscent: targets of large mean", "[optimizers]") {
  const auto try_out = [](const auto& loss, double mean) {
    CAPTURE(loss.name, mean);
    Problem p = problem_for(loss, 80, 3, 5);
    p.y *= 10;
    const Objective objective{loss, L2{1e-3}};
    p.y.array() += mean;
    const Vector<double> moved = p.y.array() - mean;  // the subtraction is exact
    const auto near = DualCoordinateAscent{.tolerance = 1e-7}.minimize(objective, p.x, moved);
    const auto far = DualCoordinateAscent{.tolerance = 1e-6}.minimize(objective, p.x, p.y);
    CHECK(far.status == Status::converged);
    CHECK(far.updates > 0);
    const double rounding = 1e-15 * std::abs(mean);  // the rounding of the offset
    CHECK_THAT(far.objective, WithinAbs(near.objective, 3e-6 * near.objective + rounding));
    // The reference has the rounding of long double, 5e-20.
    CHECK_THAT(far.objective,
               WithinAbs(exact_objective(loss, far, p, 1e-3), 1e-10 + 1e-18 * std::abs(mean)));
    CHECK((far.weights - near.weights).norm() < 1e-2 * near.weights.norm());
    CHECK_THAT(far.offset - mean, WithinAbs(near.offset, 1e-2 + rounding));
    CHECK(*far.gap >= far.objective - near.objective - 1e-12 - rounding);
  };
  for (const double mean : {1e8, 1.6e9, -1e12}) {
    try_out(Squared{}, mean);
    try_out(Absolute{}, mean);
    try_out(Huber{}, mean);
    try_out(EpsilonInsensitive{}, mean);
    try_out(Quantile{0.3}, mean);
  }
}

TEST_CASE("DualCoordinateAscent: numbers that overflow are not reported as a minimum",
          "[optimizers]") {
  for_each_loss([](const auto& loss, const std::vector<double>&) {
    for (const double scale : {1e155, 1e300})
      for (const bool targets : {false, true}) {
        if (targets && takes_signs<std::decay_t<decltype(loss)>>) continue;
        CAPTURE(loss.name, scale, targets);
        Problem p = problem_for(loss, 40, 3, 7);
        targets ? void(p.y *= scale) : void(p.x *= scale);
        const auto s =
            DualCoordinateAscent{.epochs = 50}.minimize(Objective{loss, L2{1e-3}}, p.x, p.y);
        CHECK(s.weights.allFinite());
        CHECK(std::isfinite(s.offset));
        if (s.status == Status::converged) {
          CHECK(std::isfinite(s.objective));
          CHECK(*s.gap <= 1e-4 * s.objective);
        }
      }
  });
  // Weights of 1e40 overflow in float.
  const Matrix<float> tiny = Vector<float>{{1e-38F, 2e-38F, 3e-38F, 5e-38F}};
  const auto s = DualCoordinateAscent{}.minimize(Objective{Squared{}, L2{1e-90}}, tiny,
                                                 Vector<double>{{10, 20, 30, 50}});
  CHECK(s.weights.allFinite());
  CHECK(s.status != Status::converged);
  CHECK(std::isfinite(s.objective));
}

TEST_CASE("DualCoordinateAscent: columns far from 0", "[optimizers]") {
  const auto try_out = [](const auto& loss) {
    for (const double mean : {100.0, 2000.0, 1e6, 1e9}) {
      CAPTURE(loss.name, mean);
      Problem p = problem_for(loss, 120, 3, 21);
      p.x.col(0).array() += mean;
      p.x.col(2).array() -= mean / 2;
      Matrix<double> moved = p.x;
      moved.col(0).array() -= mean;  // the subtraction is exact
      moved.col(2).array() += mean / 2;
      const Objective objective{loss, L2{1e-3}};
      const DualCoordinateAscent ascent{.tolerance = 1e-6};
      const auto near = ascent.minimize(objective, moved, p.y);
      REQUIRE(near.status == Status::converged);
      for (const auto& far : {ascent.minimize(objective, p.x, p.y),
                              ascent.minimize(objective, synthetic::sparse(p.x), p.y)}) {
        CHECK(far.status == Status::converged);
        CHECK(far.epochs <= 2 * near.epochs + 16);  // rows are centred implicitly
        CHECK_THAT(far.objective, WithinAbs(near.objective, 3e-6 * near.objective + 1e-15 * mean));
        CHECK_THAT(far.objective,
                   WithinAbs(exact_objective(loss, far, p, 1e-3), 1e-10 + 1e-17 * mean));
      }
    }
  };
  try_out(Hinge{});
  try_out(Log{});
  try_out(Absolute{});
}

}  // namespace dual_coordinate_ascent_test
