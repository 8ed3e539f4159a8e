// SPDX-License-Identifier: MIT
#pragma once
/// \file The root of a function that falls.
#include <cmath>  // abs
#include <linea/core/compiler.hpp>

namespace linea::numerics {

/// Where a function that falls with b is at most `small`, from `near` on, to 60 steps of the
/// Illinois method; or as near to it as 60 doublings of `step` come. Where the function jumps past
/// `small`, or rounding hides the root, where it was least. f(answer) is the last value asked for.
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

}  // namespace linea::numerics
