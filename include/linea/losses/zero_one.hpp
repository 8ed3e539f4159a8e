// SPDX-License-Identifier: MIT
#pragma once
/// \file Losses that count mistakes. Use them for evaluation, not for training.
#include <linea/core/loss.hpp>
#include <string_view>

namespace linea {

/// The loss 1 for z = y·p ≤ 0, else 0, for targets y in {−1, +1}. It is neither convex nor
/// continuous and has no derivative. A score of 0 is a mistake for both targets.
struct ZeroOne {
  static constexpr std::string_view name = "zero-one";
  static constexpr std::string_view targets = "-1 or +1";
  static constexpr bool is_convex = false;
  static constexpr bool is_smooth = false;

  /// Returns NaN if the score is NaN.
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

/// The loss 1 if the prediction differs from the target, else 0, for targets y in {0, 1}. A score
/// of 0 is right for target 1 and wrong for target 0. (ZeroOne, for targets ±1, counts a score of 0
/// as wrong for both targets.) The loss has no derivative.
struct ThresholdError {
  static constexpr std::string_view name = "threshold-error";
  static constexpr std::string_view targets = "0 or 1";
  static constexpr bool is_convex = false;
  static constexpr bool is_smooth = false;

  /// Returns NaN if the score is NaN.
  template <class T>
  constexpr T value(T score, T target) const {
    if (score != score) return score;
    return (score >= T(0)) == (target == T(1)) ? T(0) : T(1);
  }

  template <class T>
  constexpr bool is_valid_target(T target) const {
    return target == T(0) || target == T(1);
  }
};

}  // namespace linea
