// SPDX-License-Identifier: MIT
#pragma once
/// \file How likely a ratio of estimate and standard error is to be as far from 0 by chance.
#include <algorithm>  // max
#include <cmath>
#include <limits>
#include <linea/core/compiler.hpp>

namespace linea::models {

/// Γ(a + ½)/Γ(a) for a > 0, from the series for large a.
inline double half_step_of_gamma(double a) {
  double factor = 1;
  for (; a < 128; ++a) factor *= a / (a + 0.5);
  const double r = 1 / (8 * a);
  const double series = 1 - r + r * r * (0.5 + r * (2.5 - r * (2.625 + r * 49.875)));
  return factor * std::sqrt(a) * series;
}

/// The continued fraction of the incomplete beta function at x, by Lentz's method (DLMF 8.17.22).
inline double beta_fraction(double a, double b, double x) {
  const auto kept = [](double v) {
    return std::abs(v) < std::numeric_limits<double>::min() ? std::numeric_limits<double>::min()
                                                            : v;
  };
  double c = 1;
  double d = 1 / kept(1 - (a + b) * x / (a + 1));
  double value = d;
  for (int m = 1; m < 10000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / kept(1 + even * d);
    c = kept(1 + even / c);
    value *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / kept(1 + odd * d);
    c = kept(1 + odd / c);
    value *= d * c;
    if (std::abs(d * c - 1) <= std::numeric_limits<double>::epsilon()) break;
  }
  return value;
}

/// P(|T| ≥ t) of Student's t with many degrees of freedom, by the z that has the same tail (Hill,
/// Algorithm 395, Communications of the ACM 13 (1970)).
inline double tail_of_many(double t, double freedom) {
  const double a = freedom - 0.5;
  const double b = 48 * a * a;
  const double ratio = t / std::sqrt(freedom);
  const double y = a * std::log1p(ratio * ratio);
  const double rest = (((-0.4 * y - 3.3) * y - 24) * y - 85.5) / (0.8 * y * y + 100 + b);
  const double z = ((rest + y + 3) / b + 1) * std::sqrt(y);
  return std::erfc(z / std::sqrt(2.0));
}

/// P(|T| ≥ |t|) for Student's t with `freedom` > 0 degrees of freedom, which need not be whole;
/// infinitely many are the normal distribution. To some 1e-12 of its own size. NaN for NaN.
inline double two_sided_tail(double t, double freedom) {
  if (std::isnan(t) || !(freedom > 0)) return std::numeric_limits<double>::quiet_NaN();
  if (std::isinf(freedom)) return std::erfc(std::abs(t) / std::sqrt(2.0));
  if (t == 0) return 1;
  const double slope = std::abs(t) / std::sqrt(freedom);
  if (std::isinf(slope)) return 0;
  if (freedom > 1e4 && slope < 1) return tail_of_many(std::abs(t), freedom);
  // I_x(a, ½) at x = 1/(1 + t²/freedom): x^a·√(1 − x)/B(a, ½) times the fraction over a.
  const double a = freedom / 2;
  const double log_x = slope > 1e8 ? -2 * std::log(slope) : -std::log1p(slope * slope);
  const double x = 1 / (1 + slope * slope);
  const double root_rest = slope / std::hypot(1, slope);
  constexpr double root_pi = 1.7724538509055160273;
  const double front = std::exp(a * log_x) * root_rest * half_step_of_gamma(a) / root_pi;
  if (x < (a + 1) / (a + 2.5)) return front / a * beta_fraction(a, 0.5, x);
  return std::max(0.0, 1 - 2 * front * beta_fraction(0.5, a, root_rest * root_rest));
}

}  // namespace linea::models
