// SPDX-License-Identifier: MIT
#pragma once
/// \file Squared hinge loss with the factor ½.
#include <algorithm>  // max
#include <limits>
#include <linea/core/loss.hpp>
#include <string_view>

namespace linea {

/// The loss ½·max(0, 1 − z)² with z = y·p, for targets y in {−1, +1}. It is convex, with a
/// continuous derivative. With the factor ½ the largest curvature is 1; some libraries omit this
/// factor.
struct SquaredHinge {
  static constexpr std::string_view name = "squared-hinge";
  static constexpr std::string_view targets = "-1 or +1";
  static constexpr bool is_convex = true;
  static constexpr bool is_smooth = true;

  template <class T>
  constexpr T value(T score, T target) const {
    const T shortfall = std::max(T(1) - target * score, T(0));
    return shortfall * shortfall / T(2);
  }

  template <class T>
  constexpr T derivative(T score, T target) const {
    return -target * std::max(T(1) - target * score, T(0));
  }

  constexpr double curvature_bound() const { return 1; }

  /// Returns the generalised second derivative of Newton methods: 0 at z = 1, where ℓ″ jumps.
  template <class T>
  constexpr T second_derivative(T score, T target) const {
    return target * score < T(1) ? T(1) : T(0);
  }

  /// Requires `step` > 0.
  template <class T>
  constexpr T proximal(T v, T target, T step) const {
    const T agreement = target * v;
    if (agreement >= T(1)) return v;
    return target * (agreement + (T(1) - agreement) * (step / (T(1) + step)));
  }

  /// Returns u·y + u²/2 for u·y ≤ 0, else ∞.
  template <class T>
  constexpr T conjugate(T slope, T target) const {
    const T turned = slope * target;
    return turned <= T(0) ? turned + turned * turned / T(2) : std::numeric_limits<T>::infinity();
  }

  /// Returns a box whose slopes have the sign of −y and no bound.
  constexpr DualBox open_box(double target) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return {target > 0 ? -infinity : 0, target > 0 ? 0 : infinity, target, 1};
  }

  template <class T>
  constexpr bool is_valid_target(T target) const {
    return target == T(1) || target == T(-1);
  }
};

}  // namespace linea
