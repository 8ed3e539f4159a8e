// SPDX-License-Identifier: MIT
#pragma once
/// \file The input validation that all metrics share, and the samples that count: those of a weight
/// above 0.
#include <algorithm>  // max
#include <cmath>      // frexp, isfinite, isnan, ldexp
#include <limits>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/metrics/numbers.hpp>
#include <string_view>
#include <utility>  // move
#include <vector>

namespace linea::metrics {

/// The exponent of the power of two next to the largest of the weights (n).
template <class T>
int scale_of(const Vector<T>& weights) {
  T largest{0};
  for (Index i = 0; i < weights.size(); ++i) largest = std::max(largest, weights[i]);
  int exponent = 0;
  std::frexp(largest, &exponent);
  return exponent;
}

/// Sample weights (n) over the power of two next to the largest, so that no sum of them overflows:
/// their digits stay the same, and none that is above 0 becomes 0. Requires finite weights.
template <class T>
Vector<T> without_scale(Vector<T> weights) {
  const int exponent = scale_of(weights);
  for (Index i = 0; i < weights.size(); ++i)
    if (weights[i] > T(0))
      weights[i] =
          std::max(std::ldexp(weights[i], -exponent), std::numeric_limits<T>::denorm_min());
  return weights;
}

/// The samples of a weight above 0, m of n.
struct Weighed {
  std::vector<Index> rows{};  ///< their numbers (m)
  Vector<double> weights{};   ///< as they were given over 2^exponent (m)
  int exponent{0};
  double total{0};  ///< of these weights

  Index size() const { return weights.size(); }
  Index row(Index i) const { return rows[static_cast<std::size_t>(i)]; }
};

/// Throws std::invalid_argument for predictions or weights that are not
/// n in number, no samples, a weight that is negative or not finite, and weights that are all 0.
inline Weighed weighed(std::string_view metric, Index answers, Index n,
                       const SampleWeights& sample_weights) {
  require(answers == n, metric, ": ", answers, " predictions but y has ", n);
  require(n > 0, metric, ": no samples");
  require(sample_weights.size() == 0 || sample_weights.size() == n, metric, ": ",
          sample_weights.size(), " sample weights but y has ", n);
  for (Index i = 0; i < sample_weights.size(); ++i)
    require(std::isfinite(sample_weights[i]) && sample_weights[i] >= 0, metric, ": sample weight ",
            i, " is ", sample_weights[i]);
  Weighed result;
  result.exponent = scale_of(sample_weights.values());
  const Vector<double> scaled = without_scale(sample_weights.values());
  result.weights.resize(n);
  Index count = 0;
  for (Index i = 0; i < n; ++i) {
    const double weight = scaled.size() > 0 ? scaled[i] : 1.0;
    if (!(weight > 0)) continue;
    result.rows.push_back(i);
    result.weights[count++] = weight;
    result.total += weight;
  }
  result.weights.conservativeResize(count);
  require(result.total > 0, metric, ": all sample weights are zero");
  return result;
}

/// The samples of a weight above 0 with what is predicted of them.
struct Counted : Weighed {
  Vector<double> predicted{};  ///< (m)
  Vector<double> y{};          ///< (m)

  /// The mean of f(i) for i < m by weight: finite where it can be.
  template <class F>
  double mean_of(F&& f) const {
    constexpr double less = 0x1p-64;  // no sum of so small parts overflows
    double sums[2] = {0, 0};
    for (Index i = 0; i < size(); ++i) {
      const double value = f(i);
      sums[0] += weights[i] * value;
      sums[1] += weights[i] * (value * less);
    }
    return std::isfinite(sums[0]) ? sums[0] / total : sums[1] / total / less;
  }
};

/// Throws std::invalid_argument as weighed does, and for a prediction or target of a sample that
/// counts which is not a number.
template <Numbers P, Numbers Y>
Counted counted(std::string_view metric, const P& predicted, const Y& y,
                const SampleWeights& sample_weights) {
  const Vector<double> p = doubles_of(predicted);
  const Vector<double> t = doubles_of(y);
  Weighed counts = weighed(metric, p.size(), t.size(), sample_weights);
  const Index m = counts.size();
  Counted result{std::move(counts), Vector<double>(m), Vector<double>(m)};
  for (Index i = 0; i < m; ++i) {
    const Index row = result.row(i);
    require(!std::isnan(p[row]), metric, ": prediction ", row, " is not a number");
    require(!std::isnan(t[row]), metric, ": y(", row, ") is not a number");
    result.predicted[i] = p[row];
    result.y[i] = t[row];
  }
  return result;
}

/// The predictions of samples as probabilities. Refuses any that is none.
inline const Vector<double>& probabilities_of(std::string_view metric, const Counted& samples) {
  for (Index i = 0; i < samples.size(); ++i)
    require(0 <= samples.predicted[i] && samples.predicted[i] <= 1, metric, ": probability ",
            samples.row(i), " is ", samples.predicted[i], ", which is outside [0, 1]");
  return samples.predicted;
}

}  // namespace linea::metrics
