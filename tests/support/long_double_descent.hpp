// SPDX-License-Identifier: MIT
#pragma once
/// \file Descends from a solution of a hard problem with a smooth loss to the minimum, in long
/// double. The steps are damped Newton steps on scaled columns, which are centred if there is an
/// offset. With an L1 penalty or weights ≥ 0, a step does not leave its orthant.
#include <Eigen/Cholesky>
#include <algorithm>  // max, min
#include <cmath>
#include <limits>
#include <vector>

#include "support/long_double_objective.hpp"

namespace linea::test {

/// F of a smooth loss as a function of v: the scaled weights, followed by the centred offset c if
/// there is an offset. wⱼ = vⱼ/scaleⱼ and b = c − ⟨w, mean⟩.
class ScaledObjective {
 public:
  explicit ScaledObjective(const HardProblem& problem) : problem_(problem) {
    std::vector<Index> present;
    for_each_present(problem, [&](Index i, Real, Real) { present.push_back(i); });
    const Index d = problem.x.cols();
    const auto n = static_cast<Index>(present.size());
    z_ = problem.x(present, Eigen::indexing::all).cast<Real>();
    y_ = problem.y(present).cast<Real>();
    shares_ = RealVector::Ones(n);
    if (problem.weights.size() > 0) shares_ = problem.weights(present).cast<Real>();
    shares_ /= shares_.sum();
    mean_ = RealVector::Zero(d);
    if (problem.offset) mean_ = z_.transpose() * shares_;
    z_.rowwise() -= mean_.transpose();
    scale_ = RealVector::Ones(d);
    for (Index j = 0; j < d; ++j) {
      const Real square = shares_.dot(z_.col(j).cwiseAbs2());
      // The deviations of a constant column are rounding errors.
      if (square > 1e-30L * mean_[j] * mean_[j])
        scale_[j] = std::sqrt(square);
      else if (problem.offset)
        z_.col(j).setZero();
    }
    z_ *= scale_.cwiseInverse().asDiagonal();
    const Index m = d + (problem.offset ? 1 : 0);
    z_.conservativeResize(Eigen::NoChange, m);
    if (problem.offset) z_.col(d).setOnes();
    decay_ = threshold_ = RealVector::Zero(m);
    for (Index j = 0; j < d; ++j) {
      const Real factor = static_cast<Real>(problem.factor(j));
      decay_[j] = factor * static_cast<Real>(problem.l2) / (scale_[j] * scale_[j]);
      threshold_[j] = factor * static_cast<Real>(problem.l1) / scale_[j];
    }
  }

  const RealVector& threshold() const { return threshold_; }
  bool is_fixed(Index j) const { return j == problem_.offset_column; }
  bool is_non_negative(Index j) const { return problem_.non_negative && j < scale_.size(); }

  RealVector inwards(const RealPoint& point) const {
    RealVector v(z_.cols());
    v.head(scale_.size()) = point.weights.cwiseProduct(scale_);
    if (problem_.offset) v[scale_.size()] = point.offset + point.weights.dot(mean_);
    return v;
  }

  RealPoint outwards(const RealVector& v) const {
    RealPoint point{v.head(scale_.size()).cwiseQuotient(scale_)};
    if (problem_.offset) point.offset = v[scale_.size()] - point.weights.dot(mean_);
    point.value = objective_at(problem_, point);
    return point;
  }

  Real value(const RealVector& v) const {
    const RealVector scores = z_ * v;
    Real sum = threshold_.dot(v.cwiseAbs()) + decay_.dot(v.cwiseAbs2()) / 2;
    for (Index i = 0; i < y_.size(); ++i)
      sum += shares_[i] * loss_at(problem_, scores[i], y_[i]).value;
    return sum;
  }

  /// Computes ∇F without the L1 penalty, and ∇²F.
  void derivatives(const RealVector& v, RealVector& gradient, RealMatrix& hessian) const {
    RealVector slopes = z_ * v;
    RealVector curvatures(slopes.size());
    for (Index i = 0; i < y_.size(); ++i) {
      const LossAt loss = loss_at(problem_, slopes[i], y_[i]);
      slopes[i] = shares_[i] * loss.slope;
      curvatures[i] = shares_[i] * loss.curvature;
    }
    gradient = z_.transpose() * slopes + decay_.cwiseProduct(v);
    hessian = z_.transpose() * curvatures.asDiagonal() * z_;
    hessian.diagonal() += decay_;
  }

