// SPDX-License-Identifier: MIT
#pragma once
/// \file The hyperbolic tangent, a sigmoid from −1 to 1.
#include <cmath>  // abs, exp, tanh
#include <linea/core/activation.hpp>
#include <string_view>

namespace linea {

/// The activation tanh(p) = 2σ(2p) − 1, in [−1, 1]. The relative errors of its derivatives are
/// small at every score, unless the results underflow.
struct Tanh {
  static constexpr std::string_view name = "tanh";

  template <class T>
  T value(T score) const {
    return std::tanh(score);
  }

  /// Returns 1 − tanh²(p), computed as 4s/(1 + s)² with s = exp(−2|p|), which does not cancel.
  template <class T>
  T derivative(T score) const {
    const T small = std::exp(T(-2) * std::abs(score));
    return T(4) * small / ((T(1) + small) * (T(1) + small));
  }

  template <class T>
  T second_derivative(T score) const {
    return T(-2) * std::tanh(score) * derivative(score);
  }
};

}  // namespace linea
