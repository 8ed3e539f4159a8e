// SPDX-License-Identifier: MIT
#pragma once
/// \file The class labels of samples that are divided among processes.
#include <algorithm>  // copy
#include <linea/core/entries.hpp>
#include <linea/core/processes.hpp>
#include <linea/data/labels.hpp>
#include <vector>

namespace linea::data {

/// The distinct labels of y (n) on all processes, of which some may have no samples, or those of
/// one class. Throws std::invalid_argument where none has a sample.
template <VectorLike Y>
ClassLabels shared_labels(const Y& y, const Processes& processes) {
  if (processes.is_alone()) return ClassLabels(y);
  const std::vector<double> own = y.size() > 0 ? ClassLabels(y).values() : std::vector<double>{};
  std::vector<double> counts(static_cast<std::size_t>(processes.size()), 0.0);
  counts[static_cast<std::size_t>(processes.rank())] = static_cast<double>(own.size());
  processes.sum(counts.data(), processes.size());
  Index before = 0;
  Index total = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (static_cast<Index>(k) < processes.rank()) before += static_cast<Index>(counts[k]);
    total += static_cast<Index>(counts[k]);
  }
  Vector<double> all = core::filled(total, 0.0);
  std::copy(own.begin(), own.end(), all.data() + before);
  processes.sum_entries(all);
  return ClassLabels(all);
}

/// Has sample i the weight 0? Samples beyond the weights have not: too few weights are refused
/// where they are used.
template <class T>
bool is_absent(const Vector<T>& weights, Index i) {
  return i < weights.size() && weights[i] == T(0);
}

/// Those of the samples of weight above 0, for weights (n), or none for 1 each; of all samples
/// where no process has one.
template <VectorLike Y, class T>
ClassLabels shared_labels(const Y& y, const Vector<T>& weights, const Processes& processes) {
  ClassLabels all = shared_labels(y, processes);
  if (!processes.any(weights.size() > 0)) return all;
  const auto is_counted = [&](Index i) { return !is_absent(weights, i); };
  Index count = 0;
  for (Index i = 0; i < y.size(); ++i) count += is_counted(i) ? 1 : 0;
  if (!processes.any(count > 0)) return all;
  Vector<double> counted(count);
  count = 0;
  for (Index i = 0; i < y.size(); ++i)
    if (is_counted(i)) counted[count++] = static_cast<double>(y.coeff(i));
  return shared_labels(counted, processes);
}

/// The number of the label of each sample, and 0 for those of weight 0: they may be of no class.
template <VectorLike Y, class T>
Vector<Index> classes_of(const ClassLabels& labels, const Y& y, const Vector<T>& weights) {
  Vector<Index> classes = core::filled<Index>(y.size(), 0);
  for (Index i = 0; i < y.size(); ++i)
    if (!is_absent(weights, i)) classes[i] = labels.index_of(static_cast<double>(y.coeff(i)));
  return classes;
}

}  // namespace linea::data
