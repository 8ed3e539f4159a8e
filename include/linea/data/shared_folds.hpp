// SPDX-License-Identifier: MIT
#pragma once
/// \file Folds of samples that are divided among processes.
#include <algorithm>  // max, min
#include <limits>
#include <linea/core/processes.hpp>
#include <linea/data/folds.hpp>
#include <utility>  // move
#include <vector>

namespace linea::data {

/// Has y (n), on all processes together, two values at most?
template <class Real>
bool has_two_values(const Vector<Real>& y, const Processes& processes) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const double value : y) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  low = processes.smallest(low);
  high = processes.largest(high);
  bool is_other = false;
  for (const double value : y) is_other = is_other || (value != low && value != high);
  return !processes.any(is_other);
}

/// The folds of the samples of all processes, one process after the other, and of each fold the
/// rows of this process, by its own numbers: a sample is in the same fold however they are divided.
/// Those of y (n) where all are in one process. Memory, while it deals: 16 bytes for each sample of
/// all processes, and 40 where it stratifies.
template <class Real>
Folds shared_folds(const Vector<Real>& y, const FoldOptions& options, const Processes& processes) {
  if (processes.is_alone()) return fold_indices(y, options);
  const auto [first, count] = processes.numbering(y.size());
  const Folds all =
      options.stratify ? fold_indices(processes.joined(y), options) : fold_indices(count, options);
  Folds own{y.size(), std::vector<std::vector<Index>>(all.rows.size())};
  for (std::size_t k = 0; k < all.rows.size(); ++k)
    for (const Index row : all.rows[k])
      if (row >= first && row < first + y.size()) own.rows[k].push_back(row - first);
  return own;
}

}  // namespace linea::data
