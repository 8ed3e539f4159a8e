// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/core/types.hpp>
#include <linea/optimizers/numerics/line_search.hpp>

#include "support/catch.hpp"

using namespace linea;

TEST_CASE("search_line: ends where F has fallen enough and is flat enough", "[optimizers]") {
  const numerics::WolfeConditions strict{1e-4, 0.1};
  const auto search = [&](auto value, auto slope, double first) {
    Index points = 0;
    const numerics::LinePoint start{0, value(0.0), slope(0.0)};
    double last = -1;
    const auto end = numerics::search_line(start, first, strict, [&](double t) {
      ++points;
      last = t;
      return numerics::LinePoint{t, value(t), slope(t)};
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
  const auto none = numerics::search_line({0, 1, -1}, 1, {}, [](double t) {
    return numerics::LinePoint{t, 1 + t, -1};
  });
  CHECK(none.step == 0);
}
