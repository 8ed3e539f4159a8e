// SPDX-License-Identifier: MIT
#pragma once
/// \file Dual variables derived from given weights: −ℓ′ at the scores of the weights, and the bound
/// on F that these dual variables give.
#include <cmath>  // isfinite, sqrt
#include <linea/linear_algebra/line_search.hpp>
#include <linea/optimizers/dual/bound.hpp>
#include <linea/optimizers/dual/step.hpp>

namespace linea::detail::dual {

/// The best lower bound D(t·α) on F over t in [0, 1], for α = −ℓ′ at the scores of given weights.
///
/// At a kink the weights do not determine the best slope of the loss. A loss with kinks is
/// therefore smoothed to inf over z of ℓ(z) + (p − z)²/(2·width), whose slope (p − z)/width is
/// unique. The constructor tries several widths and keeps the best bound. With an offset, it
/// chooses b for each width such that Σᵢ sᵢαᵢ = 0.
template <class L, class P, class Rows>
  requires ConjugateLoss<L> && DifferentiableLoss<L> && ConjugatePenalty<P>
class Guess {
 public:
  /// `scores` (n) are ⟨w, xᵢ⟩, without offset. The search for b begins at `offset`. Objective, set
  /// and scores must outlive this object.
  Guess(const Objective<L, P>& objective, const samples::TrainingSet<Rows>& set, bool has_offset,
        const Vector<double>& scores, double offset)
      : objective_(objective),
        set_(set),
        has_offset_(has_offset),
        scores_(scores),
        b_(offset),
        multipliers_(Vector<double>::Zero(scores.size())),
        least_(dual_of_losses(objective.loss, set, multipliers_)),
        bound_(least_) {
    consider(0);
    if constexpr (ProximalLoss<L> && !SmoothLoss<L>) {
      double width = 0;
      for (Index i = 0; i < scores.size(); ++i)
        if (set.weight(i) > 0)
          width += set.weight(i) * ((scores[i] + offset) * (scores[i] + offset));
      width = std::sqrt(set.all().sum(width) / static_cast<double>(set.all_rows()));
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
  /// Returns D(0), a bound on F that does not depend on the weights.
  double least() const { return least_; }

 private:
  /// Returns αᵢ at the current b, for the loss smoothed by `width`, or 0 for a sample of weight 0.
  double multiplier(Index i, double width) const {
    if (!(set_.weight(i) > 0)) return 0;
    const double score = scores_[i] + b_;
    const double target = set_.y[i];
    if constexpr (ProximalLoss<L>)
      if (width > 0)
        return samples::within_domain(
            objective_.loss, (objective_.loss.proximal(score, target, width) - score) / width,
            target);
    return -objective_.loss.derivative(score, target);
  }

  /// Tries a width and returns whether its bound is the best so far.
  bool consider(double width) {
    Vector<double> multipliers(scores_.size());
    const auto sum_at = [&](double b) {
      b_ = b;
      double sum = 0;
      for (Index i = 0; i < multipliers.size(); ++i) {
        multipliers[i] = multiplier(i, width);
        sum += set_.weight(i) * multipliers[i];
      }
      return set_.all().sum(sum);
    };
    if (has_offset_) {
      linear_algebra::falling_root(sum_at, b_, width > 0 ? width : 1e-3 * (1 + std::abs(b_)),
                                   1e-12 * static_cast<double>(set_.all_rows()));
      samples::balance(multipliers, set_.weights, set_.all());
    } else {
      sum_at(b_);
    }
    const double scale = try_multiples(multipliers, dual_sum_of(set_, multipliers));
    if (scale == 0) return false;
    width_ = width;
    multipliers_ = scale * multipliers;
    return true;
  }

  /// Finds the t in [0, 1] with the largest D(t·α) by golden-section search, since D is concave in
  /// t, among those for which Ω*(t·dual_sum) is finite. If this D is the best bound so far, keeps
  /// it and returns t, else 0.
  double try_multiples(const Vector<double>& multipliers, const Vector<double>& dual_sum) {
    double scale = 0;
    const auto dual = [&](double t) {
      const double value = dual_of_losses(objective_.loss, set_, multipliers, t) -
                           conjugate_of(objective_.penalty, dual_sum, t);
      if (value > bound_) {
        bound_ = value;
        scale = t;
      }
      return value;
    };
    constexpr double golden = 0.6180339887498949;
    double low = 0;
    double high = largest_scale(objective_.penalty, dual_sum);
    if (high == 0) return 0;
    dual(high);
    double lower = (1 - golden) * high;
    double upper = golden * high;
    double at_lower = dual(lower);
    double at_upper = dual(upper);
    for (int k = 0; k < 40; ++k)
      if (at_lower >= at_upper) {
        high = upper;
        upper = lower;
        at_upper = at_lower;
        at_lower = dual(lower = high - golden * (high - low));
      } else {
        low = lower;
        lower = upper;
        at_lower = at_upper;
        at_upper = dual(upper = low + golden * (high - low));
      }
    return scale;
  }

  const Objective<L, P>& objective_;
  const samples::TrainingSet<Rows>& set_;
  bool has_offset_;
  const Vector<double>& scores_;
  double b_;
  Vector<double> multipliers_;  // dual variables of the best bound so far; 0 at first
  double least_;                // D(0)
  double bound_;
  double width_{0};  // width of the best bound so far; 0 if the loss was not smoothed
};

}  // namespace linea::detail::dual
