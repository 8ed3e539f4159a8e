// SPDX-License-Identifier: MIT
#pragma once
/// \file The best offset for the hinge loss when the weights are given, exactly.
#include <algorithm>  // clamp, sort
#include <limits>
#include <linea/core/types.hpp>
#include <numeric>  // iota
#include <vector>

namespace linea::programs {

/// Of all b with the smallest Σᵢ sᵢ·max(0, 1 − yᵢ(pᵢ + b)), the one nearest to `near`, for scores p
/// without offset (n), targets y of −1 and +1 (n) and weights s ≥ 0 (n). The sum is convex and
/// piecewise linear in b, with a kink at each yᵢ − pᵢ. O(n·log n).
template <class Real>
double hinge_offset(const Vector<Real>& p, const Vector<Real>& y, const Vector<Real>& s,
                    double near) {
  std::vector<Index> order(static_cast<std::size_t>(p.size()));
  std::iota(order.begin(), order.end(), Index{0});
  const auto kink = [&](Index i) { return y[i] - p[i]; };
  std::sort(order.begin(), order.end(), [&](Index i, Index k) { return kink(i) < kink(k); });

  constexpr double infinity = std::numeric_limits<double>::infinity();
  double total = 0;
  double slope = 0;
  for (Index i = 0; i < s.size(); ++i) {
    total += s[i];
    if (y[i] > 0) slope -= s[i];
  }
  const double flat = 1e-13 * total;  // a slope that rounding may leave of none
  double first = slope < -flat ? infinity : -infinity;
  double last = infinity;
  for (const Index i : order) {
    slope += s[i];
    if (first == infinity && slope >= -flat) first = kink(i);
    if (slope > flat) {
      last = kink(i);
      break;
    }
  }
  return std::clamp(near, first, last);
}

}  // namespace linea::programs
