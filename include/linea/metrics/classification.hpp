// SPDX-License-Identifier: MIT
#pragma once
/// \file How well predicted labels fit the true ones.
#include <algorithm>  // copy, lower_bound, sort, unique
#include <cmath>      // isnan
#include <linea/core/entries.hpp>
#include <linea/metrics/weighted_mean.hpp>
#include <string_view>
#include <vector>

namespace linea {

/// The fraction of samples whose predicted label (n) equals y (n), in [0, 1]. Of samples that are
/// divided among processes it is that of all of them.
template <Numbers P, Numbers Y>
double accuracy(const P& predicted, const Y& y, const metrics::SampleWeights& sample_weights = {},
                const Processes& processes = {}) {
  const Vector<double> p = metrics::doubles_of(predicted);
  const Vector<double> t = metrics::doubles_of(y);
  return metrics::weighted_mean(
      "accuracy", p.size(), t.size(), sample_weights,
      [&](Index i) { return p[i] == t[i] ? 1.0 : 0.0; }, processes);
}

/// 1 − accuracy.
template <Numbers P, Numbers Y>
double error_rate(const P& predicted, const Y& y, const metrics::SampleWeights& sample_weights = {},
                  const Processes& processes = {}) {
  const Vector<double> p = metrics::doubles_of(predicted);
  const Vector<double> t = metrics::doubles_of(y);
  return metrics::weighted_mean(
      "error_rate", p.size(), t.size(), sample_weights,
      [&](Index i) { return p[i] == t[i] ? 0.0 : 1.0; }, processes);
}

/// counts(i, j): the weight of samples with label labels[i] that were predicted to be labels[j].
struct ConfusionMatrix {
  Vector<double> labels;              ///< all that occur in either vector, ascending (k)
  core::ColumnMatrix<double> counts;  ///< (k × k)
};

/// Throws std::invalid_argument for a label that is not a number.
template <Numbers P, Numbers Y>
ConfusionMatrix confusion_matrix(const P& predicted, const Y& y,
                                 const metrics::SampleWeights& sample_weights = {}) {
  const Vector<double> p = metrics::doubles_of(predicted);
  const Vector<double> t = metrics::doubles_of(y);
  std::vector<double> labels;
  const auto collect = [&](const Vector<double>& from, std::string_view name) {
    for (Index i = 0; i < from.size(); ++i) {
      require(!std::isnan(from[i]), "confusion_matrix: ", name, "(", i, ") is not a number");
      labels.push_back(from[i]);
    }
  };
  collect(p, "predicted");
  collect(t, "y");
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  const auto size = static_cast<Index>(labels.size());
  using Table = core::ColumnMatrix<core::DoubleFor<P>>;
  ConfusionMatrix matrix{core::filled(size, 0.0), Table::Zero(size, size)};
  std::copy(labels.begin(), labels.end(), matrix.labels.data());
  const auto index_of = [&](double label) {
    return std::lower_bound(labels.begin(), labels.end(), label) - labels.begin();
  };
  metrics::weighted_mean("confusion_matrix", p.size(), t.size(), sample_weights, [&](Index i) {
    matrix.counts(index_of(t[i]), index_of(p[i])) += sample_weights.of(i);
    return 0.0;
  });
  return matrix;
}

}  // namespace linea
