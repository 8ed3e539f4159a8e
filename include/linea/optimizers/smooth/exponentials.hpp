// SPDX-License-Identifier: MIT
#pragma once
/// \file Exponentials and logarithms of many scores at once, several times faster than one by one.
#include <algorithm>  // max
#include <cmath>      // abs, log, log1p
#include <cstdint>
#include <cstring>  // memcpy
#include <linea/core/types.hpp>

namespace linea::smooth {

/// Scores are taken so many at a time.
inline constexpr Index most_scores = 256;
/// At most most_scores numbers, on the stack.
using ScoreBlock = Eigen::Array<double, Eigen::Dynamic, 1, 0, most_scores, 1>;

/// result ← exp(−|x|) for each x, to a relative error of 5e-16. Below exp(−708) the result is
/// exp(−708); NaN stays NaN.
template <class Scores>
void exp_of_minus_abs(const Scores& x, Scores& result) {
  typedef double Pair __attribute__((vector_size(16)));
  typedef std::int64_t Bits __attribute__((vector_size(16)));
  constexpr double round = 6755399441055744.0;  // 1.5·2⁵²: a sum with it ends at the unit's digit
  alignas(16) double in[most_scores];
  for (Index k = 0; k < x.size(); ++k) in[k] = std::max(-std::abs(x[k]), -708.0);
  if (x.size() % 2) in[x.size()] = 0;
  result.resize(x.size());
  alignas(16) double out[most_scores];
  for (Index k = 0; k < x.size(); k += 2) {
    Pair v;
    std::memcpy(&v, in + k, sizeof v);
    const Pair shifted = v * 1.4426950408889634 + round;  // v = whole·ln 2 + r, |r| ≤ ½·ln 2
    const Pair whole = shifted - round;
    const Pair r = (v - whole * 6.93147180369123816490e-01) - whole * 1.90821492927058770002e-10;
    const Pair r2 = r * r;
    const Pair r4 = r2 * r2;
    const Pair low = (1 + r) + r2 * (0.5 + r * (1.0 / 6));
    const Pair middle = (1.0 / 24 + r * (1.0 / 120)) + r2 * (1.0 / 720 + r * (1.0 / 5040));
    const Pair high = (1.0 / 40320 + r * (1.0 / 362880)) +
                      r2 * (1.0 / 3628800 + r * (1.0 / 39916800)) + r4 * (1.0 / 479001600);
    Bits power;
    std::memcpy(&power, &shifted, sizeof power);
    power = (power + 1023) << 52;  // 2^whole
    Pair scale;
    std::memcpy(&scale, &power, sizeof scale);
    const Pair exponential = (low + r4 * (middle + r4 * high)) * scale;
    std::memcpy(out + k, &exponential, sizeof exponential);
  }
  for (Index k = 0; k < x.size(); ++k) result[k] = out[k] + (x[k] - x[k]);
}

/// Σ ln(1 + small) for numbers in [0, 1]. One logarithm of their product, unless they are so small
/// that 1 + small would lose their digits.
template <class Scores>
double sum_of_log1p(const Scores& small) {
  double sum = 0;
  if (small.sum() > 0.01 * static_cast<double>(small.size())) return std::log((1 + small).prod());
  for (Index k = 0; k < small.size(); ++k) sum += std::log1p(small[k]);
  return sum;
}

}  // namespace linea::smooth
