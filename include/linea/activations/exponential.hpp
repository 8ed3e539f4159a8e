// SPDX-License-Identifier: MIT
#pragma once
/// \file The exponential activation, which maps a score to a positive mean (Poisson regression).
#include <cmath>  // exp
#include <linea/core/activation.hpp>
#include <string_view>

namespace linea {

/// The activation g(p) = exp(p): features act on the mean as factors. g(p) is ∞ above p = 709 in
/// double and 88 in float.
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
