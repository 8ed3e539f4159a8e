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

}  // namespace linea::data
