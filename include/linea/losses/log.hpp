// SPDX-License-Identifier: MIT
#pragma once
/// \file Log loss: the loss of logistic regression.
#include <algorithm>  // max, min
#include <cmath>      // abs, exp, log, log1p
#include <limits>
#include <linea/activations/sigmoid.hpp>
#include <linea/core/loss.hpp>
#include <string_view>

namespace linea {

/// log(1 + exp(−z)) with z = y·p, for targets y in {−1, +1}: minus the log of the likelihood when
/// the chance of y is 1/(1 + exp(−z)). Convex, 1-Lipschitz, smooth. Never overflows, and is
/// accurate relative to its own size at every score.
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

  /// The root z of z − y·v = step·σ(−z), by Newton's method kept inside a bracket, to rounding.
  /// `step` > 0. Costs 3 to 5 exponentials for steps up to 1, 10 at step 100, 90 in the worst case.
  template <class T>
  T proximal(T v, T target, T step) const {
    const T start = target * v;
    T way = step * Sigmoid{}.value(-start);
    // σ(−z) ≤ exp(−z), so a way longer than 1 is at most log(step) − start.
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

  /// c·log c + (1 − c)·log(1 − c) with c = −u·y in [0, 1], which is 0 at both ends.
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
