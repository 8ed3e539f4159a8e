// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <linea/core/random.hpp>
#include <linea/losses.hpp>
#include <linea/optimizers/dual/bound.hpp>
#include <linea/optimizers/dual/guess.hpp>
#include <linea/optimizers/dual/rounded_bound.hpp>
#include <linea/optimizers/dual/rule.hpp>
#include <linea/optimizers/dual/step.hpp>
#include <linea/penalties.hpp>
#include <type_traits>
#include <vector>

#include "losses/all_losses.hpp"
#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

// The conjugate Ω* of the penalty must be finite at the exact product scale·sum as well as at the
// rounded product, because a fused multiply-add does not round it.
TEST_CASE("largest_scale: the conjugate of the penalty is finite up to it", "[optimizers]") {
  const Vector<double> sums{{0.5, -4, 3}};
  CHECK(detail::dual::largest_scale(L1{5}, sums) == 1);
  CHECK(detail::dual::largest_scale(L1{0}, sums) == 0);
  CHECK(detail::dual::largest_scale(L2{1e-3}, sums) == 1);
  Random random(5);
  for (int k = 0; k < 2000; ++k) {
    const double lambda = 0.1 + random.uniform();
    const Vector<double> pull{{(1 + 9 * random.uniform()) * (k % 2 ? 1 : -1), 0.5}};
    CAPTURE(lambda, pull[0]);
    const double scale = detail::dual::largest_scale(L1{lambda}, pull);
    const long double farthest = std::abs(static_cast<long double>(scale) * pull[0]);
    CHECK(farthest <= lambda);
    if (lambda < std::abs(pull[0])) CHECK(farthest >= lambda * (1 - 2e-15L));
  }
}

TEST_CASE("Guess: its dual variables give its bound", "[optimizers]") {
  const auto x = synthetic::features(60, 4, 1, 0.8);
  const auto signs = synthetic::signs(x, 2, 1.0);
  const Objective objective{Hinge{}, L2{0.01}};
  const auto set = detail::samples::admit("test", Hinge{}, x, signs);
  const Vector<double> scores = x * Vector<double>::Constant(4, 0.25);
  for (const bool offset : {false, true}) {
    const detail::dual::Guess guess(objective, set, offset, scores, 0);
    const double dual = detail::dual::dual_of_losses(Hinge{}, set, guess.multipliers()) -
                        detail::dual::conjugate_of(
                            objective.penalty, detail::dual::dual_sum_of(set, guess.multipliers()));
    CHECK_THAT(guess.bound(), WithinAbs(dual, 1e-13));
    CHECK(dual > 0);
  }
}

TEST_CASE("dual_step: stays in the domain and is a maximum, for every loss", "[optimizers]") {
  test::for_each_loss([](const auto& loss, const std::vector<double>& targets) {
    const auto check = [&](double y, double before, double p, double q) {
      INFO(loss.name << " p " << p << " y " << y << " before " << before << " q " << q);
      const double a = detail::dual::dual_step(loss, p, y, before, q);
      REQUIRE(std::isfinite(loss.conjugate(-a, y)));
      const auto value = [&](double at) {
        return -loss.conjugate(-at, y) - at * p - q / 2 * (at - before) * (at - before);
      };
      const double rounding =
          1e-13 * (std::abs(loss.conjugate(-a, y)) + std::abs(a * p) + std::abs(a * y) + a * a +
                   q * (std::abs(a) + std::abs(before)) * std::abs(a - before)) +
          1e-15 * (std::abs(p) + std::abs(y) + 1);
      REQUIRE(value(a) >= value(before) - rounding);
      // For curved losses the maximum is approximate: the value may be lower by 0.01·q·(a −
      // before)².
      constexpr bool exact = !CurvedLoss<std::remove_cvref_t<decltype(loss)>>;
      const double slack = rounding + (exact ? 0 : 0.01 * q * (a - before) * (a - before));
      for (const double size : {1e-9, 1e-6, 1e-4, 1e-2, 0.1, 1.0, 10.0})
        for (const double from : {a, before, 0.0})
          REQUIRE(value(a) >= std::max(value(from - size), value(from + size)) - slack);
    };
    for (const double y : targets)
      for (const double before : {-1.0, -0.7, -0.1, -1e-9, 0.0, 1e-12, 0.05, 0.5, 0.999, 1.0, 3.0})
        for (const double p : {-1e3, -30.0, -2.0, -0.3, 0.0, 0.4, 1 - 1e-9, 1.0, 1.3, 40.0, 1e3})
          for (const double q : {0.0, 1e-8, 1e-3, 0.3, 1.0, 4.0, 100.0, 1e5, 1e8})
            if (std::isfinite(loss.conjugate(-before, y))) check(y, before, p, q);
  });
}

