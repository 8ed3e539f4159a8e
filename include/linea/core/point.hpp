// SPDX-License-Identifier: MIT
#pragma once
/// \file A point of a run.
#include <limits>
#include <linea/core/types.hpp>

namespace linea {

/// A point of a run: weights w (d), offset b, and F(w, b).
template <class T>
struct Point {
  Vector<T> weights{};
  T offset{0};
  double objective{std::numeric_limits<double>::quiet_NaN()};
};

/// Converts a point to the scalar U.
template <class U, class T>
Point<U> point_as(const Point<T>& point) {
  return {point.weights.template cast<U>(), static_cast<U>(point.offset), point.objective};
}

}  // namespace linea
