// SPDX-License-Identifier: MIT
/// \file What holds of every activation: the laws of check/.
#include <cmath>
#include <limits>
#include <linea/activations.hpp>
#include <linea/check/activation.hpp>
#include <type_traits>
#include <vector>

#include "support/catch.hpp"
#include "support/constants.hpp"

using namespace linea;
using namespace linea::test;

namespace {

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
