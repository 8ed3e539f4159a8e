// SPDX-License-Identifier: MIT
#pragma once
/// \file Poisson loss, for regression on counts.
#include <algorithm>  // max
#include <cmath>      // abs, expm1, isfinite, isinf, log, log1p
#include <limits>
#include <linea/activations/exponential.hpp>
#include <linea/losses/composed.hpp>
#include <string_view>

namespace linea {

/// The loss m − y + y·ln(y/m) of a predicted mean m, with 0·ln 0 = 0, for targets y ≥ 0 (counts or
/// rates). This is half the deviance: the negative log-likelihood up to a constant. The loss is
/// convex and ≥ 0. It is 0 at m = y, and infinite for m < 0 and for m = 0 < y. m is a prediction,
/// not a score: compose the loss with Exponential. McCullagh and Nelder, Generalized Linear Models
/// (1989).
struct Poisson {
  static constexpr std::string_view name = "poisson";
  static constexpr std::string_view targets = "a number >= 0";
  static constexpr bool is_convex = true;
  static constexpr bool is_smooth = true;

  /// Uses log1p near m = y, where the terms of the formula cancel.
  template <class T>
  T value(T prediction, T target) const {
    if (prediction < T(0)) return std::numeric_limits<T>::infinity();
    if (target == T(0) || std::isinf(prediction)) return prediction;
    const T excess = prediction - target;
    if (std::abs(excess) > target / T(2))
      return excess + target * std::log(target / std::abs(prediction));
    const T ratio = excess / target;
    return target * (ratio - std::log1p(ratio));
  }

  /// Returns 1 − y/m, or −∞ for m < 0.
  template <class T>
  constexpr T derivative(T prediction, T target) const {
    if (prediction < T(0)) return -std::numeric_limits<T>::infinity();
    return target == T(0) ? T(1) : T(1) - target / std::abs(prediction);
  }

  template <class T>
  constexpr T second_derivative(T prediction, T target) const {
    if (target == T(0) || std::isinf(derivative(prediction, target))) return T(0);
    return target / prediction / prediction;
  }

  /// Returns exp(p) − y·p − y + y·ln y, computed with expm1 near p = ln y.
  template <class T>
  T value_after(const Exponential& exponential, T score, T target) const {
    const T mean = exponential.value(score);
    if (target == T(0) || std::isinf(mean)) return mean;
    const T excess = score - std::log(target);
    if (std::abs(excess) > T(0.5)) return mean - target * (T(1) + excess);
    // std::expm1 of floats may round down to less than its argument, as MinGW-w64's does.
    return std::max(target * (std::expm1(excess) - excess), T(0));
  }

  /// Returns exp(p) − y.
  template <class T>
  T derivative_after(const Exponential& exponential, T score, T target) const {
    return exponential.value(score) - target;
  }

  template <class T>
  T second_derivative_after(const Exponential& exponential, T score, T) const {
    return exponential.value(score);
  }

  /// Returns c·ln c − c + y − y·ln y with c = y + u, computed with log1p near c = y. Returns ∞ if
  /// c < 0.
  template <class T>
  T conjugate_after(const Exponential&, T slope, T target) const {
    const T mean = target + slope;
    if (!(mean >= T(0)) || std::isinf(mean)) return std::numeric_limits<T>::infinity();
    if (std::abs(slope) < target / T(2)) {
      const T ratio = slope / target;
      return slope * std::log(target) + target * ((T(1) + ratio) * std::log1p(ratio) - ratio);
    }
    return information(mean) - information(target) - slope;
  }

  static constexpr bool is_convex_after(const Exponential&) { return true; }

  template <class T>
  constexpr bool is_valid_target(T target) const {
    return std::isfinite(target) && target >= T(0);
  }

 private:
  /// Returns m·ln m, with 0·ln 0 = 0.
  template <class T>
  static T information(T mean) {
    return mean > T(0) ? mean * std::log(mean) : T(0);
  }
};

}  // namespace linea
