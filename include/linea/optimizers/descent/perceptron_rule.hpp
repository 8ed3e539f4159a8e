// SPDX-License-Identifier: MIT
#pragma once
/// \file The rule of the perceptron.
#include <concepts>  // same_as
#include <linea/core/rule.hpp>
#include <linea/losses/zero_one.hpp>

namespace linea::detail::descent {

/// On a mistake, w ← w + η·s·e·x and, if the offset is free, b ← b + η·s·e. Here η is the learning
/// rate, s the sample weight and e the error. For targets −1 and +1 and the loss ZeroOne, e = y if
/// the agreement y·p is ≤ 0, else 0. So a score of 0 is a mistake, and w = 0 changes. For targets 0
/// and 1 and the loss ThresholdError, e = y − f, where f is 1 for a score of at least 0, and 0
/// otherwise.
template <class L>
struct MistakeRule {
  /// A sample of weight k is presented up to k times in a row, until it is classified correctly.
  static constexpr bool weight_repeats = true;

  L loss{};
  bool has_offset{true};
  double learning_rate{1};
  double factor{1};

  template <class T>
  constexpr Step<T> operator()(T score, T target, T weight, Index) const {
    T error = target - T(score >= T(0));
    if constexpr (std::same_as<L, ZeroOne>) error = target * score > T(0) ? T(0) : target;
    const T move = static_cast<T>(learning_rate) * weight * error;
    return {1, move, has_offset ? move : T(0), 0};
  }
};

}  // namespace linea::detail::descent
