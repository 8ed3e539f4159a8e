// SPDX-License-Identifier: MIT
#pragma once
/// \file Multipliers that weights suggest: the slopes of the loss at their scores, and what those prove.
#include <cmath>  // isfinite, sqrt
#include <linea/optimizers/dual/bound.hpp>
#include <linea/optimizers/dual/step.hpp>
#include <linea/optimizers/numerics/falling_root.hpp>
#include <utility>  // pair

namespace linea::dual {

/// The best bound D(α) on min F for α = −ℓ′ at the scores of some weights, and for multiples of that. A loss
/// with kinks is smoothed: at a kink weights alone do not tell which slope is theirs, but the smoothed loss,
/// inf over z of ℓ(z) + (p − z)²/(2·width), tells one in (p − z)/width; the best of several widths counts. With
/// offset b is where Σ sᵢαᵢ = 0, for each width anew.
template <class L, class P, class Rows>
  requires ConjugateLoss<L> && DifferentiableLoss<L> && ConjugatePenalty<P>
class DualGuess {
 public:
  /// `scores` (n) are without offset, `offset` is where to look for the best.
  DualGuess(const Objective<L, P>& objective, const samples::TrainingSet<Rows>& set,
            bool has_offset, const Vector<double>& scores, double offset)
      : objective_(objective),
        set_(set),
        has_offset_(has_offset),
        scores_(scores),
        b_(offset),
        multipliers_(Vector<double>::Zero(scores.size())),
        bound_(dual_of_losses(objective.loss, set.y, set.weights, multipliers_)) {
    consider(0);
    if constexpr (ProximalLoss<L> && !SmoothLoss<L>) {
      double width = std::sqrt((scores.array() + offset).square().mean());
      if (!(width > 0 && std::isfinite(width))) width = 1;
      for (int worse = 0; worse < 3 && width > 1e-12; width /= 4)
        worse = consider(width) ? 0 : worse + 1;
      const double best = width_;
      if (best > 0)
        for (const double factor : {0.5, 2.0}) consider(factor * best);
    }
  }

  const Vector<double>& multipliers() const { return multipliers_; }
  double bound() const { return bound_; }

 private:
  double slope(Index i, double width) const {
    const double score = scores_[i] + b_;
    const double target = set_.y[i];
    if constexpr (ProximalLoss<L>)
      if (width > 0)
        return within_domain(objective_.loss,
                             (objective_.loss.proximal(score, target, width) - score) / width,
                             target);
    return -objective_.loss.derivative(score, target);
  }

  /// Is that width the best so far?
  bool consider(double width) {
    Vector<double> multipliers(scores_.size());
    const auto sum_at = [&](double b) {
      b_ = b;
      double sum = 0;
      for (Index i = 0; i < multipliers.size(); ++i) {
        multipliers[i] = slope(i, width);
        sum += (set_.weights.size() ? set_.weights[i] : 1.0) * multipliers[i];
      }
      return sum;
    };
    if (has_offset_) {
      numerics::falling_root(sum_at, b_, width > 0 ? width : 1e-3 * (1 + std::abs(b_)),
                             1e-12 * static_cast<double>(multipliers.size()));
      balance(multipliers, set_.weights);
    } else {
      sum_at(b_);
    }
    const Vector<double> pull = pull_of(set_, multipliers);
    const auto [scale, bound] = best_multiple(multipliers, pull);
    if (!(bound > bound_)) return false;
    bound_ = bound;
    width_ = width;
    multipliers_ = scale * multipliers;
    return true;
  }

  /// t in [0, 1] with the largest D(t·α), by golden section: D is concave in t, and finite from 0 on.
  std::pair<double, double> best_multiple(const Vector<double>& multipliers,
                                          const Vector<double>& pull) const {
    double best = -std::numeric_limits<double>::infinity();
    double scale = 0;
    const auto dual = [&](double t) {
      const double value = dual_of_losses(objective_.loss, set_.y, set_.weights, multipliers, t) -
                           conjugate_of(objective_.penalty, pull, t);
      if (value > best) {
        best = value;
        scale = t;
      }
      return value;
    };
    constexpr double golden = 0.6180339887498949;
    double low = 0;
    double high = largest_scale(objective_.penalty, pull);
    dual(low);
    if (high == 0) return {scale, best};
    dual(high);
    double left = (1 - golden) * high;
    double right = golden * high;
    double at_left = dual(left);
    double at_right = dual(right);
    for (int k = 0; k < 40; ++k)
      if (at_left >= at_right) {
        high = right;
        right = left;
        at_right = at_left;
        at_left = dual(left = high - golden * (high - low));
      } else {
        low = left;
        left = right;
        at_left = at_right;
        at_right = dual(right = low + golden * (high - low));
      }
    return {scale, best};
  }

  const Objective<L, P>& objective_;
  const samples::TrainingSet<Rows>& set_;
  bool has_offset_;
  const Vector<double>& scores_;
  double b_;
  Vector<double> multipliers_;  // the best so far, 0 to begin with
  double bound_;
  double width_{0};
};

}  // namespace linea::dual
