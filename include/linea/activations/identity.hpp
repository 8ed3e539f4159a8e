// SPDX-License-Identifier: MIT
#pragma once
/// \file The identity activation: the prediction is the score, as in linear regression.
#include <linea/core/activation.hpp>
#include <string_view>

namespace linea {

/// The activation g(p) = p.
struct Identity {
  static constexpr std::string_view name = "identity";

  template <class T>
  constexpr T value(T score) const {
    return score;
  }

  template <class T>
  constexpr T derivative(T) const {
    return T(1);
  }

  template <class T>
  constexpr T second_derivative(T) const {
    return T(0);
  }
};

}  // namespace linea
