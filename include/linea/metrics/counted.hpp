// SPDX-License-Identifier: MIT
#pragma once
/// \file The samples that count in a metric: those of a weight above 0.
#include <cmath>  // isnan, ldexp
#include <linea/core/entries.hpp>
#include <linea/metrics/weighted_mean.hpp>
#include <string_view>
#include <utility>  // move

namespace linea::metrics {

/// What of n samples has a weight above 0, m in number, with weights that no sum of overflows.
struct Counted {
  Vector<double> predicted;  ///< (m)
  Vector<double> y;          ///< (m)
  Vector<double> weights;    ///< (m), as they were given over 2^exponent
  int exponent{0};
  double total{0};  ///< of the weights

  Index size() const { return y.size(); }
};

/// Throws std::invalid_argument as weighted_mean does, and for a prediction or target of a sample
/// that counts which is not a number.
template <Numbers P, Numbers Y>
Counted counted(std::string_view metric, const P& predicted, const Y& y,
                const SampleWeights& sample_weights) {
  Vector<double> p = doubles_of(predicted);
  Vector<double> t = doubles_of(y);
  weighted_mean(metric, p.size(), t.size(), sample_weights, [&](Index i) {
    require(!std::isnan(p[i]), metric, ": prediction ", i, " is not a number");
    require(!std::isnan(t[i]), metric, ": y(", i, ") is not a number");
    return 0.0;
  });
  const Vector<double> scaled = without_scale(sample_weights.values());
  const Index n = t.size();
  Counted result{std::move(p), std::move(t), core::filled(n, 1.0), 0, 0};
  if (scaled.size() > 0) result.exponent = scale_of(sample_weights.values());
  Index count = 0;
  for (Index i = 0; i < n; ++i) {
    const double weight = scaled.size() > 0 ? scaled[i] : 1.0;
    if (!(weight > 0)) continue;
    result.predicted[count] = result.predicted[i];  // count <= i
    result.y[count] = result.y[i];
    result.weights[count++] = weight;
    result.total += weight;
  }
  result.predicted.conservativeResize(count);
  result.y.conservativeResize(count);
  result.weights.conservativeResize(count);
  return result;
}

}  // namespace linea::metrics
