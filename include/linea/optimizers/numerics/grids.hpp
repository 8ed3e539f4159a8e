// SPDX-License-Identifier: MIT
#pragma once
/// \file Roots and minima of functions that are asked for at several points at once: where to ask
/// is dear, and to ask for some points more is not, as when the values are summed over processes.
#include <algorithm>  // clamp, max, min, min_element
#include <limits>
#include <linea/core/types.hpp>

namespace linea::numerics {

/// Where a function that falls with b is 0, to within `precision` of its integral, from `near` on;
/// where it jumps past 0, at the side of the jump where it is nearer to 0. ask(points, values,
/// count) sets values[k] to the value at points[k]. At most 30 times, of five points each: they lie
/// around the root of the chord between the nearest points of either sign, or, where there is one
/// sign only, ever further away, by steps of `step` first.
template <class Ask>
double falling_root_on_grids(const Ask& ask, double near, double step, double precision) {
  constexpr Index count = 5;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double points[count] = {near - 8 * step, near - step, near, near + step, near + 8 * step};
  double low = -infinity, at_low = infinity, high = infinity, at_high = -infinity;
  for (int round = 0; round < 30; ++round) {
    double values[count];
    ask(points, values, count);
    for (Index k = 0; k < count; ++k) {
      if (values[k] == 0) return points[k];
      if (values[k] > 0 && points[k] > low) {
        low = points[k];
        at_low = values[k];
      } else if (values[k] < 0 && points[k] < high) {
        high = points[k];
        at_high = values[k];
      }
    }
    const double width = high - low;
    if (!(width < infinity)) {  // all above 0, or all below
      for (double& point : points) point = high < infinity ? high - (step *= 8) : low + (step *= 8);
      continue;
    }
    const double next = low + width * (at_low / (at_low - at_high));
    if (std::min(at_low, -at_high) * width <= precision || !(next > low && next < high)) break;
    const double aside[count] = {-0.25, -0.0625, 0, 0.0625, 0.25};
    for (Index k = 0; k < count; ++k) points[k] = std::clamp(next + aside[k] * width, low, high);
  }
  return at_low < -at_high ? low : high;
}

/// A point of [0, 1] and the value of a function there.
struct LeastOnGrids {
  double at;
  double value;
};

/// Where a convex function is about least on [0, 1], to 1/1024 or to within `precision` of its
/// least value. `ask` is as above, for five points and then up to four times for six.
template <class Ask>
LeastOnGrids least_on_grids(const Ask& ask, double precision) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double points[9] = {0, 0.25, 0.5, 0.75, 1};
  double values[9];
  ask(points, values, 5);
  Index count = 5;
  double step = 0.25;
  for (int round = 0;; ++round, step /= 4) {
    const auto top = std::min_element(values, values + count) - values;
    const LeastOnGrids least{points[top], values[top]};
    const double left = top > 0 ? values[top - 1] : infinity;
    const double right = top < count - 1 ? values[top + 1] : infinity;
    // What lies between two neighbours is above the lines through the least and either of them.
    if (round == 4 || std::max(left, right) - least.value <= precision) return least;
    // The grid between the neighbours; its ends and its middle are known.
    double asked[6], answers[6];
    Index unknown = 0;
    for (const double quarter : {-0.75, -0.5, -0.25, 0.25, 0.5, 0.75})
      if (const double t = least.at + quarter * step; t >= 0 && t <= 1) asked[unknown++] = t;
    ask(asked, answers, unknown);
    count = 0;
    const auto add = [&](double t, double value) {
      points[count] = t;
      values[count++] = value;
    };
    if (top > 0) add(least.at - step, left);
    Index k = 0;
    for (; k < unknown && asked[k] < least.at; ++k) add(asked[k], answers[k]);
    add(least.at, least.value);
    for (; k < unknown; ++k) add(asked[k], answers[k]);
    if (right < infinity) add(least.at + step, right);
  }
}

}  // namespace linea::numerics
