// SPDX-License-Identifier: MIT
/// \file Properties of all activations: those that check::activation tests, golden values, and
/// limits.
#include <cmath>
#include <initializer_list>
#include <limits>
#include <linea/activations.hpp>
#include <linea/check/activation.hpp>
#include <type_traits>
#include <vector>

#include "support/catch.hpp"
#include "support/constants.hpp"

using namespace linea;
using namespace linea::test;

static_assert(CurvedActivation<Identity> && CurvedActivation<Sigmoid> && CurvedActivation<Tanh> &&
              CurvedActivation<Exponential>);
static_assert(Activation<HardThreshold> && !DifferentiableActivation<HardThreshold>);
static_assert(Identity{}.value(2.5) == 2.5 && HardThreshold{}.value(-1.0F) == 0.0F);

namespace {

struct AtScore {
  double score, value, derivative, second_derivative;
};

/// Checks a value and the derivatives up to `roundings` relative rounding errors of T.
template <class T, class G>
void check_at(const G& activation, const AtScore& at, double roundings) {
  const auto p = static_cast<T>(at.score);
  const auto rounding = static_cast<T>(roundings) * std::numeric_limits<T>::epsilon();
  const auto near = [&](T a, double b) {
    return a == static_cast<T>(b) ||
           std::abs(a - static_cast<T>(b)) <= rounding * std::abs(static_cast<T>(b));
  };
  CAPTURE(activation.name, p);
  CHECK(near(activation.value(p), at.value));
  CHECK(near(activation.derivative(p), at.derivative));
  CHECK(near(activation.second_derivative(p), at.second_derivative));
}

template <class G>
void check_values(const G& activation, std::initializer_list<AtScore> table, double roundings = 8) {
  for (const AtScore& at : table) {
    check_at<double>(activation, at, roundings);
    if (std::abs(at.score) < 40 || std::abs(at.score) == 1000)
      check_at<float>(activation, at, roundings);
  }
}

}  // namespace

TEST_CASE("Activations: each has every property, and NaN scores give NaN", "[activations]") {
  const auto check = [](const auto& activation) {
    CAPTURE(activation.name);
    CHECK(check::activation(activation) == std::vector<check::Violation>{});
    CHECK(std::isnan(activation.value(not_a_number)));
    CHECK(std::isnan(activation.value(std::numeric_limits<float>::quiet_NaN())));
    CHECK(std::is_same_v<decltype(activation.value(1.0F)), float>);
    CHECK(name_of(activation) == activation.name);
  };
  check(Identity{});
  check(Sigmoid{});
  check(Tanh{});
  check(Exponential{});
  check(HardThreshold{});
}

// mpmath 1.3.0 computed the golden values (value, derivative, second derivative) with 50 digits,
// rounded to double. For Sigmoid they are s, s(1 - s), s(1 - s)(1 - 2s) with s = 1/(1 + exp(-p)).
// For Tanh they are tanh(p), sech(p)**2, -2 tanh(p) sech(p)**2.

TEST_CASE("Sigmoid: golden values, relative to their own size at both ends", "[activations]") {
  check_values(Sigmoid{},
               {{-700, 9.85967654375977e-305, 9.85967654375977e-305, 9.85967654375977e-305},
                {-40.5, 2.576757109154981e-18, 2.576757109154981e-18, 2.576757109154981e-18},
                {-2.25, 0.09534946489910949, 0.08625794444256298, 0.06980864675077199},
                {-0.125, 0.46879062662624377, 0.24902597501361748, 0.015543889267927368},
                {0.75, 0.679178699175393, 0.21789499376181404, -0.07808428307814441},
                {3, 0.9525741268224333, 0.04517665973091213, -0.04089157466094348},
                {36, 0.9999999999999998, 2.319522830243568e-16, -2.319522830243567e-16},
                {60, 1, 8.75651076269652e-27, -8.75651076269652e-27}});
  check_values(Sigmoid{}, {{0, 0.5, 0.25, 0}}, 0);
  for (const double p : {1000.0, 1e300, infinity})
    check_values(Sigmoid{}, {{p, 1, 0, 0}, {-p, 0, 0, 0}}, 0);
  CHECK(Sigmoid{}.value(-740.0) == std::exp(-740.0));  // exp(740) is infinite
  CHECK(Sigmoid{}.derivative(-740.0) == std::exp(-740.0));
  for (double p = -40; p <= 40; p += 0.37)
    CHECK_THAT(Sigmoid{}.value(p) + Sigmoid{}.value(-p), WithinRel(1.0, 1e-15));
}

TEST_CASE("Tanh: golden values, a sigmoid scaled to −1 and +1", "[activations]") {
  check_values(Tanh{}, {{-350, -1, 3.943870617503908e-304, 7.887741235007817e-304},
                        {-20.5, -1, 6.251528757339955e-18, 1.250305751467991e-17},
                        {-2.25, -0.9780261147388136, 0.04346491888890094, 0.0850196514966989},
                        {-0.125, -0.12435300177159621, 0.9845363309503934, 0.2448600962137502},
                        {0.75, 0.6351489523872873, 0.5965858082813315, -0.7578417022780214},
                        {3, 0.9950547536867305, 0.00986603716544019, -0.019634494363042435},
                        {18, 0.9999999999999996, 9.278091320974273e-16, -1.8556182641948537e-15},
                        {40, 1, 7.219405551381661e-35, -1.4438811102763322e-34}});
  check_values(Tanh{}, {{0, 0, 1, 0}}, 0);
  for (const double p : {1000.0, infinity}) check_values(Tanh{}, {{p, 1, 0, 0}, {-p, -1, 0, 0}}, 0);
  for (double p = -5; p <= 5; p += 0.37)
    CHECK_THAT(Tanh{}.value(p), WithinAbs(2 * Sigmoid{}.value(2 * p) - 1, 1e-15));
}

TEST_CASE("Identity, Exponential and HardThreshold: values computed by hand", "[activations]") {
  check_values(Identity{}, {{-2.5, -2.5, 1, 0}, {1e300, 1e300, 1, 0}}, 0);
  check_values(Exponential{}, {{0, 1, 1, 1}, {-infinity, 0, 0, 0}}, 0);
  for (const double p : {-3.5, 2.0}) {
    const double value = std::pow(2.718281828459045, p);
    check_values(Exponential{}, {{p, value, value, value}});
  }
  CHECK(Exponential{}.value(710.0) == infinity);
  const HardThreshold threshold;
  for (const double p : {0.0, -0.0, infinity}) CHECK(threshold.value(p) == 1);
  for (const double p : {std::numeric_limits<double>::denorm_min(), infinity})
    CHECK(threshold.value(-p) == 0);
}
