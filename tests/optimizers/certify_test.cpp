// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <linea/losses.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/certify.hpp>
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "losses/all_losses.hpp"
#include "support/catch.hpp"
#include "support/problems.hpp"
#include "support/synthetic.hpp"

namespace certify_test {

using namespace linea;
using namespace linea::test;

namespace {

const auto x = synthetic::features(60, 4, 1, 0.8);
const auto signs = synthetic::signs(x, 2, 1.0);
const auto numbers = synthetic::numbers(x, 3, 1.0);

template <class L>
const Vector<double>& targets_for(const L&) {
  if constexpr (L::targets == std::string_view("-1 or +1"))
    return signs;
  else
    return numbers;
}

Solution<double> at(const Vector<double>& weights, double offset) {
  Solution<double> solution;
  solution.weights = weights;
  solution.offset = offset;
  return solution;
}

template <class L>
double risk(const L& loss, const Solution<double>& s, const Vector<double>& weights) {
  return empirical_risk(loss, (x * s.weights).array() + s.offset, targets_for(loss), weights);
}

}  // namespace

TEST_CASE("certify: no bound is above the minimum", "[optimizers]") {
  test::for_each_loss([](const auto& loss, const std::vector<double>&) {
    const auto& y = targets_for(loss);
    for (const auto& weights : {Vector<double>{}, synthetic::in_turn(60, 5)})
      for (const bool offset : {false, true})
        for (const double lambda : {1e-2, 1.0}) {
          CAPTURE(loss.name, weights.size(), offset, lambda);
          const Objective objective{loss, L2{lambda}};
          const DualCoordinateAscent ascent{.epochs = 4000, .tolerance = 1e-6, .offset = offset};
          const auto best = ascent.minimize(objective, x, y, {.sample_weights = weights});
          REQUIRE(best.certificate().relative_gap() < 1e-4);
          for (const Solution<double>& s : {at(Vector<double>::Zero(4), 0), Solution<double>(best),
                                            at(Vector<double>::Random(4), offset ? -0.7 : 0.0),
                                            at(100 * Vector<double>::Random(4), offset ? 30 : 0)}) {
            const double primal = risk(loss, s, weights) + lambda / 2 * s.weights.squaredNorm();
            double before = std::numeric_limits<double>::lowest();
            for (const Index epochs : {0, 1, 20}) {
              const auto proof =
                  certify(objective, s, x, y,
                          {.offset = offset, .sample_weights = weights, .epochs = epochs});
              CHECK_THAT(proof.primal, WithinAbs(primal, 1e-13 * (1 + primal)));
              CHECK(proof.dual <= best.objective + 1e-13);
              CHECK(proof.gap() >= proof.primal - best.objective - 1e-13);
              // At its maximum, D may fall by rounding.
              CHECK(proof.dual >= before - 1e-15 * std::abs(before));
              before = proof.dual;
            }
          }
        }
  });
}

TEST_CASE("certify: at the minimum the gap is 0, with kinks after some epochs", "[optimizers]") {
  test::for_each_loss([](const auto& loss, const std::vector<double>&) {
    constexpr bool is_smooth = SmoothLoss<std::remove_cvref_t<decltype(loss)>>;
    for (const bool offset : {false, true})
      for (const double lambda : {1e-2, 0.1, 1.0}) {
        if (!is_smooth && lambda < 0.1) continue;
        CAPTURE(loss.name, offset, lambda);
        const Objective objective{loss, L2{lambda}};
        const DualCoordinateAscent ascent{
            .epochs = 20000, .tolerance = is_smooth ? 1e-12 : 1e-9, .offset = offset};
        const auto best = ascent.minimize(objective, x, targets_for(loss));
        double before = 1;
        for (const Index epochs : {0, 20, 500}) {
          const auto proof =
              certify(objective, best, x, targets_for(loss), {.offset = offset, .epochs = epochs});
          CHECK_THAT(proof.primal, WithinAbs(best.objective, 1e-13 * best.objective + 1e-300));
          // certify takes the dual variables of the largest computed D, and returns D less a bound
          // on its rounding. Dual variables whose D differ by rounding alone may have bounds that
          // differ by some 1e-15.
          CHECK(proof.relative_gap() <= before + (is_smooth ? 1e-14 : 0));
          before = proof.relative_gap();
          if (is_smooth) CHECK(before < 1e-8);
        }
        CHECK(before < 1e-4);
      }
  });
}

TEST_CASE("certify: other penalties are bounded too", "[optimizers]") {
  // Checks that bounds from three points are not above F after a long run.
  const auto check = [](const auto& loss, const auto& penalty, double tight) {
    const auto& y = targets_for(loss);
    const Objective objective{loss, penalty};
    for (const bool offset : {false, true}) {
      CAPTURE(loss.name, penalty.name, offset);
      const Solution<double> best =
          Sgd{.epochs = 2000, .tolerance = 1e-9, .offset = offset}.minimize(objective, x, y);
      for (const auto& s :
           {best, at(Vector<double>::Zero(4), 0), at(Vector<double>::Random(4), 0)}) {
        const auto proof = certify(objective, s, x, y, {.offset = offset});
        CHECK_THAT(proof.primal, WithinAbs(risk(loss, s, {}) + penalty.value(s.weights), 1e-12));
        CHECK(proof.dual <= best.objective + 1e-13);
        CHECK(proof.dual >= 0);  // the dual at α = 0 is 0
      }
      CHECK(certify(objective, best, x, y, {.offset = offset}).relative_gap() < tight);
    }
  };
  // `tight` limits the relative gap. Without an L2 part, certify scales the dual variables until
  // they are feasible.
  check(Log{}, ElasticNet{0.01, 0.05}, 1e-2);
  check(Hinge{}, ElasticNet{0.01, 0.05}, 0.3);
  check(Log{}, L1{0.05}, 0.05);
  check(Squared{}, L1{0.1}, 0.1);
  check(Absolute{}, L1{0.05}, 0.6);
  check(Log{}, NoPenalty{}, 1.01);
  check(Hinge{}, NoPenalty{}, 1.01);
}

TEST_CASE("certify: at the minimum of an absolute penalty the gap is rounding", "[optimizers]") {
  const Objective objective{Log{}, L1{0.05}};
  for (const bool offset : {false, true}) {
    const CoordinateDescent optimizer{.tolerance = 1e-13, .offset = offset};
    const auto near = optimizer.minimize(objective, x, signs);
    // The first run ends once its dual variables prove the tolerance. The error of its weights is
    // about the square root of the tolerance; the second run makes another step from these weights.
    const auto solution = optimizer.minimize(
        objective, x, signs, {.start_weights = near.weights, .start_offset = near.offset});
    REQUIRE(solution.status == Status::converged);
    CHECK(certify(objective, solution, x, signs, {.offset = offset}).relative_gap() < 1e-12);
  }
  // w = 0 is the minimum if λ is above the largest derivative |∂/∂wⱼ| of the mean loss at the best
  // constant.
  const auto zero = at(Vector<double>::Zero(4), numbers.mean());
  CHECK(certify(Objective{Squared{}, L1{100}}, zero, x, numbers).relative_gap() < 1e-12);
}

TEST_CASE("certify: weights whose scores overflow give the bound 0", "[optimizers]") {
  const Matrix<double> large = 1e10 * x;
  const auto far = at(Vector<double>::Constant(4, 1e300), 0);
  for (const bool offset : {false, true}) {
    const CertifyOptions<double> options{.offset = offset, .epochs = 0};
    const auto squared = certify(Objective{Squared{}, L2{1}}, far, large, numbers, options);
    CHECK(squared.dual == 0);
    CHECK_FALSE(squared.primal < 1e300);
    CHECK(certify(Objective{SquaredHinge{}, L2{1}}, far, large, signs, options).dual == 0);
    // Dual coordinate ascent continues from the dual variables of the solution.
    const auto raised = certify(Objective{Hinge{}, L2{1}}, far, large, signs, {.offset = offset});
    CHECK(raised.dual >= 0);
    CHECK(raised.dual < 1);
  }
}

TEST_CASE("certify: proves the closed form for large targets and small λ", "[optimizers]") {
  // The offset is about 3e5, so the sum of the slopes is accurate only to 1e-8.
  Matrix<double> centred = x.rowwise() - x.colwise().mean();
  const Vector<double> prices = 1e5 * (numbers.array() + 3);
  for (const double lambda : {1.0, 1e-2, 1e-6}) {
    const Objective objective{Squared{}, L2{lambda}};
    const auto found = Ridge{}.minimize(objective, centred, prices);
    for (const Index epochs : {0, 20}) {
      CAPTURE(lambda, epochs);
      const auto proof = certify(objective, found, centred, prices, {.epochs = epochs});
      CHECK(proof.gap() <= 1e-9 * found.objective);
      CHECK(proof.dual <= found.objective * (1 + 1e-12));
    }
  }
}

TEST_CASE("certify: refuses an offset if it is fixed at 0, and epochs below 0", "[optimizers]") {
  const Objective objective{Hinge{}, L2{0.1}};
  const auto refused = [&](const Solution<double>& s, const CertifyOptions<double>& options,
                           const std::string& words) {
    CHECK_THROWS_WITH(certify(objective, s, x, signs, options), ContainsSubstring(words));
  };
  refused(at(Vector<double>::Zero(4), 1), {.offset = false}, "the offset is 1");
  refused(at(Vector<double>::Zero(4), 0), {.epochs = -2}, "-2 epochs");
  refused(at(Vector<double>::Zero(3), 0), {}, "3 weights for 4 features");
}

TEST_CASE("certify: a row of weight 0 has no effect, whatever its entries", "[optimizers]") {
  test::for_each_loss([](const auto& loss, const std::vector<double>&) {
    auto p = synthetic::problem_for(loss, 60, 4, 11, true);
    const Objective objective{loss, L2{0.1}};
    const auto s = at(Vector<double>::Constant(4, 0.3), 0.1);
    const auto without = certify(objective, s, p.x, p.y, {.sample_weights = p.weights});
    p.x.row(30).setConstant(1e150);
    const auto with = certify(objective, s, p.x, p.y, {.sample_weights = p.weights});
    CAPTURE(loss.name);
    CHECK(std::isfinite(with.gap()));
    CHECK(with.primal == without.primal);
    CHECK(with.dual == without.dual);
  });
}

}  // namespace certify_test
