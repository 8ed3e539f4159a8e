// SPDX-License-Identifier: MIT
#pragma once
/// \file How often each label is true, predicted, and both.
#include <algorithm>  // lower_bound, sort, unique
#include <linea/core/entries.hpp>
#include <linea/metrics/counted.hpp>
#include <string_view>
#include <vector>

namespace linea::metrics {

/// Sums of weights, for the labels that samples of a weight above 0 have or are predicted to have.
/// All counts are over 2^exponent.
struct ClassCounts {
  Vector<double> labels;     ///< ascending (k)
  Vector<double> hits;       ///< predicted and true (k)
  Vector<double> predicted;  ///< (k)
  Vector<double> actual;     ///< true (k)
  double total{0};           ///< of all samples
  int exponent{0};

  /// The place of a label, or size() for one that does not occur.
  Index find(double label) const {
    for (Index k = 0; k < size(); ++k)
      if (labels[k] == label) return k;
    return size();
  }
  Index size() const { return labels.size(); }
};

/// Cost: O(n·log n). Throws std::invalid_argument as counted does.
template <Numbers P, Numbers Y>
ClassCounts count_classes(std::string_view metric, const P& predicted, const Y& y,
                          const SampleWeights& sample_weights) {
  const Counted samples = counted(metric, predicted, y, sample_weights);
  std::vector<double> labels;
  labels.reserve(2 * static_cast<std::size_t>(samples.size()));
  for (const Vector<double>* side : {&samples.predicted, &samples.y})
    for (Index i = 0; i < side->size(); ++i) labels.push_back((*side)[i] + 0.0);  // -0 is 0
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  const auto k = static_cast<Index>(labels.size());
  const Vector<double> none = core::filled(k, 0.0);
  ClassCounts counts{doubles_of(labels), none, none, none, samples.total, samples.exponent};
  const auto index_of = [&](double label) {
    return std::lower_bound(labels.begin(), labels.end(), label) - labels.begin();
  };
  for (Index i = 0; i < samples.size(); ++i) {
    const Index guess = index_of(samples.predicted[i]);
    const Index truth = index_of(samples.y[i]);
    counts.predicted[guess] += samples.weights[i];
    counts.actual[truth] += samples.weights[i];
    if (guess == truth) counts.hits[truth] += samples.weights[i];
  }
  return counts;
}

}  // namespace linea::metrics
