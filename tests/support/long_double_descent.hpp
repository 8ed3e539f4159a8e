// SPDX-License-Identifier: MIT
#pragma once
/// \file From the best answer to a hard problem to the minimum, in long double: Newton's method on
/// centred and scaled columns, damped, and within an orthant under an absolute penalty.
#include <algorithm>  // max, min
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>  // move
#include <vector>

#include "support/long_double_objective.hpp"

namespace linea::test {

/// F of a smooth loss as a function of v (d) and c: w = v/scale, b = c − ⟨w, mean⟩.
class ScaledObjective {
 public:
  explicit ScaledObjective(const HardProblem& problem)
      : problem_(problem),
        d_(static_cast<std::size_t>(problem.x.cols())),
        total_(total_weight(problem)),
        mean_(d_, 0),
        scale_(d_, 1) {
    for (Index i = 0; i < problem.x.rows(); ++i)
      if (problem.weight(i) > 0) present_.push_back(i);
    for (std::size_t j = 0; j < d_; ++j) {
      if (problem.offset)
        for (const Index i : present_) mean_[j] += part(i) * entry(i, j);
      Real square = 0;
      for (const Index i : present_)
        square += part(i) * (entry(i, j) - mean_[j]) * (entry(i, j) - mean_[j]);
      // What is left of a constant column is rounding.
      if (square > 1e-30L * mean_[j] * mean_[j])
        scale_[j] = std::sqrt(square);
      else if (problem.offset)
        constant_.push_back(j);
    }
    for (const Index i : present_)
      for (std::size_t j = 0; j < d_; ++j) z_.push_back((entry(i, j) - mean_[j]) / scale_[j]);
    for (std::size_t k = 0; k < present_.size(); ++k)
      for (const std::size_t j : constant_) z_[k * d_ + j] = 0;
  }

  std::size_t size() const { return d_ + (problem_.offset ? 1 : 0); }

  std::vector<Real> inwards(const RealPoint& point) const {
    std::vector<Real> v(size());
    Real c = point.offset;
    for (std::size_t j = 0; j < d_; ++j) {
      v[j] = point.weights[j] * scale_[j];
      c += point.weights[j] * mean_[j];
    }
    if (problem_.offset) v[d_] = c;
    return v;
  }

  RealPoint outwards(const std::vector<Real>& v) const {
    RealPoint point;
    point.weights.resize(d_);
    point.offset = problem_.offset ? v[d_] : 0;
    for (std::size_t j = 0; j < d_; ++j) {
      point.weights[j] = v[j] / scale_[j];
      point.offset -= point.weights[j] * mean_[j];
    }
    if (!problem_.offset) point.offset = 0;
    point.value = objective_at(problem_, point);
    return point;
  }

  Real value(const std::vector<Real>& v) const {
    Real sum = 0;
    for (std::size_t k = 0; k < present_.size(); ++k) sum += part(present_[k]) * at(v, k).value;
    for (std::size_t j = 0; j < d_; ++j)
      sum += threshold(j) * std::abs(v[j]) + decay(j) / 2 * v[j] * v[j];
    return sum;
  }

  /// ∇F but for the absolute penalty, and ∇²F by rows.
  void derivatives(const std::vector<Real>& v, std::vector<Real>& gradient,
                   std::vector<Real>& hessian) const {
    const std::size_t m = size();
    gradient.assign(m, 0);
    hessian.assign(m * m, 0);
    std::vector<Real> row(m, 1);
    for (std::size_t k = 0; k < present_.size(); ++k) {
      const LossAt loss = at(v, k);
      for (std::size_t j = 0; j < d_; ++j) row[j] = z_[k * d_ + j];
      const Real share = part(present_[k]);
      for (std::size_t a = 0; a < m; ++a) {
        gradient[a] += share * loss.slope * row[a];
        const Real factor = share * loss.curvature * row[a];
        for (std::size_t b = 0; b <= a; ++b) hessian[a * m + b] += factor * row[b];
      }
    }
    for (std::size_t j = 0; j < d_; ++j) {
      gradient[j] += decay(j) * v[j];
      hessian[j * m + j] += decay(j);
    }
  }

  Real threshold(std::size_t j) const {
    return j < d_ ? static_cast<Real>(problem_.l1) / scale_[j] : 0;
  }

 private:
  Real entry(Index i, std::size_t j) const {
    return static_cast<Real>(problem_.x(i, static_cast<Index>(j)));
  }
  Real part(Index i) const { return static_cast<Real>(problem_.weight(i)) / total_; }
  Real decay(std::size_t j) const {
    return static_cast<Real>(problem_.l2) / (scale_[j] * scale_[j]);
  }
  LossAt at(const std::vector<Real>& v, std::size_t k) const {
    Real score = problem_.offset ? v[d_] : 0;
    for (std::size_t j = 0; j < d_; ++j) score += v[j] * z_[k * d_ + j];
    return loss_at(problem_, score, static_cast<Real>(problem_.y[present_[k]]));
  }

