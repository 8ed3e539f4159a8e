// SPDX-License-Identifier: MIT
#pragma once
/// \file How well predicted labels fit the true ones.
#include <linea/core/entries.hpp>
#include <linea/core/types.hpp>
#include <linea/metrics/class_counts.hpp>
#include <linea/metrics/counted.hpp>

namespace linea {

/// The fraction of samples whose predicted label (n) equals y (n), in [0, 1].
template <Numbers P, Numbers Y>
[[nodiscard]] double accuracy(const P& predicted, const Y& y,
                              const metrics::SampleWeights& sample_weights = {}) {
  const auto samples = metrics::counted("accuracy", predicted, y, sample_weights);
  return samples.mean_of([&](Index i) { return samples.predicted[i] == samples.y[i] ? 1.0 : 0.0; });
}

/// 1 − accuracy.
template <Numbers P, Numbers Y>
[[nodiscard]] double error_rate(const P& predicted, const Y& y,
                                const metrics::SampleWeights& sample_weights = {}) {
  const auto samples = metrics::counted("error_rate", predicted, y, sample_weights);
  return samples.mean_of([&](Index i) { return samples.predicted[i] == samples.y[i] ? 0.0 : 1.0; });
}

/// counts(i, j): the weight of samples with label labels[i] that were predicted to be labels[j].
struct ConfusionMatrix {
  Vector<double> labels;              ///< all that occur in either vector, ascending (k)
  core::ColumnMatrix<double> counts;  ///< (k × k)
};

/// Samples of weight 0 are ignored, and so are their labels.
template <Numbers P, Numbers Y>
ConfusionMatrix confusion_matrix(const P& predicted, const Y& y,
                                 const metrics::SampleWeights& sample_weights = {}) {
  const auto samples = metrics::counted("confusion_matrix", predicted, y, sample_weights);
  const auto counts = metrics::count_classes(samples);
  using Table = core::ColumnMatrix<core::DoubleFor<P>>;
  ConfusionMatrix matrix{counts.labels, Table::Zero(counts.size(), counts.size())};
  for (Index i = 0; i < samples.size(); ++i)
    matrix.counts(counts.find(samples.y[i]), counts.find(samples.predicted[i])) +=
        sample_weights.of(samples.row(i));
  return matrix;
}

}  // namespace linea
