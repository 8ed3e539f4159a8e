// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/losses.hpp>
#include <linea/optimizers/dual/step.hpp>
#include <type_traits>
#include <vector>

#include "losses/all_losses.hpp"
#include "support/catch.hpp"

namespace step_test {

using namespace linea;

namespace {

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

}  // namespace step_test
