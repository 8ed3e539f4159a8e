// SPDX-License-Identifier: MIT
#pragma once
/// \file From where targets are best counted.
#include <cmath>  // abs, isfinite, sqrt
#include <linea/core/loss.hpp>
#include <linea/samples/origin.hpp>

namespace linea::samples {

/// A number c to take from all targets, and to add to a free offset in the end: for a function of
/// p − y the problem stays the same. It is the mean of targets that lie as far from 0 as columns do
/// that get an origin, such as times or years: their digits would be lost in products. Otherwise 0,
/// as for every other loss. Rows of weight 0 are not looked at.
template <Loss L, class Rows>
double target_origin(const L&, const TrainingSet<Rows>& set) {
  if constexpr (!is_residual_loss<L>) {
    return 0;
  } else {
    const auto sum = [&](auto&& f) {
      double total = 0;
      for (Index i = 0; i < set.y.size(); ++i)
        if (const double s = set.weights.size() ? static_cast<double>(set.weights[i]) : 1.0; s > 0)
          total += s * f(static_cast<double>(set.y[i]));
      return set.all().sum(total);
    };
    const double count = sum([](double) { return 1.0; });
    const double mean = sum([&](double y) { return y / count; });
    const double variance = sum([&](double y) { return (y - mean) * ((y - mean) / count); });
    return std::abs(mean) > far_in_deviations * std::sqrt(variance) && std::isfinite(mean) ? mean
                                                                                           : 0;
  }
}

}  // namespace linea::samples
