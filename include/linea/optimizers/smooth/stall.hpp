// SPDX-License-Identifier: MIT
#pragma once
/// \file When a run has stopped getting anywhere.
#include <cmath>  // abs
#include <limits>
#include <linea/core/compiler.hpp>

namespace linea::smooth {

/// Counts the iterations that lower neither F nor ∇F by more than rounding.
class Stall {
 public:
  /// Are there many of them in a row, with this one, or is ∇F so small that its squares underflow?
  /// For F and ‖∇F‖² before it.
  bool is_idle(double value, double square) {
    const double rounding = std::numeric_limits<double>::epsilon() * std::abs(value);
    if (value < least_value_ - rounding || square < 0.5 * least_square_) {
      least_value_ = value;
      least_square_ = square;
      iterations_ = 0;
    }
    return ++iterations_ > 30 || square < std::numeric_limits<double>::min();
  }

 private:
  double least_value_{std::numeric_limits<double>::infinity()};
  double least_square_{std::numeric_limits<double>::infinity()};
  int iterations_{0};
};

}  // namespace linea::smooth
