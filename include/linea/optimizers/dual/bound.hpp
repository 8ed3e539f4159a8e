// SPDX-License-Identifier: MIT
#pragma once
/// \file A point of the dual problem, and what it says of the minimum of F:
///
///     D(α) = −(1/n) Σᵢ sᵢ·ℓ*(−αᵢ, yᵢ) − Ω*((1/n) Σᵢ sᵢαᵢxᵢ)  ≤  F(w, b)   for all w and b,
///
/// with sample weights of mean 1, and Σᵢ sᵢαᵢ = 0 where b is free.
#include <algorithm>  // min
#include <cmath>      // isfinite
#include <limits>
#include <linea/core/objective.hpp>
#include <linea/core/types.hpp>
#include <linea/samples/training_set.hpp>

namespace linea::dual {

/// −(1/n) Σᵢ sᵢ·ℓ*(−αᵢ, yᵢ).
template <ConjugateLoss L>
double dual_of_losses(const L& loss, const Vector<double>& y, const Vector<double>& weights,
                      const Vector<double>& multipliers, double scale = 1) {
  double sum = 0;
  for (Index i = 0; i < y.size(); ++i)
    sum += (weights.size() ? weights[i] : 1.0) * loss.conjugate(-scale * multipliers[i], y[i]);
  return -sum / static_cast<double>(y.size());
}

/// Ω*(pull).
template <ConjugatePenalty P>
double conjugate_of(const P& penalty, const Vector<double>& pull, double scale = 1) {
  double sum = 0;
  for (Index j = 0; j < pull.size(); ++j) sum += penalty.conjugate(scale * pull[j]);
  return sum;
}

/// Draws the multipliers of one sign towards 0 until Σᵢ sᵢαᵢ = 0. The domain of ℓ* is convex and, for losses that are
/// bounded from below, holds 0: they stay in it.
inline void balance(Vector<double>& multipliers, const Vector<double>& weights) {
  const auto terms = [&]() -> Vector<double> {
    return weights.size() ? multipliers.cwiseProduct(weights) : multipliers;
  }();
  const double positive = terms.cwiseMax(0).sum();
  const double negative = -terms.cwiseMin(0).sum();
  if (positive > negative)
    multipliers =
        (multipliers.array() > 0).select(multipliers * (negative / positive), multipliers);
  else if (negative > positive)
    multipliers =
        (multipliers.array() < 0).select(multipliers * (positive / negative), multipliers);
}

/// (1/n) Σᵢ sᵢαᵢxᵢ, (d).
template <class Rows>
Vector<double> pull_of(const samples::TrainingSet<Rows>& set, const Vector<double>& multipliers) {
  constexpr Index block = 512;
  const Index n = set.rows.rows();
  Vector<double> pull = Vector<double>::Zero(set.rows.cols());
  double shares[block];
  for (Index first = 0; first < n; first += block) {
    const Index count = std::min(block, n - first);
    for (Index k = 0; k < count; ++k)
      shares[k] = (set.weights.size() ? set.weights[first + k] : 1.0) * multipliers[first + k] /
                  static_cast<double>(n);
    set.rows.add_up(first, count, shares, pull);
  }
  return pull;
}

/// The largest t in [0, 1] with a finite Ω*(t·pull), but for rounding: Ω* is convex and finite at 0.
template <ConjugatePenalty P>
double largest_scale(const P& penalty, const Vector<double>& pull) {
  const double low = pull.minCoeff();
  const double high = pull.maxCoeff();
  double scale = 0;
  for (double share = 1; share > 1e-17 && scale < 1; share /= 2) {
    const double t = scale + share;
    if (std::isfinite(penalty.conjugate(t * low)) && std::isfinite(penalty.conjugate(t * high)))
      scale = t;
  }
  return scale;
}

}  // namespace linea::dual
