// SPDX-License-Identifier: MIT
#pragma once
/// \file ε-insensitive loss, for support vector regression.
#include <algorithm>  // max, min
#include <array>
#include <cmath>  // isfinite
#include <limits>
#include <linea/core/loss.hpp>
#include <linea/core/parameters.hpp>
#include <string>
#include <string_view>

namespace linea {

/// The loss max(0, |p − y| − ε) for any finite target: residuals up to ε cost nothing. It is convex
/// and 1-Lipschitz, with kinks at |p − y| = ε. Vapnik, The Nature of Statistical Learning Theory
/// (1995).
struct EpsilonInsensitive {
  double epsilon{0.1};  ///< ε ≥ 0, in units of the target

  static constexpr std::string_view name = "epsilon-insensitive";
  static constexpr std::string_view targets = "a finite number";
  static constexpr bool is_convex = true;
  static constexpr bool is_smooth = false;
  static constexpr bool is_of_residual = true;

  template <class T>
  constexpr T value(T score, T target) const {
    return std::max(std::max(score - target, target - score) - T(epsilon), T(0));
  }

  /// Returns 0 at the kinks, as inside the tube |p − y| < ε.
  template <class T>
  constexpr T derivative(T score, T target) const {
    const T residual = score - target;
    return residual > T(epsilon) ? T(1) : (residual < -T(epsilon) ? T(-1) : T(0));
  }

  /// Returns v moved towards the tube by at most `step` > 0.
  template <class T>
  constexpr T proximal(T v, T target, T step) const {
    const T residual = v - target;
    if (residual > T(epsilon)) return std::max(v - step, target + T(epsilon));
    if (residual < -T(epsilon)) return std::min(v + step, target - T(epsilon));
    return v;
  }

  /// Returns u·y + ε·|u| for u in [−1, 1], else ∞.
  template <class T>
  constexpr T conjugate(T slope, T target) const {
    if (!(slope >= T(-1) && slope <= T(1))) return std::numeric_limits<T>::infinity();
    return slope * target + T(epsilon) * std::max(slope, -slope);
  }

  constexpr std::array<DualBox, 2> dual_boxes(double target) const {
    return {{{-1.0, 0.0, target - epsilon}, {0.0, 1.0, target + epsilon}}};
  }

  bool is_valid() const { return std::isfinite(epsilon) && epsilon >= 0; }
  std::string parameters() const { return detail::parameter_text("epsilon", epsilon); }
};

}  // namespace linea
