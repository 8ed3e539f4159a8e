// SPDX-License-Identifier: MIT
#pragma once
/// \file A constant step size.
#include <linea/core/step_size.hpp>

namespace linea {

/// The step η = size.
struct ConstantStep {
  double size{0.01};
  constexpr double operator()(Index) const { return size; }
  constexpr bool sum_diverges() const { return true; }
  constexpr bool sum_of_squares_converges() const { return false; }
};

}  // namespace linea
