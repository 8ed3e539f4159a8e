// SPDX-License-Identifier: MIT
#pragma once
/// \file Triangles that stand for the rows of one process each, made into one for all rows.
#include <algorithm>  // copy, fill, min
#include <linea/core/entries.hpp>
#include <linea/core/processes.hpp>
#include <linea/optimizers/numerics/triangle.hpp>
#include <linea/optimizers/numerics/vectors.hpp>
#include <numeric>  // iota
#include <vector>

namespace linea::programs {

/// The upper triangular r (k × k) becomes an R with RᵀR = Σ rᵀr over the r of all processes. Larger
/// rows go first, see BoxNewton. They exchange k² numbers for each process.
template <class Real>
void join_triangles(const Processes& processes, Matrix<Real>& r) {
  if (processes.is_alone()) return;
  constexpr Index block_rows = 128;
  const Index k = r.cols();
  const Index count = k * processes.size();
  Matrix<Real> all = Matrix<Real>::Zero(count, k);
  std::copy(r.data(), r.data() + k * k, all.data() + processes.rank() * k * k);
  processes.sum_entries(all);
  std::vector<double> sizes;
  for (Index i = 0; i < count; ++i)
    sizes.push_back(numerics::dot(all.data() + i * k, all.data() + i * k, k));
  std::vector<Index> order(sizes.size());
  std::iota(order.begin(), order.end(), Index{0});
  core::stable_sort(order, [&](Index i, Index j) {
    return sizes[static_cast<std::size_t>(i)] > sizes[static_cast<std::size_t>(j)];
  });
  std::fill(r.data(), r.data() + k * k, Real(0));
  Matrix<Real> block;
  for (Index first = 0; first < count; first += block_rows) {
    block.resize(std::min(block_rows, count - first), k);
    for (Index i = 0; i < block.rows(); ++i) {
      const double* row = all.data() + order[static_cast<std::size_t>(first + i)] * k;
      std::copy(row, row + k, block.data() + i * k);
    }
    numerics::append_rows(r, block);
  }
}

}  // namespace linea::programs
