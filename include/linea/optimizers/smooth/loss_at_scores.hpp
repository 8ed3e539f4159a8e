// SPDX-License-Identifier: MIT
#pragma once
/// \file A loss and its derivatives at many scores at once: for those with exponentials several times faster than one
/// by one.
#include <algorithm>  // max
#include <cmath>      // abs, log, log1p
#include <cstdint>
#include <cstring>  // memcpy
#include <linea/core/loss.hpp>
#include <linea/core/types.hpp>
#include <linea/losses/cross_entropy.hpp>
#include <linea/losses/log.hpp>

namespace linea::smooth {

inline constexpr Index most_scores = 256;
/// At most most_scores numbers, kept in place.
using ScoreBlock = Eigen::Array<double, Eigen::Dynamic, 1, 0, most_scores, 1>;

/// ℓ′ and ℓ″ at a block of scores.
struct LossBlock {
  ScoreBlock slopes;
  ScoreBlock curvatures;
};

/// exp(−|x|) for each x, to 5e-16 of its size, but never less than exp(−708). What is not a number stays so.
inline void exp_of_minus_abs(const ScoreBlock& x, ScoreBlock& result) {
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

/// Σ ln(1 + small) for numbers in [0, 1]: the logarithm of one product, unless they are so small that their sum would
/// lose digits to the ones.
inline double sum_of_log1p(const ScoreBlock& small) {
  double sum = 0;
  if (small.sum() > 0.01 * static_cast<double>(small.size())) return std::log((1 + small).prod());
  for (Index k = 0; k < small.size(); ++k) sum += std::log1p(small[k]);
  return sum;
}

/// Σ partsᵢ·f(i), or Σ f(i) without parts. What has no part is not asked for.
template <class F>
double weighted_sum(Index count, const ScoreBlock* parts, F&& f) {
  double sum = 0;
  for (Index k = 0; k < count; ++k)
    if (!parts)
      sum += f(k);
    else if ((*parts)[k] > 0)
      sum += (*parts)[k] * f(k);
  return sum;
}

/// Σ partsᵢ·ℓ(pᵢ, yᵢ), or Σ ℓ(pᵢ, yᵢ) without parts, for scores p and targets y. Sets the slopes, and the curvatures
/// where `curved`, without the parts.
template <bool curved, DifferentiableLoss L>
double total_loss(const L& loss, const ScoreBlock& p, const ScoreBlock& y, const ScoreBlock* parts,
                  LossBlock& at) {
  at.slopes.resize(p.size());
  if constexpr (curved) at.curvatures.resize(p.size());
  for (Index k = 0; k < p.size(); ++k) {
    at.slopes[k] = static_cast<double>(loss.derivative(p[k], y[k]));
    if constexpr (curved)
      at.curvatures[k] = static_cast<double>(loss.second_derivative(p[k], y[k]));
  }
  return weighted_sum(p.size(), parts,
                      [&](Index k) { return static_cast<double>(loss.value(p[k], y[k])); });
}

/// From one exponential, and one logarithm a block.
template <bool curved>
double total_loss(const Log&, const ScoreBlock& p, const ScoreBlock& y, const ScoreBlock* parts,
                  LossBlock& at) {
  const Index count = p.size();
  at.slopes.resize(count);
  if constexpr (curved) at.curvatures.resize(count);
  ScoreBlock small(count);
  ScoreBlock shortfall(count);
  exp_of_minus_abs(p, small);
  for (Index k = 0; k < count; ++k) {
    const double agreement = y[k] * p[k];
    const double larger = 1 / (1 + small[k]);  // of σ(z) and σ(−z)
    const double lesser = small[k] * larger;
    shortfall[k] = std::max(-agreement, 0.0);
    at.slopes[k] = -y[k] * (agreement > 0 ? lesser : larger);
    if constexpr (curved) at.curvatures[k] = lesser * larger;
  }
  if (!parts) return sum_of_log1p(small) + shortfall.sum();
  return weighted_sum(count, parts, [&](Index k) { return std::log1p(small[k]) + shortfall[k]; });
}

/// The same for targets from 0 to 1, as CrossEntropy::value_after has it.
template <bool curved>
double total_loss(const SigmoidCrossEntropy&, const ScoreBlock& p, const ScoreBlock& y,
                  const ScoreBlock* parts, LossBlock& at) {
  const Index count = p.size();
  at.slopes.resize(count);
  if constexpr (curved) at.curvatures.resize(count);
  ScoreBlock small(count);
  ScoreBlock excess(count);
  exp_of_minus_abs(p, small);
  for (Index k = 0; k < count; ++k) {
    const double larger = 1 / (1 + small[k]);
    const double lesser = small[k] * larger;
    const double wrong = p[k] > 0 ? 1 - y[k] : y[k];
    excess[k] = wrong * std::abs(p[k]);
    at.slopes[k] = p[k] > 0 ? wrong - lesser : lesser - wrong;
    if constexpr (curved) at.curvatures[k] = lesser * larger;
  }
  if (!parts) return sum_of_log1p(small) + excess.sum();
  return weighted_sum(count, parts, [&](Index k) { return std::log1p(small[k]) + excess[k]; });
}

}  // namespace linea::smooth
