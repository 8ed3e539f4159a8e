// SPDX-License-Identifier: MIT
#pragma once
/// \file Smooth hinge loss: the hinge loss with a parabola in place of the kink.
#include <array>
#include <cmath>  // isfinite
#include <limits>
#include <linea/core/loss.hpp>
#include <linea/core/parameters.hpp>
#include <string>
#include <string_view>

namespace linea {

/// A loss of z = y·p, for targets y in {−1, +1} and the width γ: 0 for z ≥ 1, 1 − z − γ/2 for z ≤ 1
/// − γ, and the parabola (1 − z)²/(2γ) between. It is convex and 1-Lipschitz, with a continuous
/// derivative, and at most γ/2 below the hinge loss. Shalev-Shwartz and Zhang, JMLR 14 (2013).
struct SmoothHinge {
  double width{1};  ///< γ > 0, in units of z

  static constexpr std::string_view name = "smooth-hinge";
  static constexpr std::string_view targets = "-1 or +1";
  static constexpr bool is_convex = true;
  static constexpr bool is_smooth = true;

  template <class T>
  constexpr T value(T score, T target) const {
    const T shortfall = T(1) - target * score;
    if (shortfall <= T(0)) return T(0);
    if (shortfall >= T(width)) return shortfall - T(width) / T(2);
    return shortfall * (shortfall / (T(2) * T(width)));
  }

  template <class T>
  constexpr T derivative(T score, T target) const {
    const T shortfall = T(1) - target * score;
    if (shortfall <= T(0)) return T(0);
    return shortfall >= T(width) ? -target : -target * (shortfall / T(width));
  }

  constexpr double curvature_bound() const { return 1 / width; }

  /// Returns 1/γ for 1 − γ < z < 1, else 0.
  template <class T>
  constexpr T second_derivative(T score, T target) const {
    const T shortfall = T(1) - target * score;
    return shortfall > T(0) && shortfall < T(width) ? T(1) / T(width) : T(0);
  }

  /// Requires `step` > 0.
  template <class T>
  constexpr T proximal(T v, T target, T step) const {
    const T shortfall = T(1) - target * v;
    if (shortfall <= T(0)) return v;
    if (shortfall >= T(width) + step) return v + target * step;
    return v + target * (shortfall * (step / (T(width) + step)));
  }

  /// Returns u·y + γ·u²/2 for u·y in [−1, 0], else ∞.
  template <class T>
  constexpr T conjugate(T slope, T target) const {
    const T turned = slope * target;
    if (!(turned >= T(-1) && turned <= T(0))) return std::numeric_limits<T>::infinity();
    return turned + T(width) * turned * turned / T(2);
  }

  constexpr std::array<DualBox, 1> dual_boxes(double target) const {
    return {{{target > 0 ? -1.0 : 0.0, target > 0 ? 0.0 : 1.0, target, width}}};
  }

  template <class T>
  constexpr bool is_valid_target(T target) const {
    return target == T(1) || target == T(-1);
  }

  bool is_valid() const { return std::isfinite(width) && width > 0; }
  std::string parameters() const { return detail::parameter_text("width", width); }
};

}  // namespace linea
