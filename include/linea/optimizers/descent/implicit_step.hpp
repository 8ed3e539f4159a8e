// SPDX-License-Identifier: MIT
#pragma once
/// \file Implicit steps on the score of one sample.
#include <algorithm>  // max
#include <cmath>      // sqrt

namespace linea::detail::descent {

/// Returns the part t in [0, 1] of an explicit step p → p + whole that is an implicit step: it ends
/// where the slope is t times `slope`, the slope at p. slope_at(q) is the slope of the loss at q.
/// The result is unique if the loss is convex. t is found to a millionth and from below, so that no
/// step ends beyond a kink. The Illinois method, then bisection of ln t.
template <class SlopeAt>
double implicit_part(const SlopeAt& slope_at, double p, double slope, double whole) {
  if (slope == 0) return 1;
  const auto excess_at = [&](double t) { return slope_at(p + t * whole) / slope - t; };
  constexpr double least = 1e-150;
  double low = 0, high = 1;
  double at_low = 1, at_high = excess_at(1);
  if (at_high >= 0) return 1;
  int side = 0;  // of the last trial
  for (int k = 0; high - std::max(low, least) > 1e-6 * high; ++k) {
    const bool is_secant = k < 12 && std::isfinite(at_high);
    const double t = is_secant ? low + (high - low) * (at_low / (at_low - at_high))
                               : std::sqrt(std::max(low, least) * high);
    const double excess = excess_at(t);
    if (excess >= 0) {
      low = t;
      at_low = excess;
      if (excess <= 1e-9 * t) break;
      if (side > 0) at_high /= 2;
      side = 1;
    } else {
      high = t;
      at_high = excess;
      if (side < 0) at_low /= 2;
      side = -1;
    }
  }
  return low;
}

}  // namespace linea::detail::descent
