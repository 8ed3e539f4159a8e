// SPDX-License-Identifier: MIT
#pragma once
/// \file Step sizes that fall as 1/t.
#include <linea/core/step_size.hpp>

namespace linea {

/// The step η = size/(t + shift). The default is 1/t, and InverseTime{1, 1} is 1/(t + 1). For a
/// λ-strongly convex F, gradient descent with these steps is slow if size < 1/(2λ) (Nemirovski,
/// Juditsky, Lan and Shapiro, SIAM J. Optim. 19 (2009)).
struct InverseTime {
  double size{1};
  double shift{0};
  constexpr double operator()(Index t) const { return size / (static_cast<double>(t) + shift); }
  constexpr bool sum_diverges() const { return true; }
  constexpr bool sum_of_squares_converges() const { return true; }
};

}  // namespace linea
