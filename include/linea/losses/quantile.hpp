// SPDX-License-Identifier: MIT
#pragma once
/// \file Quantile loss (pinball loss).
#include <algorithm>  // max, min
#include <array>
#include <limits>
#include <linea/core/loss.hpp>
#include <linea/core/parameters.hpp>
#include <string>
#include <string_view>

namespace linea {

/// The loss τ·(y − p) for p < y, else (1 − τ)·(p − y), for any finite target. It is convex, with a
/// kink at p = y. The best constant score is a τ-quantile of the targets. With τ = ½ the loss is
/// half the absolute loss. Koenker and Bassett, Econometrica 46 (1978).
struct Quantile {
  double level{0.5};  ///< τ in (0, 1)

  static constexpr std::string_view name = "quantile";
  static constexpr std::string_view targets = "a finite number";
  static constexpr bool is_convex = true;
  static constexpr bool is_smooth = false;
  static constexpr bool is_of_residual = true;

  template <class T>
  constexpr T value(T score, T target) const {
    return score < target ? below<T>() * (target - score) : above<T>() * (score - target);
  }

  /// Returns −τ for p < y, 1 − τ for p > y, and 0 at the kink: a sample with p = y makes no step.
  template <class T>
  constexpr T derivative(T score, T target) const {
    return score > target ? above<T>() : (score < target ? -below<T>() : T(0));
  }

  /// Returns v moved towards the target by at most τ·step from below, or at most (1 − τ)·step from
  /// above. Requires `step` > 0.
  template <class T>
  constexpr T proximal(T v, T target, T step) const {
    return v > target ? std::max(v - above<T>() * step, target)
                      : std::min(v + below<T>() * step, target);
  }

  /// Returns u·y for u in [−τ, 1 − τ], else ∞.
  template <class T>
  constexpr T conjugate(T slope, T target) const {
    return slope >= -below<T>() && slope <= above<T>() ? slope * target
                                                       : std::numeric_limits<T>::infinity();
  }

  constexpr std::array<DualBox, 1> dual_boxes(double target) const {
    return {{{-level, 1 - level, target}}};
  }

  constexpr bool is_valid() const { return level > 0 && level < 1; }
  std::string parameters() const { return detail::parameter_text("level", level); }

 private:
  template <class T>
  constexpr T below() const {
    return T(level);
  }
  template <class T>
  constexpr T above() const {
    return T(1 - level);
  }
};

}  // namespace linea
