// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <linea/optimizers/dual/step.hpp>
#include <type_traits>
#include <vector>

#include "losses/all_losses.hpp"
#include "support/catch.hpp"

using namespace linea;

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
