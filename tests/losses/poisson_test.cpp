// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/check/loss.hpp>
#include <linea/losses/poisson.hpp>

#include "losses/all_losses.hpp"
#include "support/catch.hpp"
#include "support/golden_losses.hpp"

using namespace linea;
using namespace linea::test;

static_assert(CurvedLoss<Poisson> && !SmoothLoss<Poisson> &&
              CurvedLoss<Composed<Poisson, Exponential>> &&
              !SmoothLoss<Composed<Poisson, Exponential>> &&
              ConjugateLoss<Composed<Poisson, Exponential>>);

TEST_CASE("Poisson: golden values, 0 where the mean is the target", "[losses]") {
  const Poisson loss;
  check_golden(loss, {{1, 3, 1.2958368660043291, -2},
                      {2.999, 3, 1.6670371296539606e-07, -0.00033344448149379456},
                      {1e-9, 0.5, 9.515059329193233, -499999998.99999994},
                      {1000.5, 1000, 0.00012495834895208594, 0.0004997501249375312},
                      {7, 0, 7, 1},
                      {30, 7, 12.812989371752106, 0.7666666666666667},
                      {0.25, 2, 2.408883083359672, -7}});
  CHECK(loss.second_derivative(2.0, 3.0) == 0.75);
  for (const double y : {0.0, 1e-12, 0.3, 1.0, 7.0, 1e6}) {
    CHECK(loss.value(y, y) == 0);
    CHECK(loss.derivative(y, y) == (y > 0 ? 0 : 1));
    CHECK(loss.value(0.0, y) == (y > 0 ? infinity : 0));
    CHECK(loss.derivative(-0.0, y) == (y > 0 ? -infinity : 1));
    CHECK(loss.value(-1e-300, y) == infinity);
    CHECK(loss.derivative(-2.0, y) == -infinity);
    CHECK(loss.second_derivative(-2.0, y) == 0);
    CHECK(loss.value(infinity, y) == infinity);
    CHECK(loss.derivative(infinity, y) == 1);
  }
}

TEST_CASE("Poisson of exponential: golden values and limits, least at the logarithm of the target",
          "[losses]") {
  const Composed loss{Poisson{}, Exponential{}};
  check_golden(loss, {{1, 3, 0.014118694463374309, -0.28171817154095474},
                      {1.0986, 3, 2.2651611800303129e-10, -3.68657778128933e-05},
                      {-20, 0.5, 9.153426411781181, -0.49999999793884636},
                      {6.9, 1000, 0.029994587162926283, -7.72528439497377},
                      {7, 0, 1096.6331584284585, 1096.6331584284585},
                      {-30, 7, 216.62137104338728, -6.999999999999907},
                      {3.5, 2, 25.501746319812206, 31.115451958692315}});
  CHECK(loss.second_derivative(0.0, 5.0) == 1);
  for (const double y : {0.25, 1.0, 7.0, 1e6}) {
    CHECK_THAT(loss.value(std::log(y), y), WithinAbs(0, 1e-15 * y));
    CHECK(loss.derivative(-1000.0, y) == -y);
    CHECK(loss.value(-infinity, y) == infinity);
    CHECK(loss.value(infinity, y) == infinity);
    CHECK(loss.derivative(1000.0, y) == infinity);
  }
  CHECK(loss.value(-infinity, 0.0) == 0);
  CHECK(loss.derivative(-1000.0, 0.0) == 0);
  // exp(85 − ln 0.001) is more than a float can be, exp(85) is not.
  CHECK_THAT(loss.value(85.0F, 1e-3F), WithinRel(std::exp(85.0F), 1e-6F));
}

TEST_CASE("Poisson of exponential: its conjugate, infinite where no mean has that slope",
          "[losses]") {
  const Composed loss{Poisson{}, Exponential{}};
  struct Known {
    double slope, target, conjugate;
  };
  // mpmath with 50 digits: c ln c - c + y - y ln y, c = y + u.
  for (const auto& [slope, target, conjugate] : {Known{-1, 3, -0.909542504884438455},
                                                 {2.5, 0, -0.209273170314612337},
                                                 {-0.5, 0.5, 0.846573590279972655},
                                                 {1e-6, 1000, 6.90775527948213674e-6},
                                                 {300, 7, 1444.52088746588233},
                                                 {-1e-3, 1, 5.00166750050033378e-7}}) {
    CAPTURE(slope, target);
    CHECK_THAT(loss.conjugate(slope, target),
               WithinAbs(conjugate, 4e-16 * (std::abs(conjugate) + std::abs(slope))));
  }
  for (const double y : {0.0, 0.25, 7.0, 1e6}) {
    CHECK(loss.conjugate(0.0, y) == 0);
    CHECK(loss.conjugate(std::nextafter(-y, -infinity), y) == infinity);
    CHECK(std::isfinite(loss.conjugate(-y, y)));
  }
}

TEST_CASE("Poisson: never below 0, in double and in float, close to the target too", "[losses]") {
  const Poisson loss;
  for (const double y : {0.3, 1.0, 7.0, 1000.0})
    for (int k = -400; k <= 400; ++k) {
      const double off = 1 + k * 1e-17 * std::pow(1.1, std::abs(k));
      CAPTURE(y, off);
      CHECK(loss.value(y * off, y) >= 0);
      CHECK(Composed{loss, Exponential{}}.value(std::log(y) + off - 1, y) >= 0);
      const auto narrow = static_cast<float>(y);
      CHECK(loss.value(narrow * static_cast<float>(off), narrow) >= 0);
      CHECK(Composed{loss, Exponential{}}.value(std::log(narrow) + static_cast<float>(off - 1),
                                                narrow) >= 0);
    }
}
