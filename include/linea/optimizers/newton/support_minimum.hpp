// SPDX-License-Identifier: MIT
#pragma once
/// \file Minimisation of a quadratic function plus L1 terms over the weights of one support, by
/// Newton steps with fixed signs.
#include <algorithm>  // sort
#include <cmath>      // abs, isfinite
#include <linea/core/entries.hpp>
#include <linea/core/types.hpp>
#include <linea/linear_algebra/cholesky.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/rows/kernels.hpp>
#include <utility>  // move, pair
#include <vector>

namespace linea::detail::newton {

/// Decreases
///
///     f(w) = ½⟨w − w₀, C(w − w₀)⟩ + ⟨q₀, w − w₀⟩ + Σⱼ l1ⱼ·|wⱼ|,     C positive semidefinite,
///
/// from w₀ (k), which has no zeros. While no weight crosses 0, the L1 terms are linear, and a
/// Newton step solves Cd = −(q + l1·sign(w)) for the non-zero weights, where q = q₀ + C(w − w₀).
/// The step goes along d to the minimum of f on this line, but at most to w + d. Weights that may
/// cross 0 do so while f decreases along d. A weight that stops at 0 stays there.
///
/// C is singular for dependent columns, so the factorisation adds a tiny fraction to its diagonal.
/// If q + l1·sign(w) has a part in the null space of C, d is long, and the step follows the null
/// space until a weight is 0. Coordinate descent cannot follow such a direction.
class SupportMinimum {
 public:
  /// Takes q₀ as `slopes` and w₀ as `weights`. `kinks` has the jump of the slope of each term at 0:
  /// 2·l1, or ∞ where the weight must not cross 0.
  SupportMinimum(Vector<double> l1, Vector<double> kinks, Vector<double> slopes,
                 Vector<double> weights)
      : l1_(std::move(l1)),
        kinks_(std::move(kinks)),
        slopes_(std::move(slopes)),
        weights_(std::move(weights)) {}

  /// Takes at most `steps` steps, for C = `curvature` (k × k). Each step factorises the block of
  /// the non-zero weights.
  void descend(const detail::ColumnMatrix<double>& curvature, Index steps) {
    for (Index step = 0; step < steps && find_direction(curvature); ++step) {
      Vector<double> change = detail::filled(direction_.size(), 0.0);
      for (Index k = 0; k < direction_.size(); ++k)
        if (direction_[k] != 0)
          rows::add(&curvature(0, k), direction_[k], change.data(), change.size());
      if (step_along(direction_, change)) break;
    }
  }

  const Vector<double>& weights() const { return weights_; }  ///< w (k)
  double fall() const { return fall_; }                       ///< f(w₀) − f(w)

  /// Returns ∂f/∂wₖ for wₖ ≠ 0.
  double slope(Index k) const { return slopes_[k] + (weights_[k] > 0 ? l1_[k] : -l1_[k]); }

  /// Returns the change of w by a step to w + d, for d = `direction`, that stops at 0 each weight
  /// that d moves across 0.
  Vector<double> stopped(const Vector<double>& direction) const {
    Vector<double> move = direction;
    for (Index k = 0; k < move.size(); ++k)
      if (weights_[k] * (weights_[k] + direction[k]) < 0) move[k] = -weights_[k];
    return move;
  }
  /// Moves to w + `move`, which changes no sign, with C·move = `change`.
  void step_by(const Vector<double>& move, const Vector<double>& change) {
    fall_ -= 0.5 * linear_algebra::dot(move, change);
    for (Index k = 0; k < move.size(); ++k)
      if (move[k] != 0) fall_ -= move[k] * slope(k);
    linear_algebra::add(1, move, weights_);
    linear_algebra::add(1, change, slopes_);
  }

  /// Moves along d = `direction` to the minimum on the line, with C·d = `change`. Returns true if
  /// no more steps are needed: no weight becomes 0 before w + d, or f does not decrease along d.
  bool step_along(const Vector<double>& direction, const Vector<double>& change) {
    const double curvature = linear_algebra::dot(direction, change);
    double slope_along = 0;
    std::vector<std::pair<double, Index>> zeros;  // (t, k): weight k is 0 at w + t·d
    for (Index k = 0; k < weights_.size(); ++k) {
      if (direction[k] == 0) continue;
      slope_along += direction[k] * slope(k);
      const double at = -weights_[k] / direction[k];
      if (at > 0 && at < 1) zeros.emplace_back(at, k);
    }
    if (!(slope_along < 0)) return true;
    std::sort(zeros.begin(), zeros.end());
    // Between two zeros, f is a parabola whose slope at t is slope_along + t·curvature.
    double last = 0;
    const auto go_to = [&](double t) {
      fall_ -= (t - last) * (slope_along + 0.5 * (t + last) * curvature);
      last = t;
    };
    Index stays = -1;  // the weight at which the step ends
    for (const auto& [at, k] : zeros) {
      if (slope_along + at * curvature >= 0) break;
      go_to(at);
      slope_along += kinks_[k] * std::abs(direction[k]);
      if (slope_along + at * curvature < 0) continue;
      stays = k;
      break;
    }
    if (stays < 0) go_to(slope_along + curvature > 0 ? -slope_along / curvature : 1);
    linear_algebra::add(last, direction, weights_);
    linear_algebra::add(last, change, slopes_);
    if (stays >= 0) weights_[stays] = 0;
    return zeros.empty();
  }

 private:
  /// Sets the direction d (k), with 0 for weights that are 0. Returns false if there is no finite
  /// direction.
  bool find_direction(const detail::ColumnMatrix<double>& curvature) {
    std::vector<Index> support;
    for (Index k = 0; k < weights_.size(); ++k)
      if (weights_[k] != 0) support.push_back(k);
    const auto size = static_cast<Index>(support.size());
    direction_ = detail::filled(weights_.size(), 0.0);
    for (double raise = 1e-12; size > 0 && raise < 1e-3; raise *= 100) {
      detail::ColumnMatrix<double> block(size, size);
      for (Index q = 0; q < size; ++q) {
        const Index column = support[static_cast<std::size_t>(q)];
        for (Index p = 0; p < size; ++p)
          block(p, q) = curvature(support[static_cast<std::size_t>(p)], column);
        block(q, q) *= 1 + raise;
      }
      const linear_algebra::Cholesky<double> factors(std::move(block));
      if (!factors.is_positive()) continue;
      Vector<double> step(size);
      for (Index p = 0; p < size; ++p) step[p] = -slope(support[static_cast<std::size_t>(p)]);
      factors.solve(step.data());
      for (Index p = 0; p < size; ++p) {
        if (!std::isfinite(step[p])) return false;
        direction_[support[static_cast<std::size_t>(p)]] = step[p];
      }
      return true;
    }
    return false;
  }

  Vector<double> l1_, kinks_, slopes_, weights_, direction_{};
  double fall_{0};
};

}  // namespace linea::detail::newton
