// SPDX-License-Identifier: MIT
#pragma once
/// \file Absolute loss, for least absolute deviations.
#include <algorithm>  // max, min
#include <array>
#include <limits>
#include <linea/core/loss.hpp>
#include <string_view>

namespace linea {

/// The loss |p − y| for any finite target. It is convex and 1-Lipschitz, with a kink at p = y. The
/// best constant score is a median of the targets.
struct Absolute {
  static constexpr std::string_view name = "absolute";
  static constexpr std::string_view targets = "a finite number";
  static constexpr bool is_convex = true;
  static constexpr bool is_smooth = false;
  static constexpr bool is_of_residual = true;

  template <class T>
  constexpr T value(T score, T target) const {
    return std::max(score - target, target - score);
  }

  /// Returns 0 at the kink, so that a sample with p = y makes no step.
  template <class T>
  constexpr T derivative(T score, T target) const {
    return score > target ? T(1) : (score < target ? T(-1) : T(0));
  }

  /// Returns v moved towards the target by at most `step` > 0.
  template <class T>
  constexpr T proximal(T v, T target, T step) const {
    return v > target ? std::max(v - step, target) : std::min(v + step, target);
  }

  /// Returns u·y for u in [−1, 1], else ∞.
  template <class T>
  constexpr T conjugate(T slope, T target) const {
    return slope >= T(-1) && slope <= T(1) ? slope * target : std::numeric_limits<T>::infinity();
  }

  constexpr std::array<DualBox, 1> dual_boxes(double target) const {
    return {{{-1.0, 1.0, target}}};
  }
};

}  // namespace linea
