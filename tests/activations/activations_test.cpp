// SPDX-License-Identifier: MIT
/// \file The laws over every activation, golden values, and the ends of the number range.
///
/// Golden values: mpmath 1.3.0 with 50 digits, s = 1/(1 + exp(-p)), s(1 - s), s(1 - s)(1 - 2s), and
/// tanh(p), sech(p)**2, -2 tanh(p) sech(p)**2, rounded to double.
#include <cmath>
#include <limits>
#include <linea/activations.hpp>
#include <linea/check/activation.hpp>
#include <type_traits>

#include "support/catch.hpp"

using namespace linea;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

struct Golden {
  double score;
  double value;
  double derivative;
  double second_derivative;
};

/// In double at the golden scores, and in float against double; `roundings` of the relative kind.
template <class G>
void check_golden(const G& activation, std::initializer_list<Golden> table, double roundings = 8) {
  const double rounding = roundings * std::numeric_limits<double>::epsilon();
  const float rounding_f = static_cast<float>(roundings) * std::numeric_limits<float>::epsilon();
  for (const auto& [p, value, derivative, second] : table) {
    CAPTURE(activation.name, p);
    CHECK_THAT(activation.value(p), WithinRel(value, rounding));
    CHECK_THAT(activation.derivative(p), WithinRel(derivative, rounding));
    CHECK_THAT(activation.second_derivative(p), WithinRel(second, rounding));
    if (std::abs(p) > 40) continue;
    const auto narrow = static_cast<float>(p);  // exact
    CHECK_THAT(activation.value(narrow), WithinRel(static_cast<float>(value), rounding_f));
    CHECK_THAT(activation.derivative(narrow),
               WithinRel(static_cast<float>(derivative), rounding_f));
    CHECK_THAT(activation.second_derivative(narrow),
               WithinRel(static_cast<float>(second), rounding_f));
  }
}

template <class F>
void for_each_activation(const F& f) {
  f(Identity{});
  f(Sigmoid{});
  f(Tanh{});
  f(Exponential{});
  f(HardThreshold{});
}

}  // namespace

static_assert(Identity{}.value(2.5) == 2.5 && HardThreshold{}.value(-1.0F) == 0.0F);

TEST_CASE("Activations: each obeys every law of what it offers", "[activations]") {
  for_each_activation([](const auto& activation) {
    CAPTURE(activation.name);
    CHECK(check::activation(activation) == std::vector<check::Violation>{});
  });
}

TEST_CASE("Activations: a score that is not a number has no prediction", "[activations]") {
  for_each_activation([](const auto& activation) {
    CAPTURE(activation.name);
    CHECK(std::isnan(activation.value(not_a_number)));
    CHECK(std::isnan(activation.value(std::numeric_limits<float>::quiet_NaN())));
    CHECK(std::is_same_v<decltype(activation.value(1.0F)), float>);
    CHECK(name_of(activation) == activation.name);
  });
}

TEST_CASE("Identity: the score, with slope 1", "[activations]") {
  const Identity identity;
  CHECK(identity.value(-2.5) == -2.5);
  CHECK(identity.derivative(1e300) == 1);
  CHECK(identity.second_derivative(3.0) == 0);
}

TEST_CASE("Sigmoid: golden values, relative to their own size at both ends", "[activations]") {
  CHECK(Sigmoid{}.value(0.0) == 0.5);
  CHECK(Sigmoid{}.derivative(0.0) == 0.25);
  CHECK(Sigmoid{}.second_derivative(0.0) == 0);
  CHECK_THAT(Sigmoid{}.value(std::log(3.0)), WithinRel(0.75, 1e-15));
  check_golden(Sigmoid{},
               {{-700, 9.85967654375977e-305, 9.85967654375977e-305, 9.85967654375977e-305},
                {-40.5, 2.576757109154981e-18, 2.576757109154981e-18, 2.576757109154981e-18},
                {-2.25, 0.09534946489910949, 0.08625794444256298, 0.06980864675077199},
                {-0.125, 0.46879062662624377, 0.24902597501361748, 0.015543889267927368},
                {0.75, 0.679178699175393, 0.21789499376181404, -0.07808428307814441},
                {3, 0.9525741268224333, 0.04517665973091213, -0.04089157466094348},
                {36, 0.9999999999999998, 2.319522830243568e-16, -2.319522830243567e-16},
                {60, 1, 8.75651076269652e-27, -8.75651076269652e-27}});
}

