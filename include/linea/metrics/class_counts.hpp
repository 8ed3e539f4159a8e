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
    const double* const end = labels.data() + size();
    const double* const found = std::lower_bound(labels.data(), end, label);
    return found != end && *found == label ? found - labels.data() : size();
  }
  Index size() const { return labels.size(); }
};

/// Cost: O(n·log n).
inline ClassCounts count_classes(const Counted& samples) {
  std::vector<double> labels;
  labels.reserve(2 * static_cast<std::size_t>(samples.size()));
  for (const Vector<double>* side : {&samples.predicted, &samples.y})
    for (Index i = 0; i < side->size(); ++i) labels.push_back((*side)[i] + 0.0);  // -0 is 0
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  const auto k = static_cast<Index>(labels.size());
  const Vector<double> none = core::filled(k, 0.0);
  ClassCounts counts{doubles_of(labels), none, none, none, samples.total, samples.exponent};
  for (Index i = 0; i < samples.size(); ++i) {
    const Index guess = counts.find(samples.predicted[i]);
    const Index truth = counts.find(samples.y[i]);
    counts.predicted[guess] += samples.weights[i];
    counts.actual[truth] += samples.weights[i];
    if (guess == truth) counts.hits[truth] += samples.weights[i];
  }
  return counts;
}

/// The same of predictions and labels. Throws std::invalid_argument as counted does.
template <Numbers P, Numbers Y>
ClassCounts count_classes(std::string_view metric, const P& predicted, const Y& y,
                          const SampleWeights& sample_weights) {
  return count_classes(counted(metric, predicted, y, sample_weights));
}

}  // namespace linea::metrics
