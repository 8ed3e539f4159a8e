// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <linea/check/loss.hpp>
#include <linea/losses/cross_entropy.hpp>

#include "losses/all_losses.hpp"
#include "support/catch.hpp"
#include "support/golden_losses.hpp"

using namespace linea;
using namespace linea::test;

static_assert(CurvedLoss<CrossEntropy> && !SmoothLoss<CrossEntropy> &&
              SmoothLoss<SigmoidCrossEntropy> && CurvedLoss<SigmoidCrossEntropy> &&
              ConjugateLoss<SigmoidCrossEntropy>);

TEST_CASE("SigmoidCrossEntropy: Log with targets 0 and 1", "[losses]") {
  const SigmoidCrossEntropy loss;
  CHECK(loss.curvature_bound() == Log{}.curvature_bound());
  const auto compare = [&](auto p) {
    using T = decltype(p);
    const T rounding = 2 * std::numeric_limits<T>::epsilon();
    for (const T y : {T(0), T(1)}) {
      const T sign = 2 * y - 1;
      CAPTURE(p, y);
      CHECK_THAT(loss.value(p, y), WithinRel(Log{}.value(p, sign), rounding));
      CHECK_THAT(loss.derivative(p, y), WithinRel(Log{}.derivative(p, sign), rounding));
      CHECK_THAT(loss.second_derivative(p, y),
                 WithinRel(Log{}.second_derivative(p, sign), rounding));
      CHECK(loss.value(p, y) >= 0);
    }
  };
  for (double p = -45; p < 45; p += 0.271) {
    compare(p);
    compare(static_cast<float>(p));
  }
  for (const double p : {-1e300, -1000.0, -740.0, -1e-300, 0.0, 740.0, 1000.0, 1e300}) compare(p);
  for (const double p : {-infinity, infinity})
    for (const double y : {0.0, 1.0}) {
      CHECK(loss.value(p, y) == Log{}.value(p, 2 * y - 1));
      CHECK(loss.derivative(p, y) == Log{}.derivative(p, 2 * y - 1));
      CHECK(loss.second_derivative(p, y) == 0);
    }
  CHECK(loss.value(infinity, 0.5) == infinity);
}

TEST_CASE("SigmoidCrossEntropy: golden values, least where the sigmoid meets the target",
          "[losses]") {
  const SigmoidCrossEntropy loss;
  check_golden(loss, {{2.5, 0.25, 1.9538897342925496, 0.6741418199787564},
                      {-40, 0.25, 10, -0.25},
                      {40, 0.75, 10, 0.25},
                      {700, 0.5, 350, 0.5},
                      {-1.5, 1, 1.7014132779827524, -0.8175744761936437},
                      {-1.5, 0, 0.2014132779827524, 0.18242552380635635},
                      {50, 1, 1.9287498479639178e-22, -1.9287498479639178e-22},
                      {0.125, 0.0625, 0.7497865353171691, 0.46870937337375623}});
  CHECK_THAT(loss.derivative(std::log(3.0), 0.75), WithinAbs(0, 1e-16));
}

TEST_CASE("CrossEntropy: golden values, and infinite outside of 0 to 1", "[losses]") {
  const CrossEntropy loss;
  check_golden(loss, {{0.5, 0.25, 0.6931471805599453, 1},
                      {1e-12, 0.75, 20.723265836946663, -749999999999.75},
                      {0.999, 0.5, 3.45437788965786, 499.49949949949905},
                      {0.25, 1, 1.3862943611198906, -4},
                      {0.25, 0, 0.2876820724517809, 1.3333333333333333}});
  CHECK(loss.second_derivative(0.5, 0.25) == 4);
  CHECK(loss.second_derivative(0.25, 1.0) == 16);
  CHECK(loss.value(1e-300, 0.0) == 1e-300);
  for (const double y : {0.0, 0.5, 1.0}) {
    for (const double q : {-1e-300, -2.0, 1 + epsilon, 5.0}) {
      CHECK(loss.value(q, y) == infinity);
      CHECK(loss.derivative(q, y) == (q < 0 ? -infinity : infinity));
      CHECK(loss.second_derivative(q, y) == 0);
    }
    CHECK(loss.second_derivative(0.0, y) == (y > 0 ? 0 : 1));
    CHECK(loss.second_derivative(1.0, y) == (y < 1 ? 0 : 1));
    CHECK(loss.value(y, y) == (y == 0.5 ? std::log(2.0) : 0));
    CHECK(loss.value(0.0, y) == (y > 0 ? infinity : 0));
    CHECK(loss.value(1.0, y) == (y < 1 ? infinity : 0));
    CHECK(loss.derivative(0.0, y) == (y > 0 ? -infinity : 1));
    CHECK(loss.derivative(-0.0, y) == (y > 0 ? -infinity : 1));
    CHECK(loss.derivative(1.0, y) == (y < 1 ? infinity : -1));
  }
}

TEST_CASE("Cross entropy of sigmoid: its conjugate is the entropy, infinite beyond the ends",
          "[losses]") {
  const SigmoidCrossEntropy loss;
  struct Known {
    double slope, target, conjugate;
  };
  // mpmath with 50 digits: c ln c + (1 - c) ln(1 - c), c = y + u.
  for (const auto& [slope, target, conjugate] : {Known{0.25, 0.25, -0.693147180559945309},
                                                 {1e-9, 0, -2.17232658364464124e-8},
                                                 {-0.125, 1, -0.376770161256436786},
                                                 {0, 0.3, -0.610864302054893454}}) {
    CAPTURE(slope, target);
    CHECK_THAT(loss.conjugate(slope, target), WithinRel(conjugate, 4e-16));
  }
  for (const double y : {0.0, 0.25, 0.5, 1.0}) {
    CHECK(loss.conjugate(-y, y) == 0);
    CHECK(loss.conjugate(1 - y, y) == 0);
    CHECK(loss.conjugate(std::nextafter(-y, -infinity), y) == infinity);
    CHECK(loss.conjugate(std::nextafter(1 - y, infinity), y) == infinity);
  }
}
