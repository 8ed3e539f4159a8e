// SPDX-License-Identifier: MIT
#pragma once
/// \file F of a hard problem in long double, computed from the definition, independently of linea.
#include <algorithm>  // clamp, max, min
#include <cmath>
#include <limits>

#include "support/hard_problems.hpp"

namespace linea::test {

using Real = long double;
using RealVector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
using RealMatrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

/// ℓ(p, y), and its first and second derivatives with respect to p.
struct LossAt {
  Real value;
  Real slope;
  Real curvature;
};

inline LossAt loss_at(const HardProblem& problem, Real p, Real y) {
  const Real parameter = static_cast<Real>(problem.parameter);
  const Real z = y * p;
  const Real r = p - y;
  const Real size = std::abs(r);
  const Real sign = r > 0 ? 1 : r < 0 ? -1 : 0;
  const Real shortfall = std::max<Real>(1 - z, 0);
  switch (problem.loss) {
    case LossKind::log: {
      const Real e = std::exp(-std::abs(z));
      const Real chance = z > 0 ? e / (1 + e) : 1 / (1 + e);
      return {std::log1p(e) + std::max<Real>(-z, 0), -y * chance, e / ((1 + e) * (1 + e))};
    }
    case LossKind::squared_hinge:
      return {shortfall * shortfall / 2, -y * shortfall, shortfall > 0 ? 1.0L : 0.0L};
    case LossKind::smooth_hinge:
      if (shortfall >= parameter) return {shortfall - parameter / 2, -y, 0};
      return {shortfall * shortfall / (2 * parameter), -y * shortfall / parameter,
              shortfall > 0 ? 1 / parameter : 0};
    case LossKind::squared:
      return {r * r / 2, r, 1};
    case LossKind::huber:
      if (size > parameter) return {parameter * (size - parameter / 2), sign * parameter, 0};
      return {r * r / 2, r, 1};
    case LossKind::hinge:
      return {shortfall, shortfall > 0 ? -y : 0, 0};
    case LossKind::absolute:
      return {size, sign, 0};
    case LossKind::epsilon:
      return {std::max<Real>(size - parameter, 0), size > parameter ? sign : 0, 0};
    case LossKind::poisson: {
      const Real mean = std::exp(p);
      if (y == 0) return {mean, mean, mean};
      const Real excess = p - std::log(y);
      const Real value =
          std::abs(excess) > 0.5L ? mean - y * (1 + excess) : y * (std::expm1(excess) - excess);
      return {value, mean - y, mean};
    }
    case LossKind::quantile: {
      // linea's slope for r > 0 is the double next to 1 − τ.
      const Real above = static_cast<Real>(1 - problem.parameter);
      return r < 0 ? LossAt{-parameter * r, -parameter, 0}
                   : LossAt{above * r, r > 0 ? above : 0, 0};
    }
  }
  return {};
}

/// Weights and offset, and F at them.
struct RealPoint {
  RealVector weights{};
  Real offset{0};
  Real value{std::numeric_limits<Real>::infinity()};
};

/// Calls f(i, weight, target) for each row of positive weight.
template <class F>
void for_each_present(const HardProblem& problem, const F& f) {
  for (Index i = 0; i < problem.x.rows(); ++i)
    if (problem.weight(i) > 0)
      f(i, static_cast<Real>(problem.weight(i)), static_cast<Real>(problem.y[i]));
}

inline Real total_weight(const HardProblem& problem) {
  Real total = 0;
  for_each_present(problem, [&](Index, Real weight, Real) { total += weight; });
  return total;
}

/// ⟨w, xᵢ⟩ + b, and the sum of the absolute values of its terms.
struct RealScore {
  Real value, size;
};
template <class W>
RealScore score_of(const HardProblem& problem, Index i, const W& weights, Real offset) {
  RealScore score{offset, std::abs(offset)};
  for (Index j = 0; j < problem.x.cols(); ++j) {
    const Real term = static_cast<Real>(weights[j]) * static_cast<Real>(problem.x(i, j));
    score.value += term;
    score.size += std::abs(term);
  }
  return score;
}

inline Real objective_at(const HardProblem& problem, const RealPoint& point) {
  Real sum = 0;
  for_each_present(problem, [&](Index i, Real weight, Real y) {
    const Real score = score_of(problem, i, point.weights, point.offset).value;
    sum += weight * loss_at(problem, score, y).value;
  });
  sum /= total_weight(problem);
  for (Index j = 0; j < problem.x.cols(); ++j) {
    const Real w = point.weights[j];
    if ((problem.non_negative && w < 0) || (j == problem.offset_column && w != 1))
      return std::numeric_limits<Real>::infinity();
    sum += static_cast<Real>(problem.factor(j)) * (static_cast<Real>(problem.l1) * std::abs(w) +
                                                   static_cast<Real>(problem.l2) / 2 * w * w);
  }
  return sum;
}

/// Returns an estimated bound on the error of F at the point if sums are computed with the relative
/// rounding `epsilon`. The error of a sum is at most `epsilon` times the number of its terms times
/// the sum of their absolute values.
inline Real rounding_of(const HardProblem& problem, const RealPoint& point, Real epsilon) {
  Real sum = 0;
  for_each_present(problem, [&](Index i, Real weight, Real y) {
    const RealScore score = score_of(problem, i, point.weights, point.offset);
    const Real error =
        epsilon * static_cast<Real>(problem.x.cols() + 4) * (score.size + std::abs(y));
    Real slope = 0;
    for (const Real p : {score.value - error, score.value, score.value + error})
      slope = std::max(slope, std::abs(loss_at(problem, p, y).slope));
    sum += weight * (slope * error + 4 * epsilon * loss_at(problem, score.value, y).value);
  });
  const Real terms = static_cast<Real>(problem.x.rows() + problem.x.cols());
  return sum / total_weight(problem) +
         epsilon * terms * std::max<Real>(objective_at(problem, point), 0);
}

/// Returns the solution of an optimizer, and F at it.
template <class S>
RealPoint point_of(const HardProblem& problem, const S& solution) {
  RealPoint point{solution.weights.template cast<Real>(), static_cast<Real>(solution.offset)};
  point.value = objective_at(problem, point);
  return point;
}

/// Returns w = 0 (1 for a column of fixed offsets), the best offset, and F. Bisection of ∂F/∂b
/// finds the offset, which is 0 in problems without an offset.
inline RealPoint best_constant(const HardProblem& problem) {
  RealPoint point{RealVector::Zero(problem.x.cols())};
  if (problem.offset_column >= 0) point.weights[problem.offset_column] = 1;
  const auto fixed = [&](Index i) { return score_of(problem, i, point.weights, 0).value; };
  if (problem.offset) {
    Real low = std::numeric_limits<Real>::infinity();
    Real high = -low;
    const Real reach = problem.has_classes() ? 64 : static_cast<Real>(problem.parameter);
    for_each_present(problem, [&](Index i, Real, Real y) {
      const bool counts = problem.loss == LossKind::poisson;
      const Real center = problem.has_classes() ? 0
                          : counts              ? std::log(std::max<Real>(y, 1e-30L))
                                                : y;
      low = std::min(low, center - fixed(i) - reach);
      high = std::max(high, center - fixed(i) + reach);
    });
    for (int round = 0; round < 100; ++round) {
      const Real middle = low + (high - low) / 2;
      Real slope = 0;
      for_each_present(problem, [&](Index i, Real weight, Real y) {
        slope += weight * loss_at(problem, middle + fixed(i), y).slope;
      });
      (slope > 0 ? high : low) = middle;
    }
    point.offset = low + (high - low) / 2;
  }
  point.value = objective_at(problem, point);
  return point;
}

}  // namespace linea::test
