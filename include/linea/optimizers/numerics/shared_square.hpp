// SPDX-License-Identifier: MIT
#pragma once
/// \file Symmetric matrices added up over processes.
#include <linea/core/processes.hpp>
#include <linea/core/types.hpp>
#include <vector>

namespace linea::numerics {

/// The lower triangle of a (k × k) becomes its sum over all processes. They exchange k·(k + 1)/2
/// numbers.
template <class Real>
void sum_lower_triangles(const Processes& processes, core::ColumnMatrix<Real>& a) {
  if (processes.is_alone()) return;
  const Index k = a.cols();
  std::vector<double> packed;
  packed.reserve(static_cast<std::size_t>(k * (k + 1) / 2));
  for (Index j = 0; j < k; ++j)
    for (Index i = j; i < k; ++i) packed.push_back(a(i, j));
  processes.sum(packed.data(), static_cast<Index>(packed.size()));
  const double* next = packed.data();
  for (Index j = 0; j < k; ++j)
    for (Index i = j; i < k; ++i) a(i, j) = *next++;
}

}  // namespace linea::numerics
