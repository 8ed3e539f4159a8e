// SPDX-License-Identifier: MIT
#pragma once
/// \file Step sizes that fall as 1/t.
#include <linea/core/step_size.hpp>

namespace linea {

/// η = size/(t + shift): 1/t as it stands, the step of the lectures' Pegasos; their 1/(k + 1) is {1, 1}.
/// On an objective that is λ-strongly convex it is slow when size < 1/(2λ) (Nemirovski et al., 2009).
struct InverseTime {
  double size{1};
  double shift{0};
  constexpr double operator()(Index t) const { return size / (static_cast<double>(t) + shift); }
  constexpr bool sum_diverges() const { return true; }
  constexpr bool sum_of_squares_converges() const { return true; }
};

}  // namespace linea
