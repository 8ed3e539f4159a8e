// SPDX-License-Identifier: MIT
#pragma once
/// \file Perceptron loss, whose gradient steps are those of Rosenblatt's perceptron.
#include <algorithm>  // max, min
#include <array>
#include <limits>
#include <linea/core/loss.hpp>
#include <string_view>

namespace linea {

/// The loss max(0, −z) with z = y·p, for targets y in {−1, +1}: hinge loss without a margin. It is
/// convex and 1-Lipschitz, with a kink at z = 0. Its minimum 0 is attained at w = 0, b = 0: use the
/// loss for the steps of a perceptron, not for minimization.
struct PerceptronLoss {
  static constexpr std::string_view name = "perceptron";
  static constexpr std::string_view targets = "-1 or +1";
  static constexpr bool is_convex = true;
  static constexpr bool is_smooth = false;

  template <class T>
  constexpr T value(T score, T target) const {
    return std::max(-target * score, T(0));
  }

  /// Returns −y at the kink: with 0, training from zero weights would never make a step.
  template <class T>
  constexpr T derivative(T score, T target) const {
    return target * score <= T(0) ? -target : T(0);
  }

  /// Returns v if y·v ≥ 0, else v moved towards 0 by at most `step` > 0.
  template <class T>
  constexpr T proximal(T v, T target, T step) const {
    const T agreement = target * v;
    return agreement >= T(0) ? v : target * std::min(agreement + step, T(0));
  }

  /// Returns 0 for u·y in [−1, 0], else ∞.
  template <class T>
  constexpr T conjugate(T slope, T target) const {
    const T turned = slope * target;
    return turned >= T(-1) && turned <= T(0) ? T(0) : std::numeric_limits<T>::infinity();
  }

  constexpr std::array<DualBox, 1> dual_boxes(double target) const {
    return {{{target > 0 ? -1.0 : 0.0, target > 0 ? 0.0 : 1.0, 0.0}}};
  }

  template <class T>
  constexpr bool is_valid_target(T target) const {
    return target == T(1) || target == T(-1);
  }
};

}  // namespace linea
