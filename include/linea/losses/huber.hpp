// SPDX-License-Identifier: MIT
#pragma once
/// \file Huber loss: squared for small residuals, absolute for large ones.
#include <algorithm>  // clamp, max
#include <array>
#include <cmath>  // isfinite
#include <limits>
#include <linea/core/loss.hpp>
#include <linea/core/parameters.hpp>
#include <string>
#include <string_view>

namespace linea {

/// The loss r²/2 for |r| ≤ δ, else δ·|r| − δ²/2, with the residual r = p − y for any finite target
/// y. It is convex and δ-Lipschitz, with a continuous derivative. Huber, Annals of Mathematical
/// Statistics 35 (1964).
struct Huber {
  double delta{1};  ///< δ > 0, in units of the target

  static constexpr std::string_view name = "huber";
  static constexpr std::string_view targets = "a finite number";
  static constexpr bool is_convex = true;
  static constexpr bool is_smooth = true;
  static constexpr bool is_of_residual = true;

  template <class T>
  constexpr T value(T score, T target) const {
    const T distance = std::max(score - target, target - score);
    if (distance <= T(delta)) return distance * distance / T(2);
    return T(delta) * (distance - T(delta) / T(2));
  }

  template <class T>
  constexpr T derivative(T score, T target) const {
    return std::clamp(score - target, -T(delta), T(delta));
  }

  constexpr double curvature_bound() const { return 1; }

  /// Returns 1 for |r| < δ, else 0.
  template <class T>
  constexpr T second_derivative(T score, T target) const {
    return std::max(score - target, target - score) < T(delta) ? T(1) : T(0);
  }

  /// Requires `step` > 0.
  template <class T>
  constexpr T proximal(T v, T target, T step) const {
    const T residual = v - target;
    return v - step * std::clamp(residual / (T(1) + step), -T(delta), T(delta));
  }

  /// Returns u·y + u²/2 for u in [−δ, δ], else ∞.
  template <class T>
  constexpr T conjugate(T slope, T target) const {
    if (!(slope >= -T(delta) && slope <= T(delta))) return std::numeric_limits<T>::infinity();
    return slope * target + slope * slope / T(2);
  }

  constexpr std::array<DualBox, 1> dual_boxes(double target) const {
    return {{{-delta, delta, target, 1.0}}};
  }

  bool is_valid() const { return std::isfinite(delta) && delta > 0; }
  std::string parameters() const { return detail::parameter_text("delta", delta); }
};

}  // namespace linea
