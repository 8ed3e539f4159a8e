// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/losses.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/svm_quadratic_program.hpp>
#include <type_traits>
#include <vector>

#include "losses/all_losses.hpp"
#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/dual_claims.hpp"
#include "support/problems.hpp"
#include "support/synthetic.hpp"

namespace dual_coordinate_ascent_test {

using namespace linea;
using namespace linea::test;
using synthetic::Problem;
using synthetic::problem_for;
using synthetic::takes_signs;

TEST_CASE("DualCoordinateAscent: its results are correct for every loss", "[optimizers]") {
  test::for_each_loss([](const auto& loss, const std::vector<double>&) {
    for (const bool weighted : {false, true})
      for (const bool offset : {false, true})
        for (const double lambda : {1e-6, 1e-2, 1.0, 1e3}) {
          const auto p = problem_for(loss, 40, 4, 5, weighted);
          CAPTURE(loss.name, weighted, offset, lambda);
          // Losses with kinks get a larger tolerance: their dual variables must move to the ends of
          // their domain even if slopes are tiny.
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

TEST_CASE("DualCoordinateAscent: ends when only rounding remains", "[optimizers]") {
  // Epochs cannot decrease the gap that Newton's method leaves. Without a check, the run would make
  // 10,000 epochs.
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

TEST_CASE("DualCoordinateAscent: a gap of the largest numbers is not reported as a minimum",
          "[optimizers]") {
  for_each_loss([](const auto& loss, const std::vector<double>&) {
    for (const double scale : {1e100, 1e149})
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
  // The best weight, 1e39, overflows in float.
  const Matrix<float> tiny = Vector<float>{{1e-38F, 2e-38F, 3e-38F, 5e-38F}};
  const auto s = DualCoordinateAscent{}.minimize(Objective{Squared{}, L2{1e-90}}, tiny,
                                                 Vector<double>{{10, 20, 30, 50}});
  CHECK(s.weights.allFinite());
  CHECK(s.status != Status::converged);
  CHECK(std::isfinite(s.objective));
}

}  // namespace dual_coordinate_ascent_test
