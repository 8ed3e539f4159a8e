// SPDX-License-Identifier: MIT
#pragma once
/// \file Golden values of losses of a prediction.
///
/// They are of mpmath 1.3.0 with 50 digits, from the formulas as they stand in the headers,
/// log(1 + exp(p)) - y*p, exp(p) - y*p - y + y*log(y) and so on, at the doubles given.
#include <cmath>
#include <initializer_list>

#include "support/catch.hpp"
#include "support/constants.hpp"

namespace linea::test {

struct GoldenLoss {
  double score;
  double target;
  double value;
  double derivative;
};

/// A few roundings of the result, and of the score, which moves the value by its derivative.
template <class L>
void check_golden(const L& loss, std::initializer_list<GoldenLoss> table) {
  for (const auto& [p, y, value, derivative] : table) {
    CAPTURE(loss.name, p, y);
    const double moved = std::abs(p * derivative);
    CHECK_THAT(loss.value(p, y), WithinAbs(value, 8 * epsilon * (value + moved)));
    CHECK_THAT(loss.derivative(p, y),
               WithinAbs(derivative, 8 * epsilon * (std::abs(derivative) + std::abs(y))));
  }
}

}  // namespace linea::test
