// SPDX-License-Identifier: MIT
#pragma once
/// \file Step sizes that fall as a power of t.
#include <cmath>  // pow
#include <linea/core/step_size.hpp>

namespace linea {

/// The step η = size/t^power.
struct InverseScaling {
  double size{0.01};
  double power{0.5};
  double operator()(Index t) const { return size / std::pow(static_cast<double>(t), power); }
  constexpr bool sum_diverges() const { return power <= 1; }
  constexpr bool sum_of_squares_converges() const { return power > 0.5; }
};

}  // namespace linea
