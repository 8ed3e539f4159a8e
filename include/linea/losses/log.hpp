// SPDX-License-Identifier: MIT
#pragma once
/// \file Log loss, for logistic regression.
#include <algorithm>  // max, min
#include <cmath>      // abs, exp, log, log1p
#include <limits>
#include <linea/activations/sigmoid.hpp>
#include <linea/core/loss.hpp>
#include <string_view>

namespace linea {

/// The loss log(1 + exp(−z)) with z = y·p, for targets y in {−1, +1}: the negative log-likelihood
/// if y has the probability 1/(1 + exp(−z)). It is convex, 1-Lipschitz and smooth. The computation
/// never overflows, and its relative error is small at every score, unless the result underflows.
struct Log {
  static constexpr std::string_view name = "log";
  static constexpr std::string_view targets = "-1 or +1";
  static constexpr bool is_convex = true;
  static constexpr bool is_smooth = true;

  template <class T>
  T value(T score, T target) const {
    const T agreement = target * score;
    return std::log1p(std::exp(-std::abs(agreement))) + std::max(-agreement, T(0));
  }

  template <class T>
  T derivative(T score, T target) const {
    return -target * Sigmoid{}.value(-target * score);
  }

  constexpr double curvature_bound() const { return 0.25; }

  template <class T>
  T second_derivative(T score, T target) const {
    return Sigmoid{}.derivative(target * score);
  }

  /// Returns p = y·z for the root z of z − y·v = step·σ(−z), up to rounding, by Newton's method
  /// inside a bracket. Requires `step` > 0. Takes a few exponentials for steps up to 1, and more
  /// for longer steps.
  template <class T>
  T proximal(T v, T target, T step) const {
    const T start = target * v;
    T way = step * Sigmoid{}.value(-start);
    // σ(−z) ≤ exp(−z), so that z − start, if above 1, is at most log(step) − start.
    if (way > T(1)) way = std::min(way, std::max(std::log(step) - start, T(1)));
    T low = start;
    T high = start + way;
    T z = high;
    T last_move = way;
    for (int round = 0; round < 200; ++round) {
      const T chance = Sigmoid{}.value(-z);
      const T move = step * chance;
      const T excess = z - start - move;
      T next = z - excess / (T(1) + move * (T(1) - chance));
      const T rounding =
          T(4) * std::numeric_limits<T>::epsilon() * (std::abs(z) + std::abs(start) + move);
      if (std::abs(excess) <= rounding) return target * next;
      (excess > T(0) ? high : low) = z;
      const bool slow = std::abs(next - z) > std::abs(last_move) / T(2);
      if (slow || !(next > low && next < high)) next = low + (high - low) / T(2);
      if (next == z) break;
      last_move = next - z;
      z = next;
    }
    return target * z;
  }

  /// Returns c·log c + (1 − c)·log(1 − c) with c = −u·y in [0, 1]; 0 at both ends, ∞ elsewhere.
  template <class T>
  T conjugate(T slope, T target) const {
    const T chance = -slope * target;
    if (!(chance >= T(0) && chance <= T(1))) return std::numeric_limits<T>::infinity();
    if (chance == T(0) || chance == T(1)) return T(0);
    return chance * std::log(chance) + (T(1) - chance) * std::log1p(-chance);
  }

  template <class T>
  constexpr bool is_valid_target(T target) const {
    return target == T(1) || target == T(-1);
  }
};

}  // namespace linea
