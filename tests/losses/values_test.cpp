// SPDX-License-Identifier: MIT
/// \file Values worked out by hand, the choices at kinks, and the log loss at its extremes.
#include <cmath>
#include <limits>
#include <linea/losses.hpp>

#include "support/catch.hpp"

using namespace linea;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

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

// These evaluate at compile time, and in float as in double.
static_assert(Hinge{}.value(0.25, 1.0) == 0.75 && Hinge{}.value(-2.0F, 1.0F) == 3.0F);
static_assert(Squared{}.derivative(3.0F, 1.0F) == 2.0F && Absolute{}.value(1.0, 3.0) == 2.0);
static_assert(Huber{.delta = 2}.value(5.0, 0.0) == 8.0 && Quantile{.level = 0.25}.is_valid());

TEST_CASE("Hinge: 1 − z below agreement 1, and a sample on the margin still pulls", "[losses]") {
  const Hinge hinge;
  CHECK(hinge.value(0.25, 1.0) == 0.75);
  CHECK(hinge.value(0.25, -1.0) == 1.25);
  CHECK(hinge.value(1.5, 1.0) == 0);
  CHECK(hinge.derivative(1.0, 1.0) == -1);
  CHECK(hinge.derivative(-1.0, -1.0) == 1);
  CHECK(hinge.derivative(std::nextafter(1.0, 2.0), 1.0) == 0);
  CHECK(hinge.derivative(-3.0F, 1.0F) == -1.0F);
  CHECK(hinge.proximal(-2.0, 1.0, 0.5) == -1.5);
  CHECK(hinge.proximal(0.75, 1.0, 0.5) == 1);
  CHECK(hinge.proximal(-4.0, -1.0, 0.5) == -4);
  CHECK(hinge.conjugate(-0.5, 1.0) == -0.5);
  CHECK(hinge.conjugate(0.5, 1.0) == infinity);
  CHECK(hinge.conjugate(-1.5, 1.0) == infinity);
}

TEST_CASE("SquaredHinge: carries the factor ½", "[losses]") {
  const SquaredHinge loss;
  CHECK(loss.value(-1.0, 1.0) == 2);
  CHECK(loss.value(2.0, -1.0) == 4.5);
  CHECK(loss.value(2.0, 1.0) == 0);
  CHECK(loss.derivative(-1.0, 1.0) == -2);
  CHECK(loss.derivative(2.0, -1.0) == 3);
  CHECK(loss.derivative(1.0, 1.0) == 0);
  CHECK(loss.second_derivative(0.5, 1.0) == 1);
  CHECK(loss.second_derivative(1.0, 1.0) == 0);
  CHECK(loss.proximal(-1.0, 1.0, 1.0) == 0);
  CHECK(loss.conjugate(-2.0, 1.0) == 0);
  CHECK(loss.conjugate(0.1, 1.0) == infinity);
}

TEST_CASE("SmoothHinge: a parabola of the given width between zero and the hinge", "[losses]") {
  const SmoothHinge loss{.width = 0.5};
  CHECK(loss.value(1.0, 1.0) == 0);
  CHECK(loss.value(0.75, 1.0) == 0.0625);
  CHECK(loss.value(0.5, 1.0) == 0.25);
  CHECK(loss.value(-1.0, 1.0) == 1.75);
  CHECK(loss.derivative(0.75, 1.0) == -0.5);
  CHECK(loss.derivative(-0.5, -1.0) == 1);
  CHECK(loss.derivative(2.0, 1.0) == 0);
  CHECK(loss.curvature_bound() == 2);
  CHECK(loss.second_derivative(0.75, 1.0) == 2);
  CHECK(loss.second_derivative(0.5, 1.0) == 0);
  CHECK(loss.second_derivative(1.0, 1.0) == 0);
  CHECK(SmoothHinge{}.value(0.0, 1.0) == 0.5);
}

TEST_CASE("PerceptronLoss: no margin, and score 0 is a mistake", "[losses]") {
  const PerceptronLoss loss;
  CHECK(loss.value(-2.0, 1.0) == 2);
  CHECK(loss.value(0.5, 1.0) == 0);
  CHECK(loss.derivative(0.0, 1.0) == -1);
  CHECK(loss.derivative(0.0, -1.0) == 1);
  CHECK(loss.derivative(-0.0, -1.0) == 1);
  CHECK(loss.derivative(1e-300, 1.0) == 0);
  CHECK(loss.proximal(-2.0, 1.0, 0.5) == -1.5);
  CHECK(loss.proximal(0.25, -1.0, 0.5) == 0);
  CHECK(loss.conjugate(-0.5, 1.0) == 0);
  CHECK(loss.conjugate(0.5, 1.0) == infinity);
}

TEST_CASE("ZeroOne: counts agreement at or below 0 as a mistake", "[losses]") {
  const ZeroOne loss;
  CHECK(loss.value(0.0, 1.0) == 1);
  CHECK(loss.value(0.0, -1.0) == 1);
  CHECK(loss.value(-3.0, 1.0) == 1);
  CHECK(loss.value(-3.0, -1.0) == 0);
  CHECK(loss.value(1e-300, 1.0) == 0);
}

TEST_CASE("Squared: carries the factor ½, and its derivative is the residual", "[losses]") {
  const Squared loss;
  CHECK(loss.value(3.0, 1.0) == 2);
  CHECK(loss.derivative(3.0, 1.0) == 2);
  CHECK(loss.derivative(-1.0, 1.0) == -2);
  CHECK(loss.second_derivative(7.0, 1.0) == 1);
  CHECK(loss.proximal(3.0, 1.0, 1.0) == 2);
  CHECK(loss.conjugate(2.0, 3.0) == 8);
}

