// SPDX-License-Identifier: MIT
#pragma once
/// \file The sigmoid (logistic function), which maps log-odds to a probability.
#include <algorithm>  // max
#include <cmath>      // abs, copysign, exp, tanh
#include <linea/core/activation.hpp>
#include <string_view>

namespace linea {

/// The activation σ(p) = 1/(1 + exp(−p)), in [0, 1]; 1 − σ(p) = σ(−p). The computation never
/// overflows. The relative errors of σ and its derivatives are small at every score, unless the
/// results underflow.
struct Sigmoid {
  static constexpr std::string_view name = "sigmoid";

  template <class T>
  T value(T score) const {
    // The numerator is 1 or exp(−|p|). The code does not branch: signs of scores are hard to
    // predict.
    const T above = (T(1) + std::copysign(T(1), score)) / T(2);
    const T small = std::exp(-std::abs(score));
    return std::max(small, above) / (T(1) + small);
  }

  /// Returns σ(p)·σ(−p), at most 1/4.
  template <class T>
  T derivative(T score) const {
    const T small = std::exp(-std::abs(score));
    return small / ((T(1) + small) * (T(1) + small));
  }

  /// Returns σ′(p)·(σ(−p) − σ(p)), computed as −σ′(p)·tanh(p/2).
  template <class T>
  T second_derivative(T score) const {
    return -derivative(score) * std::tanh(score / T(2));
  }
};

}  // namespace linea
