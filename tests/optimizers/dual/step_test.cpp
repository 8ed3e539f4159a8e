// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <linea/losses.hpp>
#include <linea/optimizers/dual/step.hpp>
#include <type_traits>
#include <vector>

#include "losses/all_losses.hpp"
#include "support/catch.hpp"
#include "support/problems.hpp"

namespace step_test {

using namespace linea;
using synthetic::Problem;
using synthetic::problem_for;
using synthetic::takes_signs;

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// −ℓ*(−α) − α·p − q/2·(α − α₀)².
template <class L>
double dual_of_one(const L& loss, double a, double p, double y, double before, double q) {
  return -loss.conjugate(-a, y) - a * p - q / 2 * (a - before) * (a - before);
}

/// f(p, y, α₀, q) over scores, targets, multipliers in the domain, and curvatures of sixteen
/// decades.
template <class L, class F>
void for_each_step(const L& loss, const std::vector<double>& targets, const F& f) {
  for (const double y : targets)
    for (const double before : {-1.0, -0.7, -0.1, -1e-9, 0.0, 1e-12, 0.05, 0.5, 0.999, 1.0, 3.0})
      if (std::isfinite(loss.conjugate(-before, y)))
        for (const double p :
             {-1e3, -30.0, -2.0, -1.0, -0.3, 0.0, 0.4, 1 - 1e-9, 1.0, 1.3, 40.0, 1e3})
          for (const double q : {0.0, 1e-8, 1e-3, 0.3, 1.0, 4.0, 100.0, 1e5, 1e8})
            f(p, y, before, q);
}

}  // namespace

TEST_CASE("dual_step: stays in the domain and is a maximum, for every loss", "[optimizers]") {
  test::for_each_loss([](const auto& loss, const std::vector<double>& targets) {
    for_each_step(loss, targets, [&](double p, double y, double before, double q) {
      INFO(loss.name << " p " << p << " y " << y << " before " << before << " q " << q);
      const double a = dual::dual_step(loss, p, y, before, q);
      REQUIRE(std::isfinite(loss.conjugate(-a, y)));
      const double value = dual_of_one(loss, a, p, y, before, q);
      const double rounding =
          1e-13 * (std::abs(loss.conjugate(-a, y)) + std::abs(a * p) + std::abs(a * y) + a * a +
                   q * (std::abs(a) + std::abs(before)) * std::abs(a - before)) +
          1e-15 * (std::abs(p) + std::abs(y) + 1);
      REQUIRE(value >= dual_of_one(loss, before, p, y, before, q) - rounding);
      // What is left of the slope, a tenth of the step at most, is worth a hundredth of its square.
      constexpr bool exact = !CurvedLoss<std::remove_cvref_t<decltype(loss)>>;
      const double slack = rounding + (exact ? 0 : 0.01 * q * (a - before) * (a - before));
      for (const double size : {1e-9, 1e-6, 1e-4, 1e-2, 0.1, 1.0, 10.0})
        for (const double side : {-size, size})
          for (const double from : {a, before, 0.0})
            REQUIRE(value >= dual_of_one(loss, from + side, p, y, before, q) - slack);
    });
  });
}

TEST_CASE("dual_step: the closed forms of the kinked losses and of least squares", "[optimizers]") {
  const std::vector<double> signs{-1, 1};
  const std::vector<double> numbers{-3.7, 0, 0.1, 40};
  const auto check = [](const auto& loss, const std::vector<double>& targets, const auto& form) {
    for_each_step(loss, targets, [&](double p, double y, double before, double q) {
      if (q == 0) return;
      INFO(loss.name << " p " << p << " y " << y << " before " << before << " q " << q);
      CHECK_THAT(dual::dual_step(loss, p, y, before, q),
                 WithinAbs(form(p, y, before, q),
                           64 * epsilon *
                               (1 + std::abs(before) + (std::abs(p) + std::abs(y)) * (1 + 1 / q))));
    });
  };
  const auto soft = [](double v, double by) { return v > by ? v - by : (v < -by ? v + by : 0); };
  check(Hinge{}, signs, [](double p, double y, double a, double q) {
    return y * std::clamp(y * a + (1 - y * p) / q, 0.0, 1.0);
  });
  check(Squared{}, numbers,
        [](double p, double y, double a, double q) { return a + (y - p - a) / (1 + q); });
  check(Absolute{}, numbers, [](double p, double y, double a, double q) {
    return std::clamp(a + (y - p) / q, -1.0, 1.0);
  });
  check(EpsilonInsensitive{0.1}, numbers, [&](double p, double y, double a, double q) {
    return std::clamp(soft(q * a + y - p, 0.1) / q, -1.0, 1.0);
  });
  check(Quantile{0.9}, numbers, [](double p, double y, double a, double q) {
    return std::clamp(a + (y - p) / q, -0.1, 0.9);
  });
}

TEST_CASE("dual_step: the closed forms of the other smooth losses, to a tenth of the step",
          "[optimizers]") {
  const std::vector<double> signs{-1, 1};
  const auto check = [](const auto& loss, const std::vector<double>& targets, const auto& form) {
    for_each_step(loss, targets, [&](double p, double y, double before, double q) {
      INFO(loss.name << " p " << p << " y " << y << " before " << before << " q " << q);
      const double expected = form(p, y, before, q);
      CHECK_THAT(dual::dual_step(loss, p, y, before, q),
                 WithinAbs(expected,
                           0.12 * std::abs(expected - before) +
                               64 * epsilon * (1 + std::abs(p) + std::abs(y) + std::abs(before))));
    });
  };
  check(SquaredHinge{}, signs, [](double p, double y, double a, double q) {
    return y * std::max(0.0, y * a + (1 - y * p - y * a) / (q + 1));
  });
  check(SmoothHinge{0.5}, signs, [](double p, double y, double a, double q) {
    return y * std::clamp(y * a + (1 - y * p - 0.5 * y * a) / (q + 0.5), 0.0, 1.0);
  });
  check(Huber{0.3}, {-3.7, 0.1, 40}, [](double p, double y, double a, double q) {
    return std::clamp(a + (y - p - a) / (1 + q), -0.3, 0.3);
  });
  check(Log{}, signs, [](double p, double y, double a, double q) {
    double low = 0;
    double high = 1;
    for (int k = 0; k < 80; ++k) {
      const double c = (low + high) / 2;
      (-std::log(c / (1 - c)) - q * (c - y * a) - y * p > 0 ? low : high) = c;
    }
    return y * (low + high) / 2;
  });
}

}  // namespace step_test
