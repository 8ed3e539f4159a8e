// SPDX-License-Identifier: MIT
#pragma once
/// \file The hard threshold (step function). It serves for prediction, not for training.
#include <linea/core/activation.hpp>
#include <string_view>

namespace linea {

/// 1 for p ≥ 0, else 0. It has no derivative at the jump; elsewhere the derivative is 0, so that no
/// optimizer could learn from it.
struct HardThreshold {
  static constexpr std::string_view name = "hard-threshold";

  /// NaN if the score is NaN.
  template <class T>
  constexpr T value(T score) const {
    return score >= T(0) ? T(1) : (score < T(0) ? T(0) : score);
  }
};

}  // namespace linea
