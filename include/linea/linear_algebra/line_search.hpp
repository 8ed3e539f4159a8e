// SPDX-License-Identifier: MIT
#pragma once
/// \file A line search for the Wolfe conditions, and a root finder for decreasing functions.
#include <algorithm>  // clamp
#include <cmath>      // abs, isfinite
#include <limits>
#include <linea/core/compiler.hpp>

namespace linea::detail::linear_algebra {

/// A point on a line: the step t, F at t, and dF/dt at t.
struct LinePoint {
  double step{0};
  double value{0};
  double slope{0};

  bool is_finite() const { return std::isfinite(value) && std::isfinite(slope); }
};

/// The strong Wolfe conditions. If F at the point is no higher than at the start, up to rounding,
/// another bound on the slope may replace the condition on the decrease, which rounding may hide
/// (Hager and Zhang, SIAM J. Optim. 16 (2005)).
struct WolfeConditions {
  double fall{1e-4};     ///< least decrease, over that predicted by the first slope; < flatness
  double flatness{0.9};  ///< bound on |slope|, as a fraction of |first slope|

  bool hold(const LinePoint& start, const LinePoint& point) const {
    if (!point.is_finite() || std::abs(point.slope) > -flatness * start.slope) return false;
    return point.value <= start.value + fall * point.step * start.slope ||
           (is_no_higher(start, point) && point.slope <= (2 * fall - 1) * start.slope);
  }
  /// Is F at `point` at most F at `start`, up to rounding?
  static bool is_no_higher(const LinePoint& start, const LinePoint& point) {
    return point.value <=
           start.value + 16 * std::numeric_limits<double>::epsilon() * std::abs(start.value);
  }
};

/// Returns a point on the line from `start` (step 0, slope < 0) that satisfies the conditions, else
/// the point at the lower end of the bracket if F is lower there than at the start, else `start`.
/// Tries the step `first`, and longer steps while F still decreases. at(t) evaluates the point at
/// t; it is called at most 61 times, last for the returned point unless this is `start`.
///
/// Inside the bracket the next step is the root of the secant of the slopes, or the middle if the
/// bracket shrinks slowly or the slope at its upper end is not positive. After a point that is not
/// finite, it is a tenth of the bracket above the lower end. F need be neither convex nor finite
/// everywhere.
template <class At>
LinePoint search_line(const LinePoint& start, double first, const WolfeConditions& conditions,
                      At&& at) {
  LinePoint low = start;  // slope < 0, and F no higher than at the start, up to rounding
  LinePoint high{std::numeric_limits<double>::infinity(), 0, 0};
  double t = first;
  double width = high.step;  // width of the bracket two points before
  for (int trial = 0; trial < 60; ++trial) {
    const LinePoint point = at(t);
    if (conditions.hold(start, point)) return point;
    const double before = high.step - low.step;
    const bool ends = !point.is_finite() || !conditions.is_no_higher(start, point);
    (ends || point.slope >= 0 ? high : low) = point;
    const double now = high.step - low.step;
    if (!std::isfinite(now)) {  // no upper end yet: F still decreases
      const double slowing = low.slope - start.slope;
      const double root = slowing > 0 ? low.step * (-start.slope / slowing) : 0;
      t = std::clamp(root, 2 * low.step, 10 * low.step);
      continue;
    }
    if (!(now > 4 * std::numeric_limits<double>::epsilon() * high.step)) break;
    t = low.step + now / 2;
    if (ends && !high.is_finite()) {
      t = low.step + now / 10;
    } else if (high.slope > 0 && now <= 0.7 * width) {
      const double secant = low.step + now * (low.slope / (low.slope - high.slope));
      t = std::clamp(secant, low.step + 0.01 * now, high.step - 0.01 * now);
    }
    width = before;
  }
  return low.value < start.value ? at(low.step) : start;
}

/// Returns a b where a decreasing function f is at most `small` in absolute value. Brackets b from
/// `near` by at most 60 doublings of `step`, then makes at most 60 steps of the Illinois method. If
/// f jumps past 0, or rounding hides the root, returns the b with the least |f| that it has tried.
/// The last call of f is at the result.
template <class F>
double falling_root(const F& f, double near, double step, double small) {
  double root = near;
  double at_root = f(near);
  if (std::abs(at_root) <= small) return near;
  const auto ask = [&](double b) {
    const double value = f(b);
    if (std::abs(value) <= std::abs(at_root)) {
      root = b;
      at_root = value;
    }
    return value;
  };
  double low = near;
  double high = near;
  double at_low = at_root;
  double at_high = at_root;
  for (int k = 0; k < 60 && at_low < -small; ++k, step *= 2) at_low = ask(low -= step);
  for (int k = 0; k < 60 && at_high > small; ++k, step *= 2) at_high = ask(high += step);
  int side = 0;
  for (int k = 0; k < 60 && at_low > small && at_high < -small; ++k) {
    const double next = low + (high - low) * (at_low / (at_low - at_high));
    if (!(next > low && next < high)) break;
    const double value = ask(next);
    if (std::abs(value) <= small) break;
    if (value > 0) {
      low = next;
      at_low = value;
      if (side > 0) at_high /= 2;
      side = 1;
    } else {
      high = next;
      at_high = value;
      if (side < 0) at_low /= 2;
      side = -1;
    }
  }
  f(root);
  return root;
}

}  // namespace linea::detail::linear_algebra
