// SPDX-License-Identifier: MIT
#pragma once
/// \file Hinge loss, for support vector machines.
#include <algorithm>  // max, min
#include <array>
#include <limits>
#include <linea/core/loss.hpp>
#include <string_view>

namespace linea {

/// The loss max(0, 1 − z) with z = y·p, for targets y in {−1, +1}. It is convex and 1-Lipschitz,
/// with a kink at z = 1. Cortes and Vapnik, Machine Learning 20 (1995).
struct Hinge {
  static constexpr std::string_view name = "hinge";
  static constexpr std::string_view targets = "-1 or +1";
  static constexpr bool is_convex = true;
  static constexpr bool is_smooth = false;

  template <class T>
  constexpr T value(T score, T target) const {
    return std::max(T(1) - target * score, T(0));
  }

  /// Returns −y at the kink, so that a sample on the margin makes a step. The code branches: if the
  /// processor predicts the branch, the step need not wait for the score.
  template <class T>
  constexpr T derivative(T score, T target) const {
    if (target * score > T(1)) [[unlikely]]
      return T(0);
    return -target;
  }

  /// Returns v if y·v ≥ 1, else v moved towards y by at most `step` > 0.
  template <class T>
  constexpr T proximal(T v, T target, T step) const {
    const T agreement = target * v;
    return agreement >= T(1) ? v : target * std::min(agreement + step, T(1));
  }

  /// Returns u·y for u·y in [−1, 0], else ∞.
  template <class T>
  constexpr T conjugate(T slope, T target) const {
    const T turned = slope * target;
    return turned >= T(-1) && turned <= T(0) ? turned : std::numeric_limits<T>::infinity();
  }

  constexpr std::array<DualBox, 1> dual_boxes(double target) const {
    return {{{target > 0 ? -1.0 : 0.0, target > 0 ? 0.0 : 1.0, target}}};
  }

  template <class T>
  constexpr bool is_valid_target(T target) const {
    return target == T(1) || target == T(-1);
  }
};

}  // namespace linea
