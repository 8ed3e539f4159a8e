// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <linea/optimizers/numerics/grids.hpp>

#include "support/catch.hpp"

using namespace linea;

namespace grids_test {

/// Asks for one point after the other, and counts.
template <class F>
struct Asked {
  F f;
  int* times;
  void operator()(const double* points, double* values, Index count) const {
    ++*times;
    for (Index k = 0; k < count; ++k) values[k] = f(points[k]);
  }
};
template <class F>
Asked(F, int*) -> Asked<F>;  // clang 14 asks for it

TEST_CASE("falling_root_on_grids: near roots and far ones, of curves and of steps",
          "[optimizers]") {
  for (const double root : {0.0, 3e-4, -2e-3, 0.7, -41.0, 1e6}) {
    int times = 0;
    const auto curve = [&](double b) { return -std::tanh(b - root); };
    const double found = numerics::falling_root_on_grids(Asked{curve, &times}, 0, 1e-3, 1e-12);
    CHECK(std::abs(found - root) * std::abs(curve(found)) <= 1e-12);
    CHECK(times <= 15);
    times = 0;
    const auto step = [&](double b) { return b < root ? 0.5 : -0.25; };
    const double jump = numerics::falling_root_on_grids(Asked{step, &times}, 0, 1e-3, 1e-9);
    CHECK(std::abs(jump - root) <= 1e-8);
    CHECK(times <= 30);
  }
  int times = 0;
  const auto above = [](double) { return 1.0; };  // no root at all
  CHECK(numerics::falling_root_on_grids(Asked{above, &times}, 0, 1e-3, 0) > 1e9);
  CHECK(times == 30);
  const auto zero = [](double b) { return b == 0 ? 0.0 : -b; };
  times = 0;
  CHECK(numerics::falling_root_on_grids(Asked{zero, &times}, 0, 1e-3, 0) == 0);
  CHECK(times == 1);
}

TEST_CASE("least_on_grids: the least of a convex function from 0 to 1, and its value",
          "[optimizers]") {
  for (const double least : {-1.0, 0.0, 1e-3, 0.123, 0.25, 0.5, 0.61, 0.97, 1.0, 2.0})
    for (const bool has_kink : {false, true}) {
      const auto f = [&](double t) {
        return has_kink ? 2 + std::abs(t - least) : 2 + (t - least) * (t - least);
      };
      const double most = f(std::clamp(least, 0.0, 1.0));
      int times = 0;
      const auto found = numerics::least_on_grids(Asked{f, &times}, 0);
      CHECK(found.value == f(found.at));
      CHECK(std::abs(found.at - std::clamp(least, 0.0, 1.0)) <= 1.0 / 1024);
      CHECK(times == 5);
      times = 0;
      const auto rough = numerics::least_on_grids(Asked{f, &times}, 0.01);
      CHECK(rough.value <= most + 0.01);
      CHECK(rough.value == f(rough.at));
      if (least == 0.61 && !has_kink) CHECK(times == 2);
    }
}

}  // namespace grids_test
