// SPDX-License-Identifier: MIT
#pragma once
/// \file How far an epoch has moved the weights.
#include <cmath>  // hypot
#include <linea/core/point.hpp>
#include <linea/core/solution.hpp>
#include <linea/core/types.hpp>

namespace linea::descent {

/// ‖(w, b) − (w′, b′)‖ over ‖(w, b)‖, where (w, b) is `now` and (w′, b′) is `last`; 0 when both are
/// zero. Keeps w as the last, so that no third vector is needed. O(d).
template <class T>
double change_to(Point<T>& last, const Solution<T>& now) {
  const auto norm = [](const Vector<T>& w, T b) {
    return std::hypot(static_cast<double>(w.stableNorm()), static_cast<double>(b));
  };
  last.weights -= now.weights;
  const double moved = norm(last.weights, last.offset - now.offset);
  last.weights = now.weights;
  return moved > 0 ? moved / norm(now.weights, now.offset) : 0;
}

}  // namespace linea::descent
