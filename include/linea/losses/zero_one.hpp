// SPDX-License-Identifier: MIT
#pragma once
/// \file Zero-one loss: counts mistakes. It evaluates, and cannot be trained on.
#include <linea/core/loss.hpp>
#include <string_view>

namespace linea {

/// 1 where z = y·p ≤ 0, 0 where z > 0, for targets y in {−1, +1}. Neither convex nor continuous,
/// hence without a derivative. Score 0 is a mistake whatever the target.
struct ZeroOne {
  static constexpr std::string_view name = "zero-one";
  static constexpr std::string_view targets = "-1 or +1";
  static constexpr bool is_convex = false;
  static constexpr bool is_smooth = false;

  /// NaN where the score is.
  template <class T>
  constexpr T value(T score, T target) const {
    const T agreement = target * score;
    return agreement > T(0) ? T(0) : (agreement <= T(0) ? T(1) : agreement);
  }

  template <class T>
  constexpr bool is_valid_target(T target) const {
    return target == T(1) || target == T(-1);
  }
};

}  // namespace linea
