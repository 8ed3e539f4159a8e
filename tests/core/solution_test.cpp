// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <linea/core/solution.hpp>

#include "support/catch.hpp"
#include "support/constants.hpp"

using namespace linea;
using test::infinity;
constexpr double nan_ = test::not_a_number;

TEMPLATE_TEST_CASE("Solution: only a finite gap bounds the distance from the minimum", "[core]",
                   Solution<double>, Solution<float>,
                   (Solution<double, Matrix<double>, Vector<double>>)) {
  TestType solution;
  solution.objective = 2;
  REQUIRE(solution.gap <= 1e-6 * solution.objective);  // an empty optional is less than any number
  for (const double tolerance : {1e-6, infinity}) CHECK_FALSE(solution.is_proven(tolerance));
  struct Row {
    double objective, gap, tolerance;
    bool proven;
  };
  for (const Row& row :
       {Row{2, 1e-3, 5e-4, true}, Row{2, 1e-3, 4e-4, false}, Row{2, 1e-3, nan_, false},
        Row{2, 1e-3, -1, false}, Row{-2, 1e-3, 5e-4, true},  // F may be negative
        Row{-2, infinity, 1, false}, Row{-2, -infinity, 1, false}, Row{-2, nan_, 1, false},
        Row{-2, 0, 0, true}, Row{0, 0, 0, true}, Row{infinity, 0, 1, false},
        Row{-infinity, 0, 1, false}, Row{nan_, 0, 1, false}}) {
    CAPTURE(row.objective, row.gap, row.tolerance);
    solution.objective = row.objective;
    solution.gap = row.gap;
    CHECK(solution.is_proven(row.tolerance) == row.proven);
  }
}

TEST_CASE("Certificate: gap, relative gap and proves", "[core]") {
  struct Row {
    Certificate certificate;
    double gap, relative_gap;
  };
  for (const auto& [c, gap, relative_gap] :
       {Row{{2, 1.5}, 0.5, 0.25}, Row{{1, 1 + 1e-15}, 0, 0}, Row{{0, 0}, 0, 0},
        Row{{0, -1}, 1, infinity}, Row{{1, -infinity}, infinity, infinity}}) {
    CAPTURE(c.primal, c.dual);
    CHECK(c.gap() == gap);
    CHECK(c.relative_gap() == relative_gap);
  }
  CHECK(Certificate{1, 0.5}.proves(0.5));
  CHECK_FALSE(Certificate{1, 0.5}.proves(0.4));
  CHECK(Certificate{0, -1e-17}.proves(0, 1e-16));
  CHECK_FALSE(Certificate{1, -infinity}.proves(1e300));
  for (const Certificate c :
       {Certificate{nan_, 0}, Certificate{0, nan_}, Certificate{nan_, nan_},
        Certificate{infinity, 0}, Certificate{infinity, infinity}, Certificate{infinity, -infinity},
        Certificate{1, infinity}, Certificate{-infinity, 0}, Certificate{-infinity, -infinity}}) {
    CAPTURE(c.primal, c.dual);
    CHECK((std::isnan(c.gap()) && std::isnan(c.relative_gap())));
    CHECK_FALSE(c.proves(1, 1e300));
  }
}
