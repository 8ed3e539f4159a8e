// SPDX-License-Identifier: MIT
#pragma once
/// \file What dual coordinate ascent knows of every sample before it begins.
#include <algorithm>  // max
#include <cmath>      // abs, isfinite
#include <limits>
#include <linea/core/loss.hpp>
#include <linea/optimizers/dual/rule.hpp>
#include <linea/samples/best_constant.hpp>
#include <linea/samples/training_set.hpp>
#include <vector>

namespace linea::dual {

/// How large scores are for slopes of 1: mean |b − yᵢ| / mean |ℓ′(b, yᵢ)| at the best constant b,
/// where the loss is of p − y, in whatever unit targets are. 1 for the others, whose scores have a
/// size of their own.
template <class L, class Rows>
double score_by_slope(const L& loss, const samples::TrainingSet<Rows>& set) {
  if constexpr (is_residual_loss<L>) {
    const auto b = static_cast<double>(samples::best_constant(loss, set));
    double scores = 0;
    double slopes = 0;
    for (Index i = 0; i < set.y.size(); ++i) {
      scores += set.weight(i) * std::abs(b - set.y[i]);
      slopes += set.weight(i) * std::abs(static_cast<double>(loss.derivative(b, set.y[i])));
    }
    const double ratio = scores / slopes;
    if (ratio > 0 && std::isfinite(ratio)) return ratio;
  }
  return 1;
}

/// The states of all samples, and κ² (see Ascent): λ·score_by_slope plus a twentieth of the mean of
/// ‖xᵢ − m‖², or 0 without an offset. Samples of weight 0 have no curvature.
struct SampleStates {
  std::vector<SampleState> samples{};
  double constant{0};    ///< κ²
  bool is_finite{true};  ///< all curvatures

  /// `mean` is m (d), 0 without an offset.
  template <class L, class Rows>
  SampleStates(const L& loss, const samples::TrainingSet<Rows>& set,
               const Vector<double>& multipliers, const Vector<double>& mean, double lambda,
               bool has_offset)
      : samples(static_cast<std::size_t>(set.rows.rows())) {
    constant = has_offset ? lambda * score_by_slope(loss, set) : 0;
    const auto all = static_cast<double>(set.rows.rows());
    const double center = mean.squaredNorm();
    for (std::size_t k = 0; k < samples.size(); ++k) {
      const auto i = static_cast<Index>(k);
      samples[k].multiplier = multipliers[i];
      if (!(set.weight(i) > 0)) continue;
      const double norm = set.rows.squared_norm(i);
      const double along = has_offset ? set.rows.dot(i, mean) : 0;
      double distance = norm;
      if (has_offset) {
        // Were rounding to make it too small, steps would be too long.
        const double rounding = 16 * std::numeric_limits<double>::epsilon() * (norm + center);
        distance = std::max(norm - 2 * along + center, 0.0) + rounding;
        constant += set.weight(i) * distance / (20 * all);
      }
      samples[k].curvature = distance;
      samples[k].along_mean = along;
    }
    const double scale = 1 / (lambda * all);
    for (std::size_t k = 0; k < samples.size(); ++k) {
      const double weight = set.weight(static_cast<Index>(k));
      if (!(weight > 0)) continue;
      samples[k].curvature = weight * (samples[k].curvature + constant) * scale;
      is_finite = is_finite && std::isfinite(samples[k].curvature);
    }
  }
};

}  // namespace linea::dual
