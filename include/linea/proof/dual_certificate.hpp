// SPDX-License-Identifier: MIT
#pragma once
/// \file Dual variables derived from given weights: −ℓ′ at the scores of the weights, and the bound
/// on F that these dual variables give.
#include <cmath>  // abs, isfinite, sqrt
#include <linea/core/entries.hpp>
#include <linea/linear_algebra/line_search.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/proof/bound.hpp>
#include <linea/proof/separable_penalty.hpp>

namespace linea::detail::proof {

/// The best lower bound D(t·α) on F over t in [0, 1], for α = −ℓ′ at the scores of given weights.
///
/// At a kink the weights do not determine the best slope of the loss. A loss with kinks is
/// therefore smoothed to inf over z of ℓ(z) + (p − z)²/(2·width), whose slope (p − z)/width is
/// unique. The constructor tries several widths and keeps the best bound. With an offset, it
/// chooses b for each width such that Σᵢ sᵢαᵢ = 0.
class DualCertificate {
 public:
  /// `scores` (n) are ⟨w, xᵢ⟩, without offset. The search for b begins at `offset`. All arguments
  /// must outlive this object.
  DualCertificate(const samples::RowBlocks& rows, const samples::RiskOfScores& risk,
                  const SeparablePenalty& penalty, bool has_offset, const Vector<double>& scores,
                  double offset)
      : rows_(rows),
        risk_(risk),
        penalty_(penalty),
        has_offset_(has_offset),
        scores_(scores),
        b_(offset),
        multipliers_(detail::filled(scores.size(), 0.0)),
        least_(risk.dual(multipliers_)),
        bound_(least_) {
    consider(0);
    const auto& traits = risk.loss().traits();
    if (!traits.has_proximal || std::isfinite(traits.curvature_bound)) return;
    double width = std::sqrt(rows.sum(risk.mean_square(scores, offset)));
    if (!(width > 0 && std::isfinite(width))) width = 1;
    for (int worse = 0; worse < 3 && width > 1e-12; width /= 4)
      worse = consider(width) ? 0 : worse + 1;
    const double best = width_;
    if (best > 0)
      for (const double factor : {0.5, 2.0}) consider(factor * best);
  }

  const Vector<double>& multipliers() const { return multipliers_; }
  double bound() const { return bound_; }
  /// Returns D(0), a bound on F that does not depend on the weights.
  double least() const { return least_; }

 private:
  /// Tries a width and returns whether its bound is the best so far.
  bool consider(double width) {
    Vector<double> multipliers;
    const auto sum_at = [&](double b) {
      b_ = b;
      return rows_.sum(risk_.smoothed_multipliers(scores_, b, width, multipliers));
    };
    if (has_offset_) {
      linear_algebra::falling_root(sum_at, b_, width > 0 ? width : 1e-3 * (1 + std::abs(b_)),
                                   1e-12);
      risk_.balance(multipliers);
    } else {
      sum_at(b_);
    }
    const double scale = try_multiples(multipliers, dual_sum_of(rows_, risk_, multipliers));
    if (scale == 0) return false;
    width_ = width;
    linear_algebra::scale(scale, multipliers);
    multipliers_ = multipliers;
    return true;
  }

  /// Finds the t in [0, 1] with the largest D(t·α) by golden-section search, since D is concave in
  /// t, among those for which Ω*(t·dual_sum) is finite. If this D is the best bound so far, keeps
  /// it and returns t, else 0.
  double try_multiples(const Vector<double>& multipliers, const Vector<double>& dual_sum) {
    double scale = 0;
    const auto dual = [&](double t) {
      const double value = risk_.dual(multipliers, t) - penalty_.conjugate(dual_sum, t);
      if (value > bound_) {
        bound_ = value;
        scale = t;
      }
      return value;
    };
    if (const double most = penalty_.largest_scale(dual_sum); most > 0) best_multiple(most, dual);
    return scale;
  }

  const samples::RowBlocks& rows_;
  const samples::RiskOfScores& risk_;
  const SeparablePenalty& penalty_;
  bool has_offset_;
  const Vector<double>& scores_;
  double b_;
  Vector<double> multipliers_;  // dual variables of the best bound so far; 0 at first
  double least_;                // D(0)
  double bound_;
  double width_{0};  // width of the best bound so far; 0 if the loss was not smoothed
};

}  // namespace linea::detail::proof