  const HardProblem& problem_;
  std::size_t d_;
  Real total_;
  std::vector<Real> mean_, scale_, z_{};
  std::vector<Index> present_{};
  std::vector<std::size_t> constant_{};
};

/// Solves A·s = b in place, A (m × m) by its lower half and with `damping` times its diagonal added;
/// false where A is not positive.
inline bool solve_damped(std::vector<Real> a, Real damping, std::vector<Real>& b) {
  const std::size_t m = b.size();
  Real largest = 0;
  for (std::size_t j = 0; j < m; ++j) largest = std::max(largest, a[j * m + j]);
  for (std::size_t j = 0; j < m; ++j)
    a[j * m + j] += damping * (a[j * m + j] + 1e-3L * largest) + (largest > 0 ? 0 : 1);
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t i = j; i < m; ++i) {
      Real sum = a[i * m + j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i * m + k] * a[j * m + k];
      if (i == j && !(sum > 0)) return false;
      a[i * m + j] = i == j ? std::sqrt(sum) : sum / a[j * m + j];
    }
    for (std::size_t k = 0; k < j; ++k) b[j] -= a[j * m + k] * b[k];
    b[j] /= a[j * m + j];
  }
  for (std::size_t j = m; j-- > 0;) {
    for (std::size_t i = j + 1; i < m; ++i) b[j] -= a[i * m + j] * b[i];
    b[j] /= a[j * m + j];
  }
  return true;
}

/// One step from v: along the free directions, and no weight past 0. Answers the new v.
inline std::vector<Real> damped_step(const ScaledObjective& f, const std::vector<Real>& v,
                                     const std::vector<Real>& gradient,
                                     const std::vector<Real>& hessian, Real damping) {
  const std::size_t m = f.size();
  std::vector<std::size_t> free;
  std::vector<Real> sign(m, 0);
  for (std::size_t j = 0; j < m; ++j) {
    const Real slope = gradient[j];
    if (f.threshold(j) > 0)
      sign[j] = v[j] != 0                          ? (v[j] > 0 ? 1 : -1)
                : std::abs(slope) > f.threshold(j) ? (slope > 0 ? -1 : 1)
                                                   : 0;
    if (f.threshold(j) == 0 || sign[j] != 0) free.push_back(j);
  }
  std::vector<Real> a(free.size() * free.size());
  std::vector<Real> s(free.size());
  for (std::size_t r = 0; r < free.size(); ++r) {
    s[r] = -gradient[free[r]] - f.threshold(free[r]) * sign[free[r]];
    for (std::size_t c = 0; c <= r; ++c) a[r * free.size() + c] = hessian[free[r] * m + free[c]];
  }
  std::vector<Real> next = v;
  if (!solve_damped(std::move(a), damping, s)) return next;
  for (std::size_t r = 0; r < free.size(); ++r) {
    Real& w = next[free[r]];
    w += s[r];
    if (sign[free[r]] * w < 0) w = 0;
  }
  return next;
}

/// F where at most `rounds` such steps down from v end; reached(v) after each of them.
template <class Reached>
Real go_down(const ScaledObjective& f, std::vector<Real> v, int rounds, const Reached& reached) {
  Real value = f.value(v);
  Real damping = 1e-17L;
  std::vector<Real> gradient;
  std::vector<Real> hessian;
  for (int round = 0; round < rounds && damping < 1e12L; ++round) {
    f.derivatives(v, gradient, hessian);
    bool falls = false;
    while (!falls && damping < 1e12L) {
      const std::vector<Real> next = damped_step(f, v, gradient, hessian, damping);
      const Real there = f.value(next);
      falls = there < value;
      if (!falls) {
        damping *= 100;
        continue;
      }
      if (value - there < 1e-13L * std::abs(there)) round = rounds;
      v = next;
      value = there;
      damping = std::max(damping / 1e4L, 1e-18L);
      reached(v);
    }
  }
  return value;
}

/// The least F on the way from `start` to the minimum of a smooth loss, each with what a rounding
/// `epsilon` of the scores there may have taken from it; infinity of other losses.
inline Real descended(const HardProblem& problem, const RealPoint& start, Real epsilon) {
  Real least = std::numeric_limits<Real>::infinity();
  if (problem.family == Family::hinge || problem.family == Family::kinks) return least;
  const ScaledObjective f(problem);
  go_down(f, f.inwards(start), 60, [&](const std::vector<Real>& v) {
    const RealPoint point = f.outwards(v);
    least = std::min(least, point.value + rounding_of(problem, point, epsilon));
  });
  return least;
}

/// The minimum of a smooth loss, or an F above it: where 400 steps from `start` end.
inline Real minimum_from(const HardProblem& problem, const RealPoint& start) {
  const ScaledObjective f(problem);
  return go_down(f, f.inwards(start), 400, [](const std::vector<Real>&) {});
}

}  // namespace linea::test
