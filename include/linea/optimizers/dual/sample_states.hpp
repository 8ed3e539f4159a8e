// SPDX-License-Identifier: MIT
#pragma once
/// \file What dual coordinate ascent knows of every sample before it begins.
#include <algorithm>  // max
#include <cmath>      // isfinite, pow
#include <limits>
#include <linea/optimizers/dual/rule.hpp>
#include <linea/samples/training_set.hpp>
#include <vector>

namespace linea::dual {

/// The states of all samples of this process, and κ² (see Ascent): λ plus a twentieth of the mean
/// of ‖xᵢ − m‖², 1/R³ of that on R processes, or 0 without an offset. Samples of weight 0 have no
/// curvature; the others count R times κ² in theirs.
struct SampleStates {
  std::vector<SampleState> samples{};
  double constant{0};    ///< κ²
  bool is_finite{true};  ///< all curvatures, on all processes

  /// `mean` is m (d), 0 without an offset.
  template <class Rows>
  SampleStates(const samples::TrainingSet<Rows>& set, const Vector<double>& multipliers,
               const Vector<double>& mean, double lambda, bool has_offset)
      : samples(static_cast<std::size_t>(set.rows.rows())), constant(has_offset ? lambda : 0) {
    const auto all = static_cast<double>(set.all_rows());
    const auto ranks = static_cast<double>(set.processes.size());
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
    if (!set.processes.is_alone() && has_offset)
      constant = lambda + set.processes.sum(constant - lambda) / std::pow(ranks, 3);
    const double scale = 1 / (lambda * all);
    for (std::size_t k = 0; k < samples.size(); ++k) {
      const double weight = set.weight(static_cast<Index>(k));
      if (!(weight > 0)) continue;
      samples[k].curvature = weight * (samples[k].curvature + ranks * constant) * scale;
      is_finite = is_finite && std::isfinite(samples[k].curvature);
    }
    is_finite = !set.processes.any(!is_finite);
  }
};

}  // namespace linea::dual
