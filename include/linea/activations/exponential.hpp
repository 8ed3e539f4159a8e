// SPDX-License-Identifier: MIT
#pragma once
/// \file The exponential activation, which maps a score to a positive mean (Poisson regression).
#include <cmath>  // exp
#include <linea/core/activation.hpp>
#include <string_view>

namespace linea {

/// The activation g(p) = exp(p): a change of a feature multiplies the mean. g(p) overflows to ∞ for
/// p above about 709.8 in double and 88.7 in float.
struct Exponential {
  static constexpr std::string_view name = "exponential";

  template <class T>
  T value(T score) const {
    return std::exp(score);
  }

  template <class T>
  T derivative(T score) const {
    return std::exp(score);
  }

  template <class T>
  T second_derivative(T score) const {
    return std::exp(score);
  }
};

}  // namespace linea
