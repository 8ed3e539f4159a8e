// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <linea/losses/log.hpp>

#include "support/catch.hpp"
#include "support/constants.hpp"

using namespace linea;
using namespace linea::test;

static_assert(SmoothLoss<Log> && CurvedLoss<Log> && ProximalLoss<Log> && ConjugateLoss<Log>);

namespace {

/// argmin over p of log(1 + exp(−yp)) + (p − v)²/(2s) by bisection in extended precision.
long double log_proximal(long double v, long double y, long double s) {
  long double low = y * v;
  long double high = low + s;
  for (int round = 0; round < 20000 && low < high; ++round) {
    const long double middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    (middle - y * v > s / (1 + std::exp(middle)) ? high : low) = middle;
  }
  return y * low;
}

template <class T>
void check_log_proximal() {
  // The proximal step moves no more than v does: a few roundings of v and of the answer.
  constexpr T rounding = 8 * std::numeric_limits<T>::epsilon();
  for (const T y : {T(-1), T(1)})
    for (const T v : {T(-1e4), T(-300), T(-30), T(-2), T(-0.5), T(0), T(1e-4), T(1), T(7), T(80)})
      for (const T s : {T(1e-6), T(1e-2), T(0.25), T(1), T(3), T(100), T(1e5), T(1e8), T(1e20)}) {
        const auto exact = static_cast<T>(log_proximal(v, y, s));
        const T answer = Log{}.proximal(v, y, s);
        INFO("v " << v << " y " << y << " s " << s);
        CHECK(std::abs(answer - exact) <= rounding * (std::abs(v) + std::abs(exact)));
      }
}

}  // namespace

TEST_CASE("Log: finite and right at scores of a thousand, in double and float", "[losses]") {
  const Log loss;
  CHECK(loss.value(0.0, 1.0) == std::log(2.0));
  CHECK(loss.value(-1000.0, 1.0) == 1000);
  CHECK(loss.value(1000.0, 1.0) == 0);
  CHECK(loss.value(1000.0F, -1.0F) == 1000);
  CHECK(loss.value(-1000.0F, -1.0F) == 0);
  CHECK(loss.derivative(-1000.0, 1.0) == -1);
  CHECK(loss.derivative(1000.0, -1.0) == 1);
  CHECK(loss.derivative(1000.0, 1.0) == 0);
  CHECK(loss.derivative(-1000.0F, 1.0F) == -1);
  CHECK(loss.derivative(1000.0F, 1.0F) == 0);
  CHECK(loss.second_derivative(0.0, -1.0) == 0.25);
  CHECK(loss.second_derivative(1000.0, 1.0) == 0);
  CHECK(loss.second_derivative(-1000.0F, 1.0F) == 0);
}

TEST_CASE("Log: accurate relative to its own size where log(1 + exp(−z)) is not", "[losses]") {
  const Log loss;
  constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
  constexpr float rounding_f = 4 * std::numeric_limits<float>::epsilon();
  for (const double z : {-20.0, -1.0, 1.0, 17.0, 30.0, 37.0, 200.0}) {
    const long double small = std::exp(-static_cast<long double>(z));
    CHECK_THAT(loss.value(z, 1.0), WithinRel(static_cast<double>(std::log1p(small)), rounding));
    CHECK_THAT(loss.derivative(-z, -1.0),
               WithinRel(static_cast<double>(small / (1 + small)), rounding));
    CHECK_THAT(loss.second_derivative(z, 1.0),
               WithinRel(static_cast<double>(small / (1 + small) / (1 + small)), rounding));
  }
  for (const float z : {-20.0F, -1.0F, 1.0F, 10.0F, 17.0F, 30.0F, 80.0F}) {
    const long double small = std::exp(-static_cast<long double>(z));
    CHECK_THAT(loss.value(z, 1.0F), WithinRel(static_cast<float>(std::log1p(small)), rounding_f));
    CHECK_THAT(loss.derivative(-z, -1.0F),
               WithinRel(static_cast<float>(small / (1 + small)), rounding_f));
  }
}

TEST_CASE("Log: the conjugate is the entropy, 0 at both ends and infinite beyond", "[losses]") {
  const Log loss;
  CHECK(loss.conjugate(0.0, 1.0) == 0);
  CHECK(loss.conjugate(-1.0, 1.0) == 0);
  CHECK(loss.conjugate(1.0, -1.0) == 0);
  CHECK_THAT(loss.conjugate(0.5, -1.0), WithinRel(-std::log(2.0), 1e-15));
  CHECK(loss.conjugate(0.1, 1.0) == infinity);
  CHECK(loss.conjugate(-1.1, 1.0) == infinity);
  CHECK_THAT(loss.conjugate(-1e-30, 1.0), WithinRel(1e-30 * (std::log(1e-30) - 1), 1e-14));
}

TEST_CASE("Log: the proximal step is exact to rounding for every step size", "[losses]") {
  check_log_proximal<double>();
  check_log_proximal<float>();
}

TEST_CASE("Log: the proximal step stays finite at the ends of the number range", "[losses]") {
  // Far out σ(−z) = exp(−z), so z + log(z + 3) = log(step).
  const double far = Log{}.proximal(-3.0, 1.0, 1e300);
  CHECK_THAT(far + std::log(far + 3), WithinRel(std::log(1e300), 1e-14));
  CHECK(Log{}.proximal(-1e300, 1.0, 1.0) == -1e300);
  CHECK(Log{}.proximal(1e300, 1.0, 1.0) == 1e300);
  CHECK(Log{}.proximal(2.0, 1.0, 1e-300) == 2);
  CHECK(std::isfinite(Log{}.proximal(-3.0F, 1.0F, 1e38F)));
  CHECK(std::isnan(Log{}.proximal(not_a_number, 1.0, 1.0)));
}
