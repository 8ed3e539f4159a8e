// SPDX-License-Identifier: MIT
#pragma once
/// \file A point that a run passes.
#include <limits>
#include <linea/core/types.hpp>

namespace linea {

/// A point that a run passed: weights w (d), offset b, and F there.
template <class T>
struct Point {
  Vector<T> weights{};
  T offset{0};
  double objective{std::numeric_limits<double>::quiet_NaN()};
};

/// The same point in numbers of U.
template <class U, class T>
Point<U> point_as(const Point<T>& point) {
  return {point.weights.template cast<U>(), static_cast<U>(point.offset), point.objective};
}

}  // namespace linea