TEST_CASE("Sigmoid: neither overflows nor leaves its range", "[activations]") {
  const Sigmoid sigmoid;
  for (const double p : {1000.0, 1e300, infinity}) {
    CHECK(sigmoid.value(p) == 1);
    CHECK(sigmoid.value(-p) == 0);
    for (const double side : {-p, p}) {
      CHECK(sigmoid.derivative(side) == 0);
      CHECK(sigmoid.second_derivative(side) == 0);
    }
  }
  CHECK(sigmoid.value(-740.0) == std::exp(-740.0));  // exp(740) is infinite
  CHECK(sigmoid.derivative(-740.0) == std::exp(-740.0));
  CHECK(sigmoid.value(1000.0F) == 1);
  CHECK(sigmoid.value(-1000.0F) == 0);
  for (double p = -40; p <= 40; p += 0.37)
    CHECK_THAT(sigmoid.value(p) + sigmoid.value(-p), WithinRel(1.0, 1e-15));
}

TEST_CASE("Tanh: golden values, relative to their own size at both ends", "[activations]") {
  CHECK(Tanh{}.value(0.0) == 0);
  CHECK(Tanh{}.derivative(0.0) == 1);
  check_golden(Tanh{}, {{-350, -1, 3.943870617503908e-304, 7.887741235007817e-304},
                        {-20.5, -1, 6.251528757339955e-18, 1.250305751467991e-17},
                        {-2.25, -0.9780261147388136, 0.04346491888890094, 0.0850196514966989},
                        {-0.125, -0.12435300177159621, 0.9845363309503934, 0.2448600962137502},
                        {0.75, 0.6351489523872873, 0.5965858082813315, -0.7578417022780214},
                        {3, 0.9950547536867305, 0.00986603716544019, -0.019634494363042435},
                        {18, 0.9999999999999996, 9.278091320974273e-16, -1.8556182641948537e-15},
                        {40, 1, 7.219405551381661e-35, -1.4438811102763322e-34}});
  for (const double side : {-infinity, -1000.0, 1000.0, infinity}) {
    CHECK(Tanh{}.value(side) == (side > 0 ? 1 : -1));
    CHECK(Tanh{}.derivative(side) == 0);
    CHECK(Tanh{}.second_derivative(side) == 0);
  }
}

TEST_CASE("Tanh: a sigmoid stretched to −1 and +1", "[activations]") {
  for (double p = -5; p <= 5; p += 0.37)
    CHECK_THAT(Tanh{}.value(p), WithinAbs(2 * Sigmoid{}.value(2 * p) - 1, 1e-15));
}

TEST_CASE("Exponential: its own derivative, 0 and infinite at the ends", "[activations]") {
  const Exponential exponential;
  CHECK(exponential.value(0.0) == 1);
  for (const double p : {-3.5, 0.0, 2.0}) {
    CHECK_THAT(exponential.value(p), WithinRel(std::pow(2.718281828459045, p), 1e-15));
    CHECK(exponential.derivative(p) == exponential.value(p));
    CHECK(exponential.second_derivative(p) == exponential.value(p));
  }
  CHECK(exponential.value(-infinity) == 0);
  CHECK(exponential.value(710.0) == infinity);
}

TEST_CASE("HardThreshold: 1 from score 0 on, 0 below, and no derivative", "[activations]") {
  const HardThreshold threshold;
  const double least = std::numeric_limits<double>::denorm_min();
  CHECK(threshold.value(0.0) == 1);
  CHECK(threshold.value(-0.0) == 1);
  CHECK(threshold.value(-least) == 0);
  CHECK(threshold.value(infinity) == 1);
  CHECK(threshold.value(-infinity) == 0);
  CHECK_FALSE(DifferentiableActivation<HardThreshold>);
  CHECK(CurvedActivation<Sigmoid>);
}
