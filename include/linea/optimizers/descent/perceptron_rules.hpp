// SPDX-License-Identifier: MIT
#pragma once
/// \file The rules of the perceptron.
#include <linea/core/rule.hpp>
#include <linea/losses/threshold_error.hpp>
#include <linea/losses/zero_one.hpp>

namespace linea::descent {

/// w ← w + y·x and b ← b + y when the agreement y·p ≤ 0. So a score of 0 is a mistake: w = 0 moves.
struct PerceptronRule {
  /// A sample of weight k is presented up to k times in a row, until it is classified correctly.
  static constexpr bool weight_repeats = true;

  ZeroOne loss{};
  bool has_offset{true};
  double learning_rate{1};
  double factor{1};

  template <class T>
  constexpr Step<T> operator()(T score, T target, T weight, Index) const {
    if (target * score > T(0)) return {};
    const T move = static_cast<T>(learning_rate) * weight * target;
    return {1, move, has_offset ? move : T(0), 0};
  }
};

/// The same for targets 0 and 1: w ← w − (f − y)·x and b ← b − (f − y), where f is 1 for a score of
/// at least 0, else 0. The two rules differ only at a score of 0, which is right here for target 1.
struct ThresholdPerceptronRule {
  static constexpr bool weight_repeats = true;

  ThresholdError loss{};
  bool has_offset{true};
  double learning_rate{1};
  double factor{1};

  template <class T>
  constexpr Step<T> operator()(T score, T target, T weight, Index) const {
    const T move = static_cast<T>(learning_rate) * weight * (target - T(score >= T(0)));
    return {1, move, has_offset ? move : T(0), 0};
  }
};

}  // namespace linea::descent
