// SPDX-License-Identifier: MIT
#pragma once
/// \file Squared loss with the factor ½, for least squares.
#include <linea/core/loss.hpp>
#include <string_view>

namespace linea {

/// The loss ½(p − y)² for any finite target. The factor ½ makes the derivative the residual p − y.
/// The best constant score is the mean of the targets.
struct Squared {
  static constexpr std::string_view name = "squared";
  static constexpr std::string_view targets = "a finite number";
  static constexpr bool is_convex = true;
  static constexpr bool is_smooth = true;
  static constexpr bool is_of_residual = true;

  template <class T>
  constexpr T value(T score, T target) const {
    return (score - target) * (score - target) / T(2);
  }

  template <class T>
  constexpr T derivative(T score, T target) const {
    return score - target;
  }

  constexpr double curvature_bound() const { return 1; }

  template <class T>
  constexpr T second_derivative(T, T) const {
    return T(1);
  }

  /// Requires `step` > 0.
  template <class T>
  constexpr T proximal(T v, T target, T step) const {
    return v + (target - v) * (step / (T(1) + step));
  }

  /// Returns u·y + u²/2.
  template <class T>
  constexpr T conjugate(T slope, T target) const {
    return slope * target + slope * slope / T(2);
  }
};

}  // namespace linea
