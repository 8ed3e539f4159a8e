// SPDX-License-Identifier: MIT
#pragma once
/// \file Products of a centred sparse matrix with itself that never fill it: each term is corrected
/// for the means after it is summed, which costs digits where means are far larger than deviations.
#include <linea/optimizers/numerics/vectors.hpp>

namespace linea::least_squares {

/// Lower triangle of ZᵀZ (d × d), Z = diag(r)·(X − 1·x̄ᵀ) with Σᵢ rᵢ² = 1: Σᵢ rᵢ²xᵢxᵢᵀ − x̄x̄ᵀ.
template <class Rows, class Real>
core::ColumnMatrix<Real> sparse_moments(const Rows& rows, const Vector<Real>& root,
                                        const Vector<Real>& mean) {
  const Index d = rows.cols();
  core::ColumnMatrix<Real> moments;
  moments.setZero(d, d);
  for (Index i = 0; i < rows.rows(); ++i) {
    const double share = root[i] * root[i];
    rows.for_each(i, [&](Index j, auto a) {
      rows.for_each(i, [&](Index k, auto b) {
        if (k >= j) moments(k, j) += share * static_cast<double>(a) * static_cast<double>(b);
      });
    });
  }
  for (Index j = 0; j < d; ++j)
    for (Index k = j; k < d; ++k) moments(k, j) -= mean[j] * mean[k];
  return moments;
}

/// Lower triangle of ZZᵀ (n × n), entry by entry rᵢrₖ(⟨xᵢ, xₖ⟩ − ⟨xᵢ, x̄⟩ − ⟨xₖ, x̄⟩ + ⟨x̄, x̄⟩).
template <class Rows, class Real>
core::ColumnMatrix<Real> sparse_kernel(const Rows& rows, const Vector<Real>& root,
                                       const Vector<Real>& mean) {
  core::ColumnMatrix<Real> kernel;
  kernel.setZero(rows.rows(), rows.rows());
  Vector<Real> spread = Vector<Real>::Zero(rows.cols());
  Vector<Real> shifts = Vector<Real>::Zero(rows.rows());
  const double square = numerics::squares_of(mean);
  for (Index i = 0; i < rows.rows(); ++i) {
    rows.for_each(i, [&](Index j, auto value) {
      spread[j] += static_cast<double>(value);
      shifts[i] += static_cast<double>(value) * mean[j];
    });
    for (Index k = 0; k <= i; ++k) {
      if (root[i] * root[k] == 0) continue;  // not there, even where it is not finite
      double product = square - shifts[i] - shifts[k];
      rows.for_each(
          k, [&](Index j, auto value) { product += static_cast<double>(value) * spread[j]; });
      kernel(i, k) = root[i] * root[k] * product;
    }
    rows.for_each(i, [&](Index j, auto) { spread[j] = 0; });
  }
  return kernel;
}

}  // namespace linea::least_squares
