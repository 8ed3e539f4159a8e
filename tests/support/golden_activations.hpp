// SPDX-License-Identifier: MIT
#pragma once
/// \file Golden values of activations.
///
/// They are of mpmath 1.3.0 with 50 digits: s = 1/(1 + exp(-p)), s(1 - s), s(1 - s)(1 - 2s), and
/// tanh(p), sech(p)**2, -2 tanh(p) sech(p)**2, rounded to double.
#include <cmath>
#include <initializer_list>
#include <linea/check/activation.hpp>

#include "support/catch.hpp"
#include "support/constants.hpp"

namespace linea::test {

struct GoldenActivation {
  double score;
  double value;
  double derivative;
  double second_derivative;
};

/// In double at the golden scores, and in float against double; `roundings` of the relative kind.
template <class G>
void check_golden(const G& activation, std::initializer_list<GoldenActivation> table,
                  double roundings = 8) {
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

}  // namespace linea::test
