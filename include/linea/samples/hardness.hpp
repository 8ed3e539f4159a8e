// SPDX-License-Identifier: MIT
#pragma once
/// \file How hard samples make it to climb the dual, by which an optimizer is chosen.
#include <algorithm>  // min
#include <linea/core/extras.hpp>
#include <linea/core/types.hpp>

namespace linea::samples {

/// How many of n rows have a weight above 0.
template <class T>
Index count_present(Index n, const Extras<T>& extras) {
  const auto& weights = extras.sample_weights;
  Index count = n;
  for (Index i = 0; i < std::min(n, weights.size()); ++i) count -= weights[i] == T(0);
  return count;
}

/// Mean ‖x‖²/(λm) over the m rows of a weight above 0: how hard the dual is to climb.
template <class Rows, class T>
double hardness(const Rows& rows, const Extras<T>& extras, double lambda) {
  const auto& weights = extras.sample_weights;
  double sum = 0;
  for (Index i = 0; i < rows.rows(); ++i)
    if (i >= weights.size() || weights[i] != T(0)) sum += static_cast<double>(rows.squared_norm(i));
  const auto m = static_cast<double>(count_present(rows.rows(), extras));
  return sum / m / (lambda * m);
}

}  // namespace linea::samples
