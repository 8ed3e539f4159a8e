// SPDX-License-Identifier: MIT
#pragma once
/// \file Cross entropy of a target probability and a predicted probability.
#include <cmath>  // abs, exp, isinf, log, log1p
#include <limits>
#include <linea/activations/sigmoid.hpp>
#include <linea/losses/composed.hpp>
#include <string_view>

namespace linea {

/// The loss −y·ln q − (1 − y)·ln(1 − q) of a predicted probability q, with 0·ln 0 = 0. A target y
/// in [0, 1] is a class, 0 or 1, or the frequency of class 1 among trials (then weight the sample
/// by the number of trials). The loss is convex, least at q = y, and infinite for q outside [0, 1].
/// q is a prediction, not a score: compose the loss with Sigmoid.
struct CrossEntropy {
  static constexpr std::string_view name = "cross-entropy";
  static constexpr std::string_view targets = "a number from 0 to 1";
  static constexpr bool is_convex = true;
  static constexpr bool is_smooth = true;

  template <class T>
  T value(T prediction, T target) const {
    if (prediction < T(0) || prediction > T(1)) return std::numeric_limits<T>::infinity();
    if (target == T(0)) return -std::log1p(-prediction);
    if (target == T(1)) return -std::log(prediction);
    return -target * std::log(prediction) - (T(1) - target) * std::log1p(-prediction);
  }

  /// Returns (1 − y)/(1 − q) − y/q, with 0/0 = 0. For q outside [0, 1] returns ∞ with the sign of q
  /// − ½.
  template <class T>
  constexpr T derivative(T prediction, T target) const {
    if (prediction < T(0)) return -std::numeric_limits<T>::infinity();
    if (prediction > T(1)) return std::numeric_limits<T>::infinity();
    const T over = target == T(1) ? T(0) : (T(1) - target) / (T(1) - prediction);
    const T under = target == T(0) ? T(0) : target / std::abs(prediction);
    return over - under;
  }

  template <class T>
  constexpr T second_derivative(T prediction, T target) const {
    if (std::isinf(derivative(prediction, target))) return T(0);
    const T rest = T(1) - prediction;
    const T over = target == T(1) ? T(0) : (T(1) - target) / rest / rest;
    const T under = target == T(0) ? T(0) : target / prediction / prediction;
    return over + under;
  }

  /// Returns ln(1 + exp(p)) − y·p, computed as a sum of terms ≥ 0, which do not cancel.
  template <class T>
  T value_after(const Sigmoid& sigmoid, T score, T target) const {
    return excess_after(sigmoid, score, target) + std::log1p(std::exp(-std::abs(score)));
  }

  /// Returns σ(p) − y, computed from the smaller of σ(p) and σ(−p).
  template <class T>
  T derivative_after(const Sigmoid& sigmoid, T score, T target) const {
    return slope_after(sigmoid, score, target, sigmoid.value(-std::abs(score)));
  }

  /// Returns value_after less ln(1 + exp(−|p|)), for callers that know the logarithm.
  template <class T>
  T excess_after(const Sigmoid&, T score, T target) const {
    const T wrong = score > T(0) ? T(1) - target : target;
    return wrong == T(0) ? T(0) : wrong * std::abs(score);
  }

  /// Returns derivative_after, given the smaller of σ(p) and σ(−p).
  template <class T>
  T slope_after(const Sigmoid&, T score, T target, T lesser) const {
    return score > T(0) ? (T(1) - target) - lesser : lesser - target;
  }

  template <class T>
  T second_derivative_after(const Sigmoid& sigmoid, T score, T) const {
    return sigmoid.derivative(score);
  }

  constexpr double curvature_bound_after(const Sigmoid&) const { return 0.25; }

  /// Returns c·ln c + (1 − c)·ln(1 − c) with c = y + u in [0, 1]; 0 at both ends, ∞ elsewhere.
  template <class T>
  T conjugate_after(const Sigmoid&, T slope, T target) const {
    const T chance = target + slope;
    const T rest = (T(1) - target) - slope;
    if (!(chance >= T(0) && rest >= T(0))) return std::numeric_limits<T>::infinity();
    const T small = chance < rest ? chance : rest;
    return small > T(0) ? small * std::log(small) + (T(1) - small) * std::log1p(-small) : T(0);
  }

  static constexpr bool is_convex_after(const Sigmoid&) { return true; }

  template <class T>
  constexpr bool is_valid_target(T target) const {
    return target >= T(0) && target <= T(1);
  }
};

/// The loss of logistic regression with targets from 0 to 1, which is convex. For targets 0 and 1
/// it equals Log with target 2y − 1.
using SigmoidCrossEntropy = Composed<CrossEntropy, Sigmoid>;

}  // namespace linea