TEST_CASE(
    "RestingMultipliers: a visit without change doubles the wait, or quadruples it far from a "
    "change",
    "[optimizers]") {
  detail::dual::RestingMultipliers resting(5);
  for (const std::size_t absent : {4U, 2U, 4U}) resting.leave_out(absent);
  CHECK(resting.present() == 3);
  CHECK(resting.reach() == std::numeric_limits<double>::infinity());
  Sequence due;
  std::vector<int> near, far;
  for (int epoch = 0; epoch < 400; ++epoch) {
    resting.draw(due);
    for (const auto i : due) {
      if (i == 0) {  // this variable changes every time
        resting.note_move(i, 0.5 + epoch);
        continue;
      }
      resting.note_stay(i, i == 3);
      (i == 3 ? far : near).push_back(epoch);
    }
  }
  CHECK(near == std::vector<int>{0, 1, 3, 7, 15, 31, 63, 127, 191, 255, 319, 383});
  CHECK(far == std::vector<int>{0, 2, 10, 42, 106, 170, 234, 298, 362});
  CHECK(resting.reach() == 6 * (0.5 + 398));
  resting.wake();
  resting.draw(due);
  CHECK(due == Sequence{0, 1, 3});  // variables 2 and 4 are left out
}

namespace {

using Exact = long double;

/// Returns D for the hinge loss and an elastic net, computed from the definition in long double.
/// First balances the dual variables: scales down those of the sign whose sum is larger.
Exact exact_dual(const Matrix<double>& x, const Vector<double>& y, const Vector<double>& a,
                 double l1, double l2) {
  const Vector<Exact> above = a.cast<Exact>().cwiseMax(0), below = -a.cast<Exact>().cwiseMin(0);
  const Exact least = std::min(above.sum(), below.sum());
  Vector<Exact> balanced = above * (least / above.sum()) - below * (least / below.sum());
  balanced /= static_cast<Exact>(x.rows());
  const Vector<Exact> sums = x.cast<Exact>().transpose() * balanced;
  const Vector<Exact> beyond = (sums.array().abs() - Exact{l1}).max(0);
  return balanced.dot(y.cast<Exact>()) - beyond.squaredNorm() / (2 * Exact{l2});
}

}  // namespace

TEST_CASE("Rounded bound: is at most D in long double", "[optimizers]") {
  Random random(7);
  int naive_above = 0;
  for (int trial = 0; trial < 200; ++trial) {
    // Pairs of samples have opposite dual variables and are far from 0, so that the terms of Σᵢ
    // aᵢxᵢ cancel.
    Matrix<double> x(8, 3);
    Vector<double> y(8), a(8);
    for (Index i = 0; i < 8; ++i) {
      for (Index j = 0; j < 3; ++j) x(i, j) = 1e5 + synthetic::normal(random);
      y[i] = i % 2 == 0 ? 1 : -1;
      a[i] = i % 2 == 0 ? random.uniform() : -a[i - 1];
    }
    const double l1 = trial % 2 == 0 ? 0 : 1e-3;
    const double l2 = 1e-2;
    const auto set = detail::samples::admit_in_double("test", Hinge{}, x, y, Vector<double>{});
    const Objective objective{Hinge{}, ElasticNet{l1, l2}};
    const Exact exact = exact_dual(x, y, a, l1, l2);
    const double bound = detail::dual::rounded_bound(objective, set, a, true);
    const Exact rounding = 1e-16L * (1 + std::abs(exact));
    CHECK(static_cast<Exact>(bound) <= exact + rounding);
    // The sums are of the size of 1, with rounding errors of terms of 1e5. D contains their squares
    // divided by l2 = 1e-2.
    CHECK(static_cast<Exact>(bound) >= exact - 1e-6L * (1 + std::abs(exact)));
    const double naive =
        detail::dual::dual_of_losses(Hinge{}, set, a) -
        detail::dual::conjugate_of(objective.penalty, detail::dual::dual_sum_of(set, a));
    naive_above += static_cast<Exact>(naive) > exact + rounding;
    // The relative imbalance is from 1e-10 down to 1e-17, which is below the rounding error of a.
    const double excess = std::pow(10.0, -10 - trial % 8);
    a[0] *= 1 + excess;
    const Exact balanced = exact_dual(x, y, a, l1, l2);
    const double proven = detail::dual::rounded_bound(objective, set, a, true);
    CHECK(static_cast<Exact>(proven) <= balanced + 1e-16L * (1 + std::abs(balanced)));
    const Exact lost = 1e-6L + 1e8L * static_cast<Exact>(excess);
    CHECK(static_cast<Exact>(proven) >= balanced - lost * (1 + std::abs(balanced)));
  }
  CHECK(naive_above > 20);
}
