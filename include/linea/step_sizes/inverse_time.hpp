// SPDX-License-Identifier: MIT
#pragma once
/// \file Step sizes that fall as 1/t.
#include <linea/core/step_size.hpp>

namespace linea {

/// The step η = size/(t + shift). The default is 1/t, the step of Pegasos in the lectures; {1, 1}
/// is their step 1/(k + 1). On a λ-strongly convex F these steps are slow if size < 1/(2λ)
/// (Nemirovski et al., 2009).
struct InverseTime {
  double size{1};
  double shift{0};
  constexpr double operator()(Index t) const { return size / (static_cast<double>(t) + shift); }
  constexpr bool sum_diverges() const { return true; }
  constexpr bool sum_of_squares_converges() const { return true; }
};

}  // namespace linea
