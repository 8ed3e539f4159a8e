// SPDX-License-Identifier: MIT
#pragma once
/// \file The hard threshold (step function). Use it for prediction, not for training.
#include <linea/core/activation.hpp>
#include <string_view>

namespace linea {

/// The activation g(p) = 1 for p ≥ 0, else 0. Its derivative does not exist at the jump and is 0
/// elsewhere, so no optimizer can learn from it.
struct HardThreshold {
  static constexpr std::string_view name = "hard-threshold";

  /// Returns NaN if the score is NaN.
  template <class T>
  constexpr T value(T score) const {
    return score >= T(0) ? T(1) : (score < T(0) ? T(0) : score);
  }
};

}  // namespace linea
