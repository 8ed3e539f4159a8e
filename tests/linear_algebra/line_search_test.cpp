// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/core/types.hpp>
#include <linea/linear_algebra/line_search.hpp>

#include "losses/all_losses.hpp"
#include "support/catch.hpp"

using namespace linea;

TEST_CASE("search_line: ends where F has fallen enough and is flat enough", "[optimizers]") {
  const linear_algebra::WolfeConditions strict{1e-4, 0.1};
  const auto search = [&](auto value, auto slope, double first) {
    Index points = 0;
    const linear_algebra::LinePoint start{0, value(0.0), slope(0.0)};
    double last = -1;
    const auto end = linear_algebra::search_line(start, first, strict, [&](double t) {
      ++points;
      last = t;
      return linear_algebra::LinePoint{t, value(t), slope(t)};
    });
    CHECK(last == end.step);
    CHECK(strict.hold(start, end));
    CHECK(points <= 40);
  };
  for (const double first : {1e-6, 1.0, 1e6}) {
    search([](double t) { return (t - 3) * (t - 3); }, [](double t) { return 2 * (t - 3); }, first);
    search([](double t) { return std::exp(t) - 7 * t; }, [](double t) { return std::exp(t) - 7; },
           first);
    search([](double t) { return -std::log(5 - t) - 2 * t; },
           [](double t) { return 1 / (5 - t) - 2; }, first);
    search([](double t) { return std::cos(t + 0.1); }, [](double t) { return -std::sin(t + 0.1); },
           first);
  }
  // The slope lies: no point is lower.
  const auto none = linear_algebra::search_line({0, 1, -1}, 1, {}, [](double t) {
    return linear_algebra::LinePoint{t, 1 + t, -1};
  });
  CHECK(none.step == 0);
}

TEST_CASE("falling_root: finds where a falling function is 0, smooth or with a jump",
          "[optimizers]") {
  for (const double near : {-1e4, 0.0, 2.9, 1e3}) {
    CHECK_THAT(linear_algebra::falling_root([](double b) { return 3 - b; }, near, 1e-3, 0),
               WithinAbs(3, 1e-9));
    CHECK_THAT(
        linear_algebra::falling_root([](double b) { return b < 3 ? 5.0 : -1.0; }, near, 1e-3, 0),
        WithinAbs(3, 1e-6));
  }
  CHECK(linear_algebra::falling_root([](double) { return 0.0; }, 7, 1, 0) == 7);
  // No root but infinity: as far as `small` asks for, and no farther.
  const double far =
      linear_algebra::falling_root([](double b) { return std::exp(-b); }, 0, 1e-3, 1e-12);
  CHECK(far >= -std::log(1e-12));
  CHECK(far <= -2 * std::log(1e-12));
  const double back =
      linear_algebra::falling_root([](double b) { return -std::exp(b); }, 0, 1e-3, 1e-12);
  CHECK(back <= std::log(1e-12));
  CHECK(back >= 2 * std::log(1e-12));
}

TEST_CASE("falling_root: is the nearest there is where rounding hides the root", "[optimizers]") {
  // Next to 3e5 numbers lie 6e-11 apart, and f changes by 3.5e-8 from one to the next.
  const double at = 3e5 + 1e-5;
  const auto f = [&](double b) { return 600 * (at - b) + 6e-9; };
  for (const double near : {at, 2.9e5, 3.1e5}) {
    double last = 0;
    const double root = linear_algebra::falling_root(
        [&](double b) {
          last = b;
          return f(b);
        },
        near, 300, 6e-10);
    CHECK_THAT(root, WithinAbs(at, 1.2e-10));
    CHECK(last == root);
  }
}
