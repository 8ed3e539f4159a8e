// SPDX-License-Identifier: MIT
#pragma once
/// \file The hard threshold, or step function: it decides, and cannot be trained through.
#include <linea/core/activation.hpp>
#include <string_view>

namespace linea {

/// 1 where p ≥ 0, 0 where p < 0. It has no derivative at the jump, and elsewhere the derivative is
/// 0, from which no optimizer could learn.
struct HardThreshold {
  static constexpr std::string_view name = "hard-threshold";

  /// NaN for a score that is NaN.
  template <class T>
  constexpr T value(T score) const {
    return score >= T(0) ? T(1) : (score < T(0) ? T(0) : score);
  }
};

}  // namespace linea