TEST_CASE("Absolute: a sample that is met exactly does not pull", "[losses]") {
  const Absolute loss;
  CHECK(loss.value(3.0, 1.0) == 2);
  CHECK(loss.value(-3.0, 1.0) == 4);
  CHECK(loss.derivative(3.0, 1.0) == 1);
  CHECK(loss.derivative(0.0, 1.0) == -1);
  CHECK(loss.derivative(1.0, 1.0) == 0);
  CHECK(loss.proximal(3.0, 1.0, 0.5) == 2.5);
  CHECK(loss.proximal(0.9, 1.0, 0.5) == 1);
  CHECK(loss.conjugate(-1.0, 3.0) == -3);
  CHECK(loss.conjugate(1.5, 3.0) == infinity);
}

TEST_CASE("Huber: squared up to delta, straight beyond", "[losses]") {
  const Huber loss{.delta = 2};
  CHECK(loss.value(1.0, 0.0) == 0.5);
  CHECK(loss.value(2.0, 0.0) == 2);
  CHECK(loss.value(-5.0, 0.0) == 8);
  CHECK(loss.derivative(1.0, 0.0) == 1);
  CHECK(loss.derivative(-5.0, 0.0) == -2);
  CHECK(loss.second_derivative(1.0, 0.0) == 1);
  CHECK(loss.second_derivative(2.0, 0.0) == 0);
  CHECK(loss.conjugate(2.0, 1.0) == 4);
  CHECK(loss.conjugate(2.5, 1.0) == infinity);
  CHECK(Huber{}.value(3.0, 1.0) == 1.5);
}

TEST_CASE("EpsilonInsensitive: the tube and its edges are free", "[losses]") {
  const EpsilonInsensitive loss{.epsilon = 0.5};
  CHECK(loss.value(1.25, 1.0) == 0);
  CHECK(loss.value(3.0, 1.0) == 1.5);
  CHECK(loss.value(-1.0, 1.0) == 1.5);
  CHECK(loss.derivative(1.5, 1.0) == 0);
  CHECK(loss.derivative(0.5, 1.0) == 0);
  CHECK(loss.derivative(1.75, 1.0) == 1);
  CHECK(loss.derivative(0.25, 1.0) == -1);
  CHECK(loss.proximal(3.0, 1.0, 0.5) == 2.5);
  CHECK(loss.proximal(0.25, 1.0, 0.5) == 0.5);
  CHECK(loss.conjugate(-1.0, 3.0) == -2.5);
  CHECK(EpsilonInsensitive{}.epsilon == 0.1);
}

TEST_CASE("Quantile: overshooting costs 1 − level, falling short costs level", "[losses]") {
  const Quantile loss{.level = 0.75};
  CHECK(loss.value(0.0, 2.0) == 1.5);
  CHECK(loss.value(4.0, 2.0) == 0.5);
  CHECK(loss.derivative(0.0, 2.0) == -0.75);
  CHECK(loss.derivative(4.0, 2.0) == 0.25);
  CHECK(loss.derivative(2.0, 2.0) == 0);
  CHECK(loss.proximal(0.0, 2.0, 1.0) == 0.75);
  CHECK(loss.proximal(4.0, 2.0, 4.0) == 3);
  CHECK(loss.conjugate(-0.75, 2.0) == -1.5);
  CHECK(loss.conjugate(0.5, 2.0) == infinity);
  CHECK(Quantile{}.value(5.0, 2.0) == 1.5);
}

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

TEST_CASE("Losses for two classes take the targets −1 and +1 and no others", "[losses]") {
  const auto check = [](const auto& loss) {
    INFO(loss.name);
    CHECK(is_valid_target(loss, -1.0));
    CHECK(is_valid_target(loss, 1.0F));
    for (const double y : {0.0, 0.5, 2.0, -1.5, not_a_number, infinity})
      CHECK_FALSE(is_valid_target(loss, y));
    CHECK(targets_of(loss) == "-1 or +1");
  };
  check(Hinge{});
  check(SquaredHinge{});
  check(SmoothHinge{});
  check(Log{});
  check(PerceptronLoss{});
  check(ZeroOne{});
}

TEST_CASE("Losses for numbers take any finite target", "[losses]") {
  const auto check = [](const auto& loss) {
    INFO(loss.name);
    for (const double y : {0.0, -7.5, 1e300}) CHECK(is_valid_target(loss, y));
    for (const double y : {not_a_number, infinity, -infinity})
      CHECK_FALSE(is_valid_target(loss, y));
    CHECK(targets_of(loss) == "a finite number");
  };
  check(Squared{});
  check(Absolute{});
  check(Huber{});
  check(EpsilonInsensitive{});
  check(Quantile{});
}

TEST_CASE("Losses know which parameters are allowed", "[losses]") {
  CHECK(SmoothHinge{0.1}.is_valid());
  for (const double width : {0.0, -1.0, not_a_number, infinity})
    CHECK_FALSE(SmoothHinge{width}.is_valid());
  CHECK(Huber{0.1}.is_valid());
  for (const double delta : {0.0, -1.0, not_a_number, infinity})
    CHECK_FALSE(Huber{delta}.is_valid());
  CHECK(EpsilonInsensitive{0}.is_valid());
  for (const double epsilon : {-0.1, not_a_number, infinity})
    CHECK_FALSE(EpsilonInsensitive{epsilon}.is_valid());
  CHECK(Quantile{0.01}.is_valid());
  for (const double level : {0.0, 1.0, -0.5, not_a_number, infinity})
    CHECK_FALSE(Quantile{level}.is_valid());
}
