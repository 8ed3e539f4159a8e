// SPDX-License-Identifier: MIT
#pragma once
/// \file From a point in a frame to the solution for samples as they are stored.
#include <linea/core/solution.hpp>
#include <linea/samples/frame.hpp>

namespace linea::dual {

/// Enters a point of the frame into the solution, rounded to T. The objective is value(point) at
/// the rounded numbers, in the frame: there are the digits to tell what rounding costs.
template <class T, class F>
void enter_stored(const samples::Frame<>& frame, Point<double> point, const F& value,
                  Solution<T>& solution) {
  solution.weights = point.weights.template cast<T>();
  point.weights = solution.weights.template cast<double>();
  solution.offset = static_cast<T>(frame.leave(point.weights, point.offset));
  point.offset = frame.enter(point.weights, static_cast<double>(solution.offset));
  solution.objective = value(point);
}

}  // namespace linea::dual