 private:
  const HardProblem& problem_;
  RealMatrix z_{};  // rows of positive weight: (x − mean)/scale, then 1 if there is an offset
  RealVector y_{}, shares_{}, mean_{}, scale_{}, decay_{}, threshold_{};
};

/// Makes one Newton step from v in the free coordinates, and returns the new v. A coordinate is
/// free unless it is fixed, or the L1 penalty or the bound w ≥ 0 keeps it at 0. `damping`·(hⱼ +
/// max h/1000) is added to each diagonal element hⱼ of ∇²F. A coordinate with an L1 penalty or a
/// bound that would change its sign becomes 0. Returns v if no coordinate is free or the matrix is
/// not positive definite.
inline RealVector damped_step(const ScaledObjective& f, const RealVector& v,
                              const RealVector& gradient, const RealMatrix& hessian, Real damping) {
  const RealVector& threshold = f.threshold();
  std::vector<Index> free;
  RealVector sign = RealVector::Zero(v.size());
  for (Index j = 0; j < v.size(); ++j) {
    if (f.is_fixed(j)) continue;
    const bool has_kink = threshold[j] > 0 || f.is_non_negative(j);
    if (has_kink)
      sign[j] = v[j] != 0                              ? (v[j] > 0 ? 1 : -1)
                : std::abs(gradient[j]) > threshold[j] ? (gradient[j] > 0 ? -1 : 1)
                                                       : 0;
    if (!has_kink || sign[j] > 0 || (sign[j] < 0 && !f.is_non_negative(j))) free.push_back(j);
  }
  if (free.empty()) return v;
  RealMatrix a = hessian(free, free);
  const Real largest = std::max<Real>(a.diagonal().maxCoeff(), 0);
  a.diagonal() += damping * (a.diagonal().array() + 1e-3L * largest).matrix();
  if (!(largest > 0)) a.diagonal().array() += 1;
  const Eigen::LLT<RealMatrix> factor(a);
  if (factor.info() != Eigen::Success) return v;
  const RealVector step =
      factor.solve(RealVector(-(gradient + threshold.cwiseProduct(sign))(free)));
  RealVector next = v;
  for (std::size_t r = 0; r < free.size(); ++r) {
    Real& w = next[free[r]];
    w += step[static_cast<Index>(r)];
    if (sign[free[r]] * w < 0) w = 0;
  }
  return next;
}

/// Returns the least F of at most 400 damped steps from `start` to the minimum of a smooth loss.
/// Each F is increased by the effect of rounding scores with `epsilon`. Returns infinity for losses
/// with kinks, and if no step lowers F.
inline Real descended(const HardProblem& problem, const RealPoint& start, Real epsilon) {
  Real least = std::numeric_limits<Real>::infinity();
  if (problem.family == Family::hinge || problem.family == Family::kinks) return least;
  const ScaledObjective f(problem);
  RealVector v = f.inwards(start);
  Real value = f.value(v);
  Real damping = 1e-17L;
  RealVector gradient;
  RealMatrix hessian;
  for (int round = 0; round < 400 && damping < 1e12L; ++round) {
    f.derivatives(v, gradient, hessian);
    bool falls = false;
    while (!falls && damping < 1e12L) {
      const RealVector next = damped_step(f, v, gradient, hessian, damping);
      const Real there = f.value(next);
      falls = there < value;
      if (!falls) {
        damping *= 100;
        continue;
      }
      if (value - there < 1e-13L * std::abs(there)) round = 400;
      v = next;
      value = there;
      damping = std::max(damping / 1e4L, 1e-18L);
      const RealPoint point = f.outwards(v);
      least = std::min(least, point.value + rounding_of(problem, point, epsilon));
    }
  }
  return least;
}

}  // namespace linea::test
